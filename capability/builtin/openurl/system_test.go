//go:build unix

package openurl

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fake writes an opener that notes what it was given.
func fake(t *testing.T, body string) (System, string) {
	t.Helper()
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	path := filepath.Join(dir, "opener")
	script := "#!/bin/sh\nOUT='" + out + "'\n" + body + "\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return System{Patience: time.Minute, command: []string{path}}, out
}

func TestSystemStartsTheOpenerAlone(t *testing.T) {
	t.Setenv("LINEUP_AGENT_TOKEN", "secret")
	t.Setenv("LD_PRELOAD", "")
	t.Setenv("GTK_PATH", "/x")
	t.Setenv("DISPLAY", ":7")
	s, out := fake(t, `{ printf '%s\n' "$#" "$1"; env; ls /proc/self/fd 2>/dev/null | tr '\n' ' '; echo; ps -o pgid= -p $$ 2>/dev/null; } > "$OUT"`)
	const url = "https://example.com/?a=1&b=$(touch%20x);'"
	if err := s.OpenURL(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got := string(b)
	if !strings.HasPrefix(got, "1\n"+url+"\n") {
		t.Errorf("the opener was given %q", got)
	}
	for _, leak := range []string{"LINEUP_AGENT_TOKEN", "LD_PRELOAD", "GTK_PATH"} {
		if strings.Contains(got, leak) {
			t.Errorf("the opener sees %s", leak)
		}
	}
	if !strings.Contains(got, "DISPLAY=:7") {
		t.Errorf("the opener does not see the screen: %q", got)
	}
}

func TestSystemTellsOfFailure(t *testing.T) {
	s, _ := fake(t, "exit 3")
	if err := s.OpenURL(t.Context(), "https://example.com/"); err == nil {
		t.Error("an opener that exits with 3 counts as success")
	}
	if err := (System{command: []string{"no-such-opener-here"}}).OpenURL(t.Context(), "https://example.com/"); err == nil {
		t.Error("a missing opener counts as success")
	}
}

func TestSystemRefusesWhatWasNotChecked(t *testing.T) {
	s, out := fake(t, `touch "$OUT"`)
	for _, url := range []string{"file:///etc/passwd", "-version", "https://u@h/"} {
		if err := s.OpenURL(t.Context(), url); err == nil {
			t.Errorf("%s was opened", url)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the opener was started")
	}
}

func TestSystemThatBecomesTheBrowserIsSuccess(t *testing.T) {
	s, _ := fake(t, "exec sleep 1")
	s.Patience = time.Millisecond
	if err := s.OpenURL(t.Context(), "https://example.com/"); err != nil {
		t.Error(err)
	}
}

func TestSystemStopsWithItsContext(t *testing.T) {
	s, out := fake(t, `echo started > "$OUT"; sleep 600`)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.OpenURL(ctx, "https://example.com/") }()
	for deadline := time.Now().Add(20 * time.Second); ; {
		if b, _ := os.ReadFile(out); len(b) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the opener did not start")
		}
	}
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the opener was not stopped")
	}
}
