package app

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestNoBusIsStarted: looking for a keyring must not start a session bus.
func TestNoBusIsStarted(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems' keyrings need no bus")
	}
	dir := t.TempDir()
	started := filepath.Join(dir, "started")
	write(t, dir, "dbus-launch", "#!/bin/sh\ntouch "+started+"\nexit 1\n")
	if err := os.Chmod(filepath.Join(dir, "dbus-launch"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("XDG_RUNTIME_DIR", dir)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	s := newSecrets("test")
	if s.Persistent() {
		t.Error("there is no keyring")
	}
	if _, err := os.Stat(started); err == nil {
		t.Error("a bus was started")
	}
	if err := s.Set("a", "token"); err != nil || s.Get("a") != "token" {
		t.Error("a token does not live as long as the process")
	}
	// With a bus, it is asked.
	write(t, dir, "bus", "")
	if !hasSessionBus() {
		t.Error("the bus of the runtime folder is not found")
	}
}
