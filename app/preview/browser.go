package preview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// BrowserEnv names a Chromium, for systems where it is not on the PATH.
const BrowserEnv = "LINEUP_CHROMIUM"

// Why a browser does not run.
var (
	ErrNoBrowser    = errors.New("preview: no Chromium was found")
	ErrRoot         = errors.New("preview: Chromium has no sandbox of its own as root")
	ErrBrowserEnded = errors.New("preview: Chromium ended by itself")
)

// FindBrowser gives the path of a Chromium: of the environment, else on the PATH.
func FindBrowser() (string, error) {
	if named := os.Getenv(BrowserEnv); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("%w: %s: %w", ErrNoBrowser, BrowserEnv, err)
		}
		return path, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoBrowser
}

// Browser is a Chromium without a window that shows one page.
type Browser struct {
	cmd  *exec.Cmd
	dir  string
	said *tail
	done chan struct{} // closed when it has ended
}

// OpenBrowser starts one on url. noSandbox is the user's explicit word that it
// may run without Chromium's own sandbox, which it cannot have as root.
func OpenBrowser(path, url string, noSandbox bool) (*Browser, error) {
	if os.Geteuid() == 0 && !noSandbox {
		return nil, ErrRoot
	}
	dir, err := os.MkdirTemp("", "lineup-c-") // short: there is a socket in it
	if err != nil {
		return nil, err
	}
	args := []string{"--headless=new", "--user-data-dir=" + filepath.Join(dir, "profile"), "--window-size=1280,900",
		"--disable-gpu", "--mute-audio", "--no-first-run", "--no-default-browser-check", "--disable-extensions",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
		"--disable-breakpad", "--disable-dev-shm-usage", "--force-color-profile=srgb"}
	if noSandbox {
		args = append(args, "--no-sandbox")
	}
	b := &Browser{cmd: exec.Command(path, append(args, url)...), dir: dir, said: &tail{}, done: make(chan struct{})}
	b.cmd.Env = browserEnv(os.Environ(), dir)
	b.cmd.Dir = dir
	b.cmd.Stderr = b.said
	// What a child of its own keeps open must not make us wait.
	b.cmd.WaitDelay = time.Second
	ownGroup(b.cmd)
	if err := b.cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrNoBrowser, err), os.RemoveAll(dir))
	}
	go func() {
		_ = b.cmd.Wait()
		close(b.done)
	}()
	return b, nil
}

// Ended is closed when the browser ended, whoever ended it.
func (b *Browser) Ended() <-chan struct{} { return b.done }

// Said is the end of what it wrote to its standard error.
func (b *Browser) Said() string { return b.said.String() }

// Close ends the browser with all its processes and removes its profile.
func (b *Browser) Close(ctx context.Context) {
	killGroup(b.cmd)
	<-b.done
	for {
		// Processes of the group may still be writing for a moment.
		if os.RemoveAll(b.dir) == nil || ctx.Err() != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// browserEnv is what a browser needs, with a home that is thrown away: ended as
// it is, it leaves its temporary files behind.
func browserEnv(all []string, dir string) []string {
	out := []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_CACHE_HOME=" + dir, "TMPDIR=" + dir, "TEMP=" + dir, "TMP=" + dir}
	for _, kv := range all {
		k, _, _ := strings.Cut(kv, "=")
		switch strings.ToUpper(k) {
		case "PATH", "TZ", "SYSTEMROOT", "PATHEXT", "FONTCONFIG_PATH", "FONTCONFIG_FILE", "LD_LIBRARY_PATH":
			out = append(out, kv)
		}
	}
	return append(out, "LANG=C.UTF-8")
}

// tail keeps the last lines that were written.
type tail struct {
	mu sync.Mutex
	b  []byte
}

const maxTail = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if len(t.b) > 2*maxTail {
		t.b = append(t.b[:0], t.b[len(t.b)-maxTail:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(bytes.TrimSpace(t.b[max(0, len(t.b)-maxTail):])), "\uFFFD")
}
