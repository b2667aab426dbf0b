//go:build desktop && linux && cgo && !lineup_driver

package desktop

// Without the test-only driver nothing outside the process reaches the window.

func startDriver(*window) {}

func noteMessage(string) {}
