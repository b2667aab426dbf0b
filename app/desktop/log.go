//go:build desktop && linux && cgo

package desktop

import "log/slog"

// wailsLog passes what Wails has to say to slog. Everything below an error is
// debug: Wails logs each asset it serves.
type wailsLog struct{}

func (wailsLog) Print(message string)   { slog.Debug("wails", "message", message) }
func (wailsLog) Trace(message string)   { slog.Debug("wails", "message", message) }
func (wailsLog) Debug(message string)   { slog.Debug("wails", "message", message) }
func (wailsLog) Info(message string)    { slog.Debug("wails", "message", message) }
func (wailsLog) Warning(message string) { slog.Warn("wails", "message", message) }
func (wailsLog) Error(message string)   { slog.Error("wails", "message", message) }
func (wailsLog) Fatal(message string)   { slog.Error("wails", "message", message) }
