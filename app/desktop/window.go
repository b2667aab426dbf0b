//go:build desktop && linux && cgo

package desktop

// #include <stdlib.h>
// #include "view.h"
import "C"

import (
	"context"
	"fmt"
	"runtime/cgo"
	"sync"
	"time"
	"unsafe"
)

// window is the Window of the process.
type window struct {
	view   *C.WebKitWebView // set before seal is settled, on the GTK thread
	seal   SealReport       // likewise
	quit   func()
	closed chan struct{} // the main loop is over
	once   sync.Once
}

//export lineupRun
func lineupRun(token C.uintptr_t) {
	handle := cgo.Handle(token)
	call := handle.Value().(func())
	handle.Delete()
	call()
}

// onGTK runs call on the GTK thread and waits for it, but not longer than ctx
// and not after the window is closed.
func (w *window) onGTK(ctx context.Context, call func()) error {
	done := make(chan struct{})
	C.lineup_on_gtk(C.uintptr_t(cgo.NewHandle(func() {
		defer close(done)
		if ctx.Err() == nil {
			call()
		}
	})))
	select {
	case <-done:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	case <-w.closed:
		return ErrClosed
	}
}

// post runs call on the GTK thread some time soon, if a view was found.
func (w *window) post(call func()) {
	C.lineup_on_gtk(C.uintptr_t(cgo.NewHandle(func() {
		if w.view != nil {
			call()
		}
	})))
}

func (w *window) SetClipboardText(ctx context.Context, text string) error {
	return w.onGTK(ctx, func() {
		raw := C.CString(text)
		defer C.free(unsafe.Pointer(raw))
		C.lineup_set_clipboard(raw, C.int(len(text)))
	})
}

func (w *window) AllowFileChooser() {
	w.post(func() { C.lineup_allow_chooser(C.g_get_monotonic_time() + C.gint64((5 * time.Second).Microseconds())) })
}

func (w *window) Show()  { w.post(func() { C.lineup_window_show(w.view, 0) }) }
func (w *window) Raise() { w.post(func() { C.lineup_window_show(w.view, 1) }) }
func (w *window) Hide()  { w.post(func() { C.lineup_window_hide(w.view) }) }
func (w *window) Quit()  { w.once.Do(w.quit) }

func (w *window) ReloadPage() {
	w.post(func() {
		url := C.CString(PageURL)
		defer C.free(unsafe.Pointer(url))
		C.webkit_web_view_load_uri(w.view, url)
	})
}

func (w *window) TerminateWebProcess() {
	w.post(func() { C.webkit_web_view_terminate_web_process(w.view) })
}

func (w *window) Engine() string { return EngineVersion() }

func (w *window) Sealed() (bool, string) { return w.seal.OK(), w.seal.Why() }

func (w *window) Seal() SealReport { return w.seal }

// EngineVersion is the name and version of the web view that this process runs,
// without opening a window.
func EngineVersion() string {
	return fmt.Sprintf("WebKitGTK %d.%d.%d", uint(C.webkit_get_major_version()), uint(C.webkit_get_minor_version()), uint(C.webkit_get_micro_version()))
}
