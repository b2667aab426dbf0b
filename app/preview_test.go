package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lineup/app/host"
	"lineup/app/preview"
	"lineup/app/uiapi"
)

// startPreview runs the whole host on what is at path.
func startPreview(t *testing.T, path string, speed float64) (*testPage, *testShell) {
	t.Helper()
	source, err := previewSource(config{}, previewFlags{}, path)
	if err != nil {
		t.Fatal(err)
	}
	a, err := preview.Serve(t.Context(), preview.Options{Source: source, Speed: speed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	c, sh := startTuned(t, config{data: t.TempDir(), preview: a, policy: host.PolicyAnySandboxed, dev: true})
	p := dialPage(t, c, "")
	p.probe("")
	return p, sh
}

func write(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

const previewManifest = `{"id":"com.example.a","name":"A","version":"1.0.0","state":{"n":1},"events":["go"]}`

func TestPreview(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "surface.json", previewManifest, "index.html", "<p>", "script.js", "LineUpSurface.onState(() => {})")
	p, _ := startPreview(t, dir, 1)
	if p.preview == nil || p.preview.Kind != "folder" || p.preview.Name != filepath.Base(dir) || !p.snap.DevMode {
		t.Fatalf("%+v", p.preview)
	}
	conv := p.preview.ConversationID
	p.open(conv)
	isOpen := func(it uiapi.Item) bool { return it.Surface.Status == "open" }
	p.until("the surface opens", func() bool { return p.find("surface", isOpen) != nil })
	first := p.find("surface", isOpen)
	frame := p.mount(conv, "preview")
	p.event(frame, "go", `{"x":1}`)
	logged := func(what string) func() bool {
		return func() bool {
			p.mu.Unlock()
			defer p.mu.Lock()
			var list []uiapi.PreviewEntry
			p.must("preview.log", uiapi.PreviewLogParams{}, &list)
			for _, e := range list {
				if e.What == what {
					return true
				}
			}
			return false
		}
	}
	p.until("the event is in the log", logged("event go"))

	// The state editor.
	var st uiapi.PreviewState
	p.must("preview.set_state", uiapi.PreviewStateParams{InstanceID: "preview", Text: `{"n":}`, Apply: true}, &st)
	if st.Applied || len(st.Problems) != 1 || st.Problems[0].Line != 1 || st.Problems[0].Column != 6 {
		t.Fatalf("%+v", st)
	}
	p.must("preview.set_state", uiapi.PreviewStateParams{InstanceID: "preview", Text: `{"n":5}`, Apply: true}, &st)
	p.until("the surface gets it", func() bool {
		last := p.frames[frame][len(p.frames[frame])-1]
		return strings.Contains(last, `"n":5`) || strings.Contains(last, `"value":5`)
	})
	p.must("preview.state", uiapi.PreviewStateParams{InstanceID: "preview"}, &st)
	if st.Text != "{\n  \"n\": 5\n}" {
		t.Fatalf("%q", st.Text)
	}

	// A save replaces it, with the state.
	write(t, dir, "style.css", "p { margin: 0 }")
	p.until("another surface", func() bool { it := p.find("surface", isOpen); return it != nil && it.ID != first.ID })
	frame = p.mount(conv, "preview")
	if got := p.frames[frame][0]; !strings.Contains(got, `"n":5`) {
		t.Fatalf("after the save: %s", got)
	}

	// A broken one is told, in the user's language, and nothing is replaced.
	write(t, dir, "surface.json", "{")
	p.until("the finding", func() bool { return p.preview.Broken })
	if f := p.preview.Findings[0]; f.File != "surface.json" || f.Line != 1 || f.Fix == "" {
		t.Fatalf("%+v", f)
	}
	p.must("settings.set", uiapi.Settings{Theme: "dark", Language: "zh-CN", TextSize: 100}, nil)
	p.until("the words follow", func() bool { return strings.HasPrefix(p.preview.Findings[0].What, "无法读取") })

	// Start again: a new conversation with the first state.
	write(t, dir, "surface.json", previewManifest)
	p.until("mended", func() bool { return !p.preview.Broken })
	p.must("preview.do", uiapi.PreviewDoParams{Action: "restart"}, nil)
	p.until("another conversation", func() bool { return p.preview.ConversationID != conv })
	p.open(p.preview.ConversationID)
	p.until("the surface opens there", func() bool { return p.find("surface", isOpen) != nil })
	frame = p.mount(p.preview.ConversationID, "preview")
	if got := p.frames[frame][0]; !strings.Contains(got, `"n":1`) {
		t.Fatalf("after the restart: %s", got)
	}
	var grants []uiapi.Grant
	p.must("grants.list", struct{}{}, &grants)
	if len(grants) != 0 {
		t.Errorf("grants %+v", grants)
	}
	if err := p.call("preview.do", uiapi.PreviewDoParams{Action: "fly"}, nil); err == nil {
		t.Error("an unknown action is taken")
	}
}

func TestPreviewRecording(t *testing.T) {
	env := func(id, kind, payload string) string {
		return fmt.Sprintf(`{"v":1,"id":%q,"type":"lineup.v1.%s","conversation_id":"c","sender":{"kind":"agent","id":"x"},"payload":%s}`, id, kind, payload) + "\n"
	}
	dir := t.TempDir()
	write(t, dir, "r.jsonl", env("1", "message", `{"text":"hello"}`)+
		env("2", "app.call", `{"call_id":"c1","capability":"clipboard.write","reason":"to show","arguments":{"text":"abc"}}`))
	p, sh := startPreview(t, filepath.Join(dir, "r.jsonl"), 0)
	for range 2 { // the second time it is asked again
		p.until("a conversation", func() bool { return p.preview.ConversationID != "" })
		p.open(p.preview.ConversationID)
		p.until("the message", func() bool {
			return p.find("message", func(it uiapi.Item) bool { return strings.Contains(text(it), "hello") }) != nil
		})
		p.decide("once")
		p.until("it says that nothing was done", func() bool {
			return p.find("call", func(it uiapi.Item) bool { return it.Call.Status == "failed" && it.Call.Code == preview.CodeRehearsed }) != nil
		})
		conv := p.preview.ConversationID
		p.must("preview.do", uiapi.PreviewDoParams{Action: "restart"}, nil)
		p.until("another conversation", func() bool { return p.preview.ConversationID != conv })
	}
	if got := sh.copied(); len(got) != 0 {
		t.Errorf("the clipboard got %q", got)
	}
}

// TestNoPreview: the ordinary host has none of it.
func TestNoPreview(t *testing.T) {
	c, _ := startCore(t, t.TempDir(), "", host.PolicyAsk)
	p := dialPage(t, c, "")
	if p.snap.Preview != nil {
		t.Error("the snapshot has a preview")
	}
	var e *uiapi.Error
	if err := p.call("preview.do", uiapi.PreviewDoParams{Action: "restart"}, nil); !errors.As(err, &e) || e.Code != uiapi.NotFound {
		t.Error(err)
	}
}

func TestPreviewFlags(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		cfg  config
		f    previewFlags
		path string
		want error
	}{
		{config{data: "x"}, previewFlags{}, dir, errPreviewData},
		{config{}, previewFlags{speed: -1}, dir, errPreviewSpeed},
		{config{}, previewFlags{speed: 101}, dir, errPreviewSpeed},
		{config{}, previewFlags{}, filepath.Join(dir, "none"), errPreviewPath},
	} {
		if _, err := previewSource(c.cfg, c.f, c.path); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
