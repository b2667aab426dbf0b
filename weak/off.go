//go:build !lineup_weak

package weak

// The switches, by the wall they would take away. On lists none of them.
const (
	Channel = false // Wails' message handler is unregistered
	Links   = false // preconnect, dns-prefetch, prefetch and preload are off in the web view
	Proxy   = false // the web view's network leads nowhere
	Guard   = false // navigation, windows, downloads, dialogs and permissions of the web view

	PageFrameSrc = false // the page's frame-src names one origin
	OneTimeURL   = false // a frame's address is good for one load
	HostCheck    = false // the Host header of the UI socket
	OriginCheck  = false // the Origin header of the UI socket
	Ticket       = false // the UI socket's ticket or token

	FrameCSP     = false // the CSP header of a frame's document, its sandbox apart
	FrameSandbox = false // the sandbox in that header
	FrameHeaders = false // its other headers

	UplinkShape = false // fields, keys, depth and namespace of what a frame says
	EventName   = false // the names of its events
	EventData   = false // that their data is an object
	EventSize   = false // and smaller than 16 KiB
	CloseEvent  = false // close is the host's alone
	Declared    = false // only events that the app declares
	Rate        = false // 60 events a second

	Verdict = false // surfaces are shown only where the start-up probe held
)
