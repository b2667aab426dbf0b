package openurl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// System opens addresses with the system's own opener: xdg-open, open, or
// rundll32. The zero value is ready.
type System struct {
	// Patience is how long a failure of the opener is waited for; one that still
	// runs then has become the browser itself and counts as success. Default 5 s.
	Patience time.Duration

	command []string // stands in for the system's in tests
}

// OpenURL starts the opener, in its own process group, with no shell, the
// variables a desktop program needs and no others, and nothing open but an empty
// standard input and outputs that lead nowhere. It is reaped also when it
// outlives the call.
func (s System) OpenURL(ctx context.Context, url string) error {
	if _, err := parse(url); err != nil {
		return err // the broker has checked; this is the last door
	}
	argv := s.command
	if argv == nil {
		argv = opener
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return fmt.Errorf("openurl: no opener: %w", err)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	cmd := exec.Command(path, append(argv[1:len(argv):len(argv)], url)...)
	cmd.Env = environment(os.Environ())
	cmd.Dir = os.TempDir() // not where the host was started: openers look for files
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("openurl: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	patience := s.Patience
	if patience <= 0 {
		patience = 5 * time.Second
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("openurl: the opener failed: %w", err)
		}
		return nil
	case <-timer.C:
		return nil
	case <-ctx.Done():
		kill(cmd)
		return errors.Join(ctx.Err(), <-done)
	}
}

// environment keeps what a browser needs to find its user and screen. What only
// the host needs (library paths of a bundle, web view settings, tokens) stays here.
func environment(all []string) []string {
	var out []string
	for _, kv := range all {
		k, _, _ := strings.Cut(kv, "=")
		if kept[strings.ToUpper(k)] || strings.HasPrefix(k, "LC_") || strings.HasPrefix(k, "XDG_") {
			out = append(out, kv)
		}
	}
	return out
}

var kept = set("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "SHELL",
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION", "BROWSER", "KDE_FULL_SESSION", "KDE_SESSION_VERSION",
	"SYSTEMROOT", "WINDIR", "SYSTEMDRIVE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "USERPROFILE", "TEMP", "TMP", "PATHEXT", "COMSPEC")

func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}
