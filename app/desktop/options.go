package desktop

import (
	"context"
	"errors"
	"net/http"
)

var (
	// ErrNoWindow says that this binary was built without the desktop tags.
	ErrNoWindow = errors.New("no window in this build: it was made without the tags desktop,production,webkit2_41; use `lineup web`")
	// ErrNoDisplay says that GTK could not open a display.
	ErrNoDisplay = errors.New("no display: the window needs DISPLAY or WAYLAND_DISPLAY; use `lineup web`")
	// ErrClosed is returned by methods of Window once the window is gone.
	ErrClosed = errors.New("the window is closed")
)

// PageURL is the address of the host page inside the window, and the only one
// its main frame may show.
const PageURL = "wails://wails/"

// Options describe the one window of the process.
type Options struct {
	Title  string       // "" means "LineUp"
	Width  int          // pixels; 0 means 1200
	Height int          // pixels; 0 means 800
	Page   http.Handler // serves wails://wails/… : the host page with its CSP header, and /session.json

	// UIAddr and SurfaceAddr are "127.0.0.1:PORT" of the UI socket and of the
	// surface origin: the only two addresses the web view may connect to.
	UIAddr      string
	SurfaceAddr string

	// DataDir is where the web view keeps its own files (a sub-folder of it).
	// "" means the XDG directories of the user.
	DataDir string

	StartHidden bool // created but not shown until Window.Show
	Dark        bool // colour of the empty window before the page has painted

	// GPU says when the web view may use the graphics card. The zero value is
	// GPUAuto. SafeMode switches compositing off altogether.
	GPU      GPUPolicy
	SafeMode bool

	// OnReady is called once, after sealing was tried. The page is not served
	// before it returns, so it must not wait for anything the page does.
	OnReady func(Window)
	// OnWebProcessGone is called, on its own goroutine, each time the web process
	// ended. The page is being loaded again already. Reason is one of "crashed",
	// "memory" (it took more than a quarter of the machine's, at least 1 GiB and at
	// most 2) and "ended" (TerminateWebProcess).
	OnWebProcessGone func(reason string)
	// OnMessage is called with each message that came out of the web view over
	// Wails' own channel. In a sealed view there is none: it is a canary.
	OnMessage func(message string)
}

// GPUPolicy says when the web view may use the graphics card.
type GPUPolicy int

const (
	// GPUAuto uses it when the page's content asks for it.
	GPUAuto GPUPolicy = iota
	// GPUNever draws on the processor only.
	GPUNever
	// GPUAlways uses it from the start.
	GPUAlways
)

// Window is the running window.
type Window interface {
	// SetClipboardText puts text on the clipboard and returns when the window
	// owns it. It waits for the GTK thread until ctx ends.
	SetClipboardText(ctx context.Context, text string) error
	// AllowFileChooser lets the next file chooser of the page open, within five
	// seconds. Without it a chooser is cancelled: the web view cannot tell which
	// frame asked, so the page says beforehand that it was the page.
	AllowFileChooser()
	Show()
	Raise() // shows the window and asks the window manager for attention
	Hide()
	Quit()
	// ReloadPage loads the host page from the start.
	ReloadPage()
	// TerminateWebProcess ends the web process, hung or not. The page is loaded
	// again in a fresh one; OnWebProcessGone says "ended".
	TerminateWebProcess()
	// Engine is the web view's name and version, such as "WebKitGTK 2.50.6".
	Engine() string
	// Sealed says whether surfaces can be contained by this view and, if not,
	// why (English, for `lineup doctor`).
	Sealed() (bool, string)
	// Seal is the full report behind Sealed.
	Seal() SealReport
}

// SealReport says what was done to the web view before the first document.
// Surfaces may be shown only if OK; the start-up probe has the last word.
type SealReport struct {
	Tried          bool     `json:"tried"`           // the view was found before its first document
	HandlerRemoved bool     `json:"handler_removed"` // Wails' script message handler is unregistered and its listeners are gone
	ProxyDead      bool     `json:"proxy_dead"`      // all but the two loopback addresses go to a proxy that is not there
	FeaturesOff    []string `json:"features_off"`    // link features that were switched off
	FeaturesAbsent []string `json:"features_absent"` // link features this web view does not have
	Guarded        bool     `json:"guarded"`         // navigation, new windows, downloads and permissions are refused
	Problem        string   `json:"problem,omitempty"`
}

// OK says that every wall stands.
func (r SealReport) OK() bool {
	return r.Tried && r.HandlerRemoved && r.ProxyDead && r.Guarded && r.Problem == ""
}

// Why names the first wall that is missing; "" when OK.
func (r SealReport) Why() string {
	switch {
	case r.OK():
		return ""
	case r.Problem != "":
		return r.Problem
	case !r.Tried:
		return "the web view was left unsealed"
	case !r.HandlerRemoved:
		return "Wails' message handler is still registered"
	case !r.ProxyDead:
		return "the web view may use the network"
	default:
		return "navigation of the web view is not guarded"
	}
}
