//go:build desktop && linux && cgo

package desktop

// #include <stdlib.h>
// #include "view.h"
import "C"

import (
	"fmt"
	"syscall"
	"unsafe"

	"lineup/weak"
)

// sealView builds the walls around the web view. It runs on the GTK thread,
// before the first document.
func (w *window) sealView(o Options, proxy string) {
	w.seal = SealReport{FeaturesOff: []string{}, FeaturesAbsent: []string{}}
	w.view = C.lineup_find_view()
	if w.view == nil {
		w.seal.Problem = "the window does not hold exactly one web view"
		return
	}
	C.lineup_watch_process(w.view)

	var strings cStrings
	defer strings.free()
	var seal C.lineup_seal
	if !weak.Channel {
		C.lineup_close_channel(w.view, &seal)
	}
	if !weak.Links {
		C.lineup_links(w.view, &seal)
	}
	C.lineup_settings(w.view)
	if !weak.Proxy {
		C.lineup_dead_network(w.view, strings.one(proxy), strings.list(o.UIAddr, o.SurfaceAddr), &seal)
	}
	if !weak.Guard {
		C.lineup_guard(w.view, strings.one("http://"+o.SurfaceAddr), &seal)
	}
	C.lineup_watch_channel(w.view)
	C.lineup_fix_signals()

	w.seal.Tried = true
	w.seal.HandlerRemoved = seal.handler_removed != 0
	w.seal.ProxyDead = seal.proxy_dead != 0
	w.seal.Guarded = seal.guarded != 0
	for i := range int(seal.off_count) {
		w.seal.FeaturesOff = append(w.seal.FeaturesOff, C.GoString(seal.off[i]))
	}
	for i := range int(seal.absent_count) {
		w.seal.FeaturesAbsent = append(w.seal.FeaturesAbsent, C.GoString(seal.absent[i]))
	}
}

// deadAddress takes a loopback port that nothing listens on and that nothing
// else can take while the process lives.
func deadAddress() (string, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", fmt.Errorf("taking a dead port: %w", err)
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		syscall.Close(fd)
		return "", fmt.Errorf("taking a dead port: %w", err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		syscall.Close(fd)
		return "", fmt.Errorf("taking a dead port: %w", err)
	}
	// The descriptor stays open on purpose: it is what keeps the port dead.
	return fmt.Sprintf("127.0.0.1:%d", name.(*syscall.SockaddrInet4).Port), nil
}

// cStrings are C strings that are freed together.
type cStrings []unsafe.Pointer

func (s *cStrings) one(text string) *C.char {
	raw := C.CString(text)
	*s = append(*s, unsafe.Pointer(raw))
	return raw
}

// list is a NULL-terminated array.
func (s *cStrings) list(texts ...string) **C.char {
	raw := C.calloc(C.size_t(len(texts)+1), C.size_t(unsafe.Sizeof(uintptr(0))))
	*s = append(*s, raw)
	array := unsafe.Slice((**C.char)(raw), len(texts)+1)
	for i, text := range texts {
		array[i] = s.one(text)
	}
	return (**C.char)(raw)
}

func (s *cStrings) free() {
	for _, raw := range *s {
		C.free(raw)
	}
}
