// Package desktop is the window: one Wails web view that shows the host page,
// sealed so that no frame in it can reach Go (SANDBOX.md §1–3). It is the only
// package that imports Wails.
//
// Who may call: package app, once a process. Run must be called on the main
// goroutine; it blocks until the window is closed, Window.Quit is called or the
// context ends. Methods of Window may be called from any goroutine until Run
// returns; afterwards they do nothing (SetClipboardText returns an error).
//
// Order: the web view exists → it is sealed → Options.Page is served for the
// first time → OnReady. Until sealing has been tried no request of the page is
// answered, so no document ever lives in an unsealed view. When sealing failed
// the page is served all the same (chat is host-rendered text), Window.Sealed
// reports false, and the caller must show no surface.
//
// No Wails bindings and no Wails events are used. The page talks to Go over the
// loopback UI socket as it does in a browser.
//
// Build tags: desktop,production,webkit2_41 build the window (cgo, Linux).
// Without them Available is false and Run returns ErrNoWindow. Two further tags
// are for tests only and no shipped binary has them: with lineup_weak single walls
// can be left out (package weak), so that the hostile tests can be seen to fail;
// lineup_driver opens a loopback port through which a test drives the page.
//
// A nil Page, or an empty SurfaceAddr or UIAddr, is refused by Run.
package desktop
