package preview

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"lineup/app/envelope"
	"lineup/surface"
)

func TestOpensAndFollows(t *testing.T) {
	f := folder(t)
	p := start(t, f.dir, nil)
	if o := p.open(); o.InstanceID != string(InstanceID) || o.App.ID != "com.example.a" || string(o.State) != `{"n":1}` {
		t.Fatalf("opened %+v", o)
	}

	// The state editor changes the state by a patch.
	state, problems := p.a.CheckState(`{"n": 2, "x": null}`, "en")
	if len(problems) != 0 {
		t.Fatal(problems)
	}
	p.a.SetState(string(InstanceID), nil, state)
	patch := payloadOf[envelope.UIPatch](p, envelope.TypeUIPatch)
	if next, err := surface.JSONPatch([]byte(`{"n":1}`), patch.JSONPatch); err != nil || string(next) != `{"n":2,"x":null}` {
		t.Fatalf("%s gives %s, %v", patch.JSONPatch, next, err)
	}

	// A save replaces the surface and keeps the state.
	f.save("style.css", "p { color: red }")
	if o := p.open(); o.App.CSS != "p { color: red }" || string(o.State) != `{"n":2,"x":null}` {
		t.Fatalf("after a save: %+v", o)
	}

	// A broken save shows what is wrong and changes nothing.
	f.save("script.js", "let a = ;")
	p.until("the finding", func() bool { return p.a.View("en").Broken })
	v := p.a.View("zh-CN")
	if len(v.Findings) != 1 || v.Findings[0].File != "script.js" || v.Findings[0].Line != 1 || v.Findings[0].Column != 9 ||
		!strings.HasPrefix(v.Findings[0].What, "脚本完全无法运行") || v.Findings[0].Fix == "" || !v.Shown {
		t.Fatalf("%+v", v)
	}

	// Mended to something else, it is shown, still with the state. The first
	// envelope since the last save is this one: nothing was sent for the broken.
	f.save("script.js", "LineUpSurface.onState(() => {});")
	if o := p.open(); !strings.Contains(o.App.JS, "() => {}") || string(o.State) != `{"n":2,"x":null}` {
		t.Fatalf("mended: %+v", o)
	}
	p.until("no finding", func() bool { return !p.a.View("en").Broken })

	// Another first state is what the author wants to see.
	f.save("surface.json", `{"id":"com.example.a","name":"A","version":"1.0.0","state":{"n":7}}`)
	if o := p.open(); string(o.State) != `{"n":7}` {
		t.Fatalf("another first state: %s", o.State)
	}
}

func TestBrokenAtTheStart(t *testing.T) {
	dir := t.TempDir()
	p := start(t, dir, nil)
	v := p.a.View("en")
	if !v.Broken || v.Shown || len(v.Findings) != 1 || v.Findings[0].File != "surface.json" {
		t.Fatalf("%+v", v)
	}
	f := files{t, dir}
	f.save("index.html", "<p>")
	f.save("surface.json", `{"id":"com.example.a","name":"A","version":"1.0.0"}`)
	if o := p.open(); o.App.HTML != "<p>" {
		t.Fatalf("%+v", o)
	}
}

