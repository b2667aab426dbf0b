//go:build desktop && linux && cgo && lineup_driver

package desktop

import (
	"bytes"
	"encoding/json"
	"image/png"
	"strings"
	"testing"
)

// TestWindow is what a user and the host's page rely on, in one real window.
func TestWindow(t *testing.T) {
	s := newStage(t)

	t.Run("the page is served as it was written, with its CSP", func(t *testing.T) {
		got := s.eval("return [document.scripts.length, window.inline === undefined, typeof window.wails, typeof window.webkit, location.href, origin]")
		if want := `[2,true,"undefined","undefined","wails://wails/","wails://wails"]`; sealed && got != want {
			t.Errorf("%s, expected %s", got, want)
		}
	})
	t.Run("the UI socket is reached and sees the page's origin", func(t *testing.T) {
		got := s.eval("return await new Promise(r => { const w = new WebSocket('ws://" + s.ui + "/ui'); w.onmessage = e => r(e.data); w.onerror = () => r('refused') })")
		if got != `"wails://wails"` {
			t.Error(got)
		}
	})
	t.Run("a nil pointer in a handler does not end the program", func(t *testing.T) {
		if got := s.eval("return (await fetch('/nil')).text()"); got != `"recovered: true"` {
			t.Error(got)
		}
	})
	t.Run("text is put on the clipboard", func(t *testing.T) {
		s.ask("POST", "/clipboard", map[string]string{"text": "hello 你好 👩‍👩‍👧"})
		var got struct{ Text string }
		if err := json.Unmarshal(s.ask("GET", "/clipboard", nil), &got); err != nil || got.Text != "hello 你好 👩‍👩‍👧" {
			t.Errorf("%q %v", got.Text, err)
		}
	})
	t.Run("a click reaches a button inside a frame", func(t *testing.T) {
		s.mount(`<button style="position:fixed;left:20px;top:20px;width:200px;height:100px">b</button><script>document.querySelector('button').onclick = e => parent.postMessage(e.isTrusted, '*'); parent.postMessage('up', '*')</script>`)
		s.until("the frame is up", "heard.includes('up')")
		s.ask("POST", "/click", map[string]int{"x": 100, "y": 60})
		s.until("the click arrived", "heard.includes(true)")
	})
	t.Run("keys reach the page", func(t *testing.T) {
		s.eval("document.querySelectorAll('iframe').forEach(f => f.remove()); const i = document.createElement('textarea'); document.body.append(i); i.focus()")
		s.ask("POST", "/type", map[string]string{"text": "ab c"})
		s.ask("POST", "/key", map[string]any{"key": "Return"})
		s.until("the keys arrived", `document.querySelector('textarea').value === 'ab c\n'`)
	})
	t.Run("the page can be looked at", func(t *testing.T) {
		if picture, err := png.Decode(bytes.NewReader(s.ask("GET", "/screenshot", nil))); err != nil || picture.Bounds().Dx() < 400 {
			t.Errorf("%v", err)
		}
	})
	t.Run("the page comes back when its process ends, sealed as before", func(t *testing.T) {
		s.eval("window.old = true")
		s.ask("POST", "/kill-web-process", nil)
		if reason := s.printed("gone"); reason != "ended" {
			t.Errorf("reason %q", reason)
		}
		s.until("the page is back", "window.heard !== undefined && window.old === undefined")
		if got := s.eval("return typeof (window.webkit && window.webkit.messageHandlers)"); sealed && got != `"undefined"` {
			t.Error("Wails' channel came back")
		}
	})
	t.Run("a reload starts the page anew", func(t *testing.T) {
		s.eval("window.old = true")
		s.ask("POST", "/reload", nil)
		s.until("the page is new", "window.heard !== undefined && window.old === undefined")
	})
	t.Run("the window closes when its context ends", func(t *testing.T) {
		s.stop()
		if got := s.printed("returned"); !strings.Contains(got, "nil") {
			t.Errorf("Run returned %s", got)
		}
	})
}
