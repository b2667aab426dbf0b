//go:build desktop && linux && cgo && lineup_driver

package desktop

// #include <stdlib.h>
// #include "driver_linux.h"
import "C"

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"unicode/utf8"
	"unsafe"
)

// The driver is for tests only: a loopback HTTP server through which a test
// plays the user of the real window. Its address is printed on stdout as
// {"driver":"http://127.0.0.1:PORT"}.
//
//	POST /eval {"js": body}          the body of an async function in the page → {"value": …} or {"error": "…"}
//	POST /eval {"expr": expression}  the same for one expression
//	POST /click {"x","y"}            a real click, in CSS pixels of the page; reaches frames
//	POST /key {"key","ctrl","shift","alt"}  a real key by its GDK name: "Return", "a", "Escape"
//	POST /type {"text"}              a real key for each character
//	POST /reload, /kill-web-process, /quit
//	GET  /screenshot                 PNG of the page
//	GET  /messages                   each message that came over Wails' channel
//	GET  /clipboard                  {"text"}: what is on the clipboard
//	POST /clipboard {"text"}         puts it there, as Window.SetClipboardText does
//	GET  /seal                       SealReport
//	GET  /windows                    how many windows, menus and dialogs are to be seen
//	POST /script {"js"}              runs first in the page, not in its frames, from the next load on
type driver struct{ w *window }

type driverAnswer struct {
	ok   bool
	data []byte
}

// asked are the questions that wait for an answer from the GTK thread.
var asked = struct {
	sync.Mutex
	last    uintptr
	waiting map[uintptr]chan driverAnswer
}{waiting: map[uintptr]chan driverAnswer{}}

var driverMessages struct {
	sync.Mutex
	list []string
}

func noteMessage(message string) {
	driverMessages.Lock()
	defer driverMessages.Unlock()
	if len(driverMessages.list) < 10000 {
		driverMessages.list = append(driverMessages.list, message)
	}
}

func startDriver(w *window) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic("test driver: " + err.Error())
	}
	d := &driver{w}
	w.post(func() {
		C.lineup_driver_watch(w.view)
		C.lineup_driver_frames(w.view)
	})
	mux := http.NewServeMux()
	mux.HandleFunc("POST /eval", d.eval)
	mux.HandleFunc("POST /click", d.click)
	mux.HandleFunc("POST /key", d.key)
	mux.HandleFunc("POST /type", d.typeText)
	mux.HandleFunc("POST /reload", func(http.ResponseWriter, *http.Request) { w.ReloadPage() })
	mux.HandleFunc("POST /kill-web-process", func(http.ResponseWriter, *http.Request) { w.TerminateWebProcess() })
	mux.HandleFunc("POST /quit", func(http.ResponseWriter, *http.Request) { w.Quit() })
	mux.HandleFunc("GET /screenshot", d.screenshot)
	mux.HandleFunc("GET /messages", func(rw http.ResponseWriter, _ *http.Request) {
		driverMessages.Lock()
		defer driverMessages.Unlock()
		reply(rw, append([]string{}, driverMessages.list...))
	})
	mux.HandleFunc("GET /clipboard", d.readClipboard)
	mux.HandleFunc("POST /clipboard", d.writeClipboard)
	mux.HandleFunc("GET /seal", func(rw http.ResponseWriter, _ *http.Request) { reply(rw, w.Seal()) })
	mux.HandleFunc("GET /windows", d.windows)
	mux.HandleFunc("POST /script", d.script)
	go func() { _ = http.Serve(listener, mux) }()
	line, _ := json.Marshal(map[string]string{"driver": "http://" + listener.Addr().String()})
	fmt.Fprintln(os.Stdout, string(line))
}

//export lineupDriverAnswer
func lineupDriverAnswer(token C.uintptr_t, ok C.int, data *C.char, length C.int) {
	settle(uintptr(token), driverAnswer{ok != 0, C.GoBytes(unsafe.Pointer(data), length)})
}

// lineupDriverReplaced answers for scripts of the page that is gone: WebKit
// itself does so only when it collects their garbage.
//
//export lineupDriverReplaced
func lineupDriverReplaced() {
	asked.Lock()
	var tokens []uintptr
	for token := range asked.waiting {
		tokens = append(tokens, token)
	}
	asked.Unlock()
	for _, token := range tokens {
		settle(token, driverAnswer{data: []byte("the page was replaced")})
	}
}

// settle gives the first answer to a question; a later one is dropped.
func settle(token uintptr, answer driverAnswer) {
	asked.Lock()
	defer asked.Unlock()
	if waiting, found := asked.waiting[token]; found {
		delete(asked.waiting, token)
		waiting <- answer
	}
}

