#!/bin/sh
# Runs a command in a display and a D-Bus session of its own:
#   build/xvfb.sh COMMAND [ARGUMENT…]
# LINEUP_SCREEN sets the size of the display (default 1440x900x24).
set -eu
[ $# -gt 0 ] || { echo "usage: build/xvfb.sh COMMAND [ARGUMENT...]" >&2; exit 2; }
for tool in xvfb-run xauth dbus-run-session; do
	command -v "$tool" >/dev/null || { echo "build/xvfb.sh: $tool is missing; run build/setup.sh test" >&2; exit 1; }
done
# The test must not find the desktop it happens to be started from.
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS XDG_SESSION_TYPE
# What the session's services print goes to stderr: stdout is the command's own.
exec 9>&1
exec xvfb-run -a -s "-screen 0 ${LINEUP_SCREEN:-1440x900x24} -nolisten tcp" \
	dbus-run-session -- sh -c 'exec "$@" >&9 9>&-' sh "$@" >&2
