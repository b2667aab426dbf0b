package preview

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestFindBrowser(t *testing.T) {
	t.Setenv(BrowserEnv, filepath.Join(t.TempDir(), "none"))
	if _, err := FindBrowser(); err == nil || !strings.Contains(err.Error(), BrowserEnv) {
		t.Error(err)
	}
	t.Setenv(BrowserEnv, "")
	t.Setenv("PATH", t.TempDir())
	if _, err := FindBrowser(); err == nil {
		t.Error("found one on an empty PATH")
	}
}

func TestRootMustSaySo(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root is asked")
	}
	if _, err := OpenBrowser("/bin/true", "about:blank", false); err != ErrRoot {
		t.Error(err)
	}
}

func TestBrowserThatEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	path := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho no display >&2\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	b, err := OpenBrowser(path, "about:blank", true)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-b.Ended():
	case <-time.After(patience):
		t.Fatal("it was not told")
	}
	if b.Said() != "no display" {
		t.Errorf("%q", b.Said())
	}
	b.Close(t.Context())
}

// TestBrowserLeavesNothing opens a real Chromium: it loads the page, and when
// it is closed no process and no file of it is left.
func TestBrowserLeavesNothing(t *testing.T) {
	path, err := FindBrowser()
	if err != nil {
		t.Skip(err)
	}
	asked := make(chan string, 100)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
	})}
	go func() { _ = srv.Serve(l) }()
	defer srv.Close()
	b, err := OpenBrowser(path, "http://"+l.Addr().String()+"/hello", true)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case p := <-asked:
		if p != "/hello" {
			t.Errorf("it asked for %s", p)
		}
	case <-b.Ended():
		t.Fatalf("it ended: %s", b.Said())
	case <-time.After(2 * patience):
		t.Fatal("it does not ask for the page")
	}
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	b.Close(ctx)
	if _, err := os.Stat(b.dir); !os.IsNotExist(err) {
		t.Errorf("its profile is still there: %v", err)
	}
	for end := time.Now().Add(patience); ; {
		left := processesOf(b.dir)
		if len(left) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("its processes are still there: %v", left)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// processesOf lists the processes that name dir on their command line.
func processesOf(dir string) (out []int) {
	list, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range list {
		if raw, err := os.ReadFile(f); err == nil && strings.Contains(string(raw), dir) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
			out = append(out, pid)
		}
	}
	return out
}
