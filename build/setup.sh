#!/bin/sh
# Installs what LineUp needs and this system does not have yet (Debian, Ubuntu).
#   build/setup.sh run    to build and run the window
#   build/setup.sh test   what the tests need as well
# Quick and silent about what is there already. Exit code 0 also when the window
# cannot be had: the program is then built without it and `lineup web` is used.
# LINEUP_SETUP_DRY=1 prints what would be installed and installs nothing.
set -eu

case "${1:-run}" in
run | test) what=${1:-run} ;;
*) echo "usage: build/setup.sh [run|test]" >&2; exit 2 ;;
esac

say() { echo "setup: $*" >&2; }

# Go and Node are not taken from the system's packages: they are too old there.
check_go() {
	if ! command -v go >/dev/null; then
		say "Go is missing. Install Go 1.26 or newer: https://go.dev/doc/install"
		return 1
	fi
	version=$(go env GOVERSION | sed 's/^go//; s/[^0-9.].*//')
	major=${version%%.*}; rest=${version#*.}; minor=${rest%%.*}
	# An older Go fetches the one that go.mod names, from 1.21 on.
	if [ "$major" -eq 1 ] && [ "$minor" -lt 21 ]; then
		say "Go $version is too old. Install Go 1.26 or newer: https://go.dev/doc/install"
		return 1
	fi
}

check_node() {
	if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
		say "Node.js or npm is missing. Install Node.js 20.19 or newer: https://nodejs.org/en/download"
		return 1
	fi
	version=$(node --version | sed 's/^v//')
	major=${version%%.*}; rest=${version#*.}; minor=${rest%%.*}
	if [ "$major" -lt 20 ] || { [ "$major" -eq 20 ] && [ "$minor" -lt 19 ]; }; then
		say "Node.js $version is too old. Install Node.js 20.19 or newer: https://nodejs.org/en/download"
		return 1
	fi
}

installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]
}

missing() {
	for package in "$@"; do
		installed "$package" || printf '%s ' "$package"
	done
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		say "neither root nor sudo: cannot run $*"
		return 1
	fi
}

updated=no
# install WHY PACKAGE... installs those that are missing, and says what for.
install() {
	why=$1; shift
	list=$(missing "$@")
	[ -n "$list" ] || return 0
	say "$why: installing $list"
	if [ -n "${LINEUP_SETUP_DRY:-}" ]; then
		return 0
	fi
	if [ $updated = no ]; then
		as_root apt-get -qq update || return 1
		updated=yes
	fi
	# shellcheck disable=SC2086 # the list is words
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $list >/dev/null
}

ok=yes
check_go || ok=no
check_node || ok=no
[ $ok = yes ] || exit 1

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	say "no apt here. The window needs the development files of GTK 3 and WebKitGTK 4.1, a C compiler and pkg-config;"
	say "without them the program is built without a window and serves a browser instead."
	exit 0
fi

if ! install "the window" gcc libc6-dev pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev; then
	say "the window's libraries cannot be had here; the program will serve a browser instead (lineup web)"
fi
install "the sandbox of installed apps" bubblewrap ||
	say "bubblewrap cannot be had here; installed apps will not run programs"

if [ "$what" = test ]; then
	install "the tests" xvfb xauth dbus dbus-x11 xdotool xclip imagemagick \
		fonts-noto-cjk fonts-noto-color-emoji python3 python3-websockets ca-certificates || exit 1
	# Debian's package is a browser; Ubuntu's is a stub that asks for snap.
	if ! command -v chromium >/dev/null; then
		install "the tests" chromium || exit 1
		[ -n "${LINEUP_SETUP_DRY:-}" ] || command -v chromium >/dev/null || {
			say "no chromium; set LINEUP_CHROMIUM to a Chromium or Chrome to test with"
			exit 1
		}
	fi
fi