// ask runs start on the GTK thread and waits for the answer to its token.
func (d *driver) ask(ctx context.Context, start func(token C.uintptr_t)) ([]byte, error) {
	answer := make(chan driverAnswer, 1)
	err := d.w.onGTK(ctx, func() {
		asked.Lock()
		asked.last++
		token := asked.last
		asked.waiting[token] = answer
		asked.Unlock()
		start(C.uintptr_t(token))
	})
	if err != nil {
		return nil, err
	}
	select {
	case a := <-answer:
		if !a.ok {
			return nil, errors.New(string(a.data))
		}
		return a.data, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-d.w.closed:
		return nil, ErrClosed
	}
}

func (d *driver) eval(rw http.ResponseWriter, r *http.Request) {
	var in struct{ JS, Expr string }
	if !read(rw, r, &in) {
		return
	}
	body := in.JS
	if in.Expr != "" {
		body = "return (" + in.Expr + "\n);"
	}
	body = "const value = await (async () => {" + body + "\n})(); return value === undefined ? 'null' : JSON.stringify(value);"
	got, err := d.ask(r.Context(), func(token C.uintptr_t) {
		raw := C.CString(body)
		defer C.free(unsafe.Pointer(raw))
		C.lineup_driver_eval(d.w.view, raw, token)
	})
	if err != nil {
		reply(rw, map[string]string{"error": err.Error()})
		return
	}
	reply(rw, map[string]json.RawMessage{"value": got})
}

func (d *driver) click(rw http.ResponseWriter, r *http.Request) {
	var in struct{ X, Y float64 }
	if read(rw, r, &in) {
		d.do(rw, r, func() { C.lineup_driver_click(d.w.view, C.double(in.X), C.double(in.Y)) })
	}
}

func (d *driver) key(rw http.ResponseWriter, r *http.Request) {
	var in struct {
		Key              string
		Ctrl, Shift, Alt bool
	}
	if !read(rw, r, &in) {
		return
	}
	modifiers := 0
	for i, held := range []bool{in.Shift, false, in.Ctrl, in.Alt} { // GDK_SHIFT_MASK, lock, GDK_CONTROL_MASK, GDK_MOD1_MASK
		if held {
			modifiers |= 1 << i
		}
	}
	name := C.CString(in.Key)
	defer C.free(unsafe.Pointer(name))
	value := C.gdk_keyval_from_name(name)
	if value == C.GDK_KEY_VoidSymbol {
		http.Error(rw, "no such key: "+in.Key, http.StatusBadRequest)
		return
	}
	d.do(rw, r, func() { C.lineup_driver_key(d.w.view, value, C.int(modifiers)) })
}

func (d *driver) typeText(rw http.ResponseWriter, r *http.Request) {
	var in struct{ Text string }
	if !read(rw, r, &in) {
		return
	}
	d.do(rw, r, func() {
		for _, char := range in.Text {
			value := C.gdk_unicode_to_keyval(C.guint32(char))
			if char == '\n' {
				value = C.GDK_KEY_Return
			}
			C.lineup_driver_key(d.w.view, value, 0)
		}
	})
}

func (d *driver) screenshot(rw http.ResponseWriter, r *http.Request) {
	png, err := d.ask(r.Context(), func(token C.uintptr_t) { C.lineup_driver_snapshot(d.w.view, token) })
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	rw.Header().Set("Content-Type", "image/png")
	_, _ = rw.Write(png)
}

func (d *driver) readClipboard(rw http.ResponseWriter, r *http.Request) {
	text, err := d.ask(r.Context(), func(token C.uintptr_t) { C.lineup_driver_clipboard(token) })
	if err != nil || !utf8.Valid(text) {
		http.Error(rw, fmt.Sprint("clipboard: ", err), http.StatusInternalServerError)
		return
	}
	reply(rw, map[string]string{"text": string(text)})
}

func (d *driver) writeClipboard(rw http.ResponseWriter, r *http.Request) {
	var in struct{ Text string }
	if !read(rw, r, &in) {
		return
	}
	if err := d.w.SetClipboardText(r.Context(), in.Text); err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
	}
}

func (d *driver) windows(rw http.ResponseWriter, r *http.Request) {
	var count C.int
	if err := d.w.onGTK(r.Context(), func() { count = C.lineup_driver_windows() }); err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	reply(rw, int(count))
}

func (d *driver) script(rw http.ResponseWriter, r *http.Request) {
	var in struct{ JS string }
	if !read(rw, r, &in) {
		return
	}
	d.do(rw, r, func() {
		raw := C.CString(in.JS)
		defer C.free(unsafe.Pointer(raw))
		C.lineup_driver_script(d.w.view, raw)
	})
}

func (d *driver) do(rw http.ResponseWriter, r *http.Request, call func()) {
	if err := d.w.onGTK(r.Context(), call); err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
	}
}

func read(rw http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return false
	}
	return true
}

func reply(rw http.ResponseWriter, value any) {
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(value)
}