func TestFolderMadeAgain(t *testing.T) {
	f := folder(t)
	p := start(t, f.dir, nil)
	p.open()
	if err := os.RemoveAll(f.dir); err != nil {
		t.Fatal(err)
	}
	p.until("the folder is missed", func() bool { return p.a.View("en").Broken })
	if err := os.Mkdir(f.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	f.save("index.html", "<p>again")
	f.save("surface.json", `{"id":"com.example.a","name":"A","version":"1.0.0"}`)
	if o := p.open(); o.App.HTML != "<p>again" {
		t.Fatalf("%+v", o)
	}
}

func TestPackedFile(t *testing.T) {
	b, err := loadFolder(folder(t).dir)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := surface.PackBundle(b)
	if err != nil {
		t.Fatal(err)
	}
	f := files{t, t.TempDir()}
	f.save("bundle.json", string(raw))
	f.save("other.json", "{}")
	p := start(t, filepath.Join(f.dir, "bundle.json"), nil)
	if o := p.open(); o.App.Integrity != b.Integrity || string(o.State) != `{"n":1}` {
		t.Fatalf("%+v", o)
	}
	f.save("bundle.json", strings.Replace(string(raw), "com.example.a", "a", 1))
	p.until("the finding", func() bool { return p.a.View("en").Broken })
	if x := p.a.View("en").Findings[0]; x.File != "bundle.json" || x.Line != 2 {
		t.Fatalf("%+v", x)
	}
}

func TestEventsAndReconnect(t *testing.T) {
	p := start(t, folder(t).dir, nil)
	first := p.next()
	event := envelope.UIEvent{InstanceID: string(InstanceID), Event: "refresh", Data: json.RawMessage(`{"a":1}`)}
	p.say("conv_1", envelope.TypeUIEvent, event)
	has := func(what, text string) func() bool {
		return func() bool {
			for _, e := range p.a.Log(0) {
				if e.What == what && e.Text == text && e.Dir == dirUp && e.Size == len(text) {
					return true
				}
			}
			return false
		}
	}
	p.until("the event is in the log", has("event refresh", `{"a":1}`))

	// A broken connection: what the host has is not sent again, what it has not is.
	p.conn.Close()
	p.a.SetState(string(InstanceID), nil, json.RawMessage(`{"n":3}`))
	p.dial(envelope.ResumePoint{ConversationID: "conv_1", LastID: string(first.ID)})
	if e := p.next(); e.Type != envelope.TypeUIPatch {
		t.Fatalf("after the break: %s", e.Type)
	}

	// A new conversation begins with the first state.
	p.h.Fresh()
	if e := p.next(); e.ConversationID != "conv_2" || !strings.Contains(string(e.Payload), `"n":1`) {
		t.Fatalf("%s %s", e.ConversationID, e.Payload)
	}
	// The old one's late words are nobody's.
	seq := p.a.View("en").LogSeq
	p.say("conv_1", envelope.TypeUIEvent, event)
	p.say("conv_2", envelope.TypeUIEvent, envelope.UIEvent{InstanceID: string(InstanceID), Event: "close", Data: json.RawMessage(`{}`)})
	p.until("the close is in the log", func() bool { return p.a.View("en").LogSeq > seq })
	if list := p.a.Log(seq); len(list) != 1 || list[0].What != "event close" {
		t.Fatalf("%+v", list)
	}
	// Closed by the user, the state editor opens it again.
	p.a.SetState(string(InstanceID), nil, json.RawMessage(`{"n":4}`))
	if o := p.open(); string(o.State) != `{"n":4}` {
		t.Fatalf("%s", o.State)
	}
}

func TestOnlyItsOwnHost(t *testing.T) {
	p := start(t, folder(t).dir, nil)
	for name, h := range map[string]http.Header{
		"no token":    {},
		"a wrong one": {"Authorization": {"Bearer x"}},
		"a web page":  {"Authorization": {"Bearer " + p.a.Token()}, "Origin": {"http://e.example"}},
	} {
		d := websocket.Dialer{Subprotocols: []string{subprotocol}}
		if conn, _, err := d.Dial(p.a.URL(), h); err == nil {
			conn.Close()
			t.Errorf("%s: was let in", name)
		}
	}
}

func TestPatches(t *testing.T) {
	for _, c := range [][2]string{
		{`{}`, `{}`}, {`{"a":1,"b":2}`, `{"b":2,"c":null}`}, {`{"a/b~c":1}`, `{"a/b~c":{"x":null}}`}, {``, `{"a":[1,null]}`},
	} {
		state := json.RawMessage(orObject(json.RawMessage(c[0])))
		for _, ops := range patches(json.RawMessage(c[0]), json.RawMessage(c[1])) {
			var err error
			if state, err = surface.JSONPatch(state, ops); err != nil {
				t.Fatalf("%s → %s: %v", c[0], c[1], err)
			}
		}
		if string(state) != c[1] {
			t.Errorf("%s → %s gives %s", c[0], c[1], state)
		}
	}
	many := map[string]int{}
	for i := range surface.MaxOps + 1 {
		many["k"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+strings.Repeat("y", i/26)] = i
	}
	raw, _ := json.Marshal(many)
	if n := len(patches(nil, raw)); n != 2 {
		t.Errorf("%d members make %d patches", len(many), n)
	}
}
