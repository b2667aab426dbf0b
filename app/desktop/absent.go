//go:build !(desktop && linux && cgo)

package desktop

import "context"

// Available says whether this binary can open a window.
func Available() bool { return false }

// Run returns ErrNoWindow: this build has no window.
func Run(context.Context, Options) error { return ErrNoWindow }

// EngineVersion is "": this build has no web view.
func EngineVersion() string { return "" }
