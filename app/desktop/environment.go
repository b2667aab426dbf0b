//go:build desktop && linux && cgo

package desktop

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// program is the name the window manager and the web view's folders go by.
const program = "lineup"

// startMark is in the data folder from the start of a window until its page is
// up; one that is found at the start tells that the last start failed.
const startMark = "window-starting"

// prepareEnvironment sets, before GTK starts, what the web view reads from the
// environment (UX.md §6). A variable that the user set is left alone.
func prepareEnvironment(o Options) {
	unset := func(name string) bool { _, set := os.LookupEnv(name); return !set }
	if unset("WEBKIT_DISABLE_DMABUF_RENDERER") && (o.SafeMode || isNvidia() || lastStartFailed(o.DataDir)) {
		os.Setenv("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
	}
	if unset("WEBKIT_DISABLE_COMPOSITING_MODE") && o.SafeMode {
		os.Setenv("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
	}
	// As Wails does it, which comes too late: GTK is started before Wails is.
	if session := os.Getenv("XDG_SESSION_TYPE"); unset("GDK_BACKEND") && (session == "" || session == "unspecified" || session == "x11") {
		os.Setenv("GDK_BACKEND", "x11")
	}
}

func isNvidia() bool {
	_, err := os.Stat("/proc/driver/nvidia/version")
	return err == nil
}

func lastStartFailed(dataDir string) bool {
	_, err := os.Stat(filepath.Join(dataDir, startMark))
	return err == nil
}

func markStart(dataDir string) {
	// Not being able to leave the mark costs nothing but the fallback.
	_ = os.WriteFile(filepath.Join(dataDir, startMark), nil, 0o600)
}

func clearStart(dataDir string) {
	_ = os.Remove(filepath.Join(dataDir, startMark))
}

// webDirs are the parents of the folders where the web view keeps its files,
// each in a sub-folder "lineup"; "" leaves it to XDG.
func webDirs(dataDir string) (data, cache string) {
	if filepath.Clean(dataDir) == filepath.Join(xdg.DataHome, program) {
		return "", "" // XDG leads to this very folder
	}
	return filepath.Join(dataDir, "webview"), filepath.Join(dataDir, "webview", "cache")
}
