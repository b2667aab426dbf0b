package preview

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"lineup/app/envelope"
	"lineup/surface"
)

func line(id, t, payload string, more ...string) string {
	return fmt.Sprintf(`{"v":1,"id":%q,"type":"lineup.v1.%s","conversation_id":"c","sender":{"kind":"agent","id":"x"},"payload":%s%s}`,
		id, t, payload, strings.Join(more, ""))
}

func TestDecodeRecording(t *testing.T) {
	text := strings.Join([]string{
		line("1", "message", `{"text":"a"}`, `,"created_at":"2026-01-01T00:00:00Z"`), "",
		line("2", "message.delta", `{"message_id":"m","delta":"b"}`),
		line("3", "message", `{"text":"c"}`, `,"created_at":"2026-01-01T00:00:01Z"`),
		strings.Replace(line("4", "message", `{"text":"mine"}`), `"agent"`, `"user"`, 1),
		line("5", "message", `{"text":"d"}`, `,"created_at":"2026-01-01T01:00:01Z"`),
	}, "\n")
	l := decodeRecording("r.jsonl", []byte(text))
	if len(l.Findings) != 0 || l.Skipped != 1 || len(l.Play) != 4 {
		t.Fatalf("%+v", l)
	}
	var waits []string
	for _, r := range l.Play {
		waits = append(waits, fmt.Sprint(r.Line, " ", r.After))
	}
	if got := strings.Join(waits, ", "); got != "1 250ms, 3 40ms, 4 1s, 6 2s" {
		t.Error(got)
	}
}

func TestDecodeRecordingNamesLineAndField(t *testing.T) {
	text := line("1", "message", `{"text":"a"}`) + "\n{\n" + line("2", "choice", `{"prompt":"?","options":[]}`) + "\n"
	l := decodeRecording("r.jsonl", []byte(text))
	if !l.Broken() || len(l.Findings) != 2 || l.Findings[0].Line != 2 || l.Findings[1].Line != 3 ||
		!strings.HasPrefix(l.Findings[1].Detail, "payload.options: expected") {
		t.Fatalf("%+v", l.Findings)
	}
	if l := decodeRecording("r.jsonl", nil); !l.Broken() || l.Findings[0].Code != "nothing_recorded" {
		t.Fatalf("%+v", l.Findings)
	}
	// A bundle in it is looked at, too, and does not break it.
	open := line("1", "ui.open", `{"instance_id":"i","app":{"id":"com.example.a","name":"A","version":"1.0.0","html":"<img src=x.png>"}}`)
	l = decodeRecording("r.jsonl", []byte(open))
	if l.Broken() || len(l.Findings) != 1 || l.Findings[0].File != "r.jsonl:1 index.html" || l.Findings[0].Code != "external_url" {
		t.Fatalf("%+v", l.Findings)
	}
}

func TestPlays(t *testing.T) {
	f := files{t, t.TempDir()}
	f.save("r.jsonl", strings.Join([]string{
		line("1", "message", `{"text":"a"}`),
		line("2", "app.call", `{"call_id":"call","capability":"clipboard.write","reason":"r","arguments":{"text":"x"}}`, `,"reply_to":"1"`),
		line("3", "message", `{"text":"b"}`, `,"reply_to":"host"`),
	}, "\n"))
	p := start(t, filepath.Join(f.dir, "r.jsonl"), func(o *Options) { o.Paused = true })
	step := func(want string) envelope.Envelope {
		t.Helper()
		p.a.Step()
		e := p.next()
		if string(e.Type) != envelope.Prefix+want {
			t.Fatalf("got %s, want %s", e.Type, want)
		}
		return e
	}
	first := step("message")
	call := step("app.call")
	if call.ReplyTo != first.ID || call.Sender != sender || call.ConversationID != "conv_1" {
		t.Fatalf("%+v", call)
	}
	if v := p.a.View("en"); v.Next != 2 || v.Count != 3 || v.Playing {
		t.Fatalf("%+v", v)
	}

	// At once, to the end.
	p.a.SetSpeed(0)
	p.a.Play()
	if e := p.next(); e.ReplyTo != "" || !strings.Contains(string(e.Payload), `"b"`) {
		t.Fatalf("%+v", e)
	}
	p.until("the end", func() bool { v := p.a.View("en"); return v.Next == 3 && !v.Playing })

	p.a.Pause() // else it would play again by itself
	// Again: other ids, and the call is another call.
	p.h.Fresh()
	again := step("message")
	if again.ID == first.ID || again.ConversationID != "conv_2" {
		t.Fatalf("%+v", again)
	}
	a, _ := envelope.Payload[envelope.AppCall](call)
	b, _ := envelope.Payload[envelope.AppCall](step("app.call"))
	if a.CallID == b.CallID || string(b.Arguments) != `{"text":"x"}` {
		t.Fatalf("%+v %+v", a, b)
	}

	// A save plays the new recording from its beginning, in a new conversation.
	f.save("r.jsonl", line("1", "message", `{"text":"new"}`))
	p.until("the new recording", func() bool { return p.a.View("en").Count == 1 && p.a.View("en").ConversationID == "conv_3" })
	if e := step("message"); e.ConversationID != "conv_3" || !strings.Contains(string(e.Payload), "new") {
		t.Fatalf("%+v", e)
	}
}

func TestPlaysByItself(t *testing.T) {
	f := files{t, t.TempDir()}
	var lines []string
	for i := range 200 {
		lines = append(lines, line(fmt.Sprint(i), "message", fmt.Sprintf(`{"text":"%d"}`, i)))
	}
	f.save("r.jsonl", strings.Join(lines, "\n"))
	p := start(t, filepath.Join(f.dir, "r.jsonl"), func(o *Options) { o.Speed = MaxSpeed })
	for i := range 200 {
		if m := payloadOf[envelope.Message](p, envelope.TypeMessage); m.Text != fmt.Sprint(i) {
			t.Fatalf("envelope %d is %q", i, m.Text)
		}
	}
}

func TestFind(t *testing.T) {
	f := files{t, t.TempDir()}
	f.save("a.txt", "")
	f.save("b.ndjson", "")
	if _, err := Find(filepath.Join(f.dir, "a.txt")); err != ErrSource {
		t.Error(err)
	}
	if s, err := Find(filepath.Join(f.dir, "b.ndjson")); err != nil || s.Kind != Recording {
		t.Error(s, err)
	}
	if _, err := Find(filepath.Join(f.dir, "none")); err == nil {
		t.Error("nothing was found")
	}
}

// FuzzDecodeRecording: no panic, bounded, and whatever is played can be sent.
func FuzzDecodeRecording(f *testing.F) {
	f.Add([]byte(line("1", "message", `{"text":"a"}`) + "\n" + line("2", "app.call", `{"call_id":"c","capability":"x","reason":"r","arguments":{}}`)))
	f.Add([]byte("{\n\n[]\n\x00"))
	f.Add([]byte(line("1", "ui.open", `{"instance_id":"i","app":{"id":"a.b","version":"1.0.0","html":"<form>"}}`)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		l := decodeRecording("r", raw)
		if len(l.Play) == 0 && !l.Broken() {
			t.Error("nothing to play, and nobody is told")
		}
		r := newReplay(1)
		for i, rec := range l.Play {
			e, err := r.envelope(i, rec, "c")
			if err != nil {
				t.Fatal(err)
			}
			if out, err := e.Encode(); err != nil {
				t.Fatal(err)
			} else if _, bad := envelope.Decode(out); bad != nil {
				t.Fatalf("what is played is refused: %v\n%s", bad, out)
			}
		}
		for _, x := range l.Findings {
			if what, fix := Words(x, "zh-CN"); what == "" || fix == "" {
				t.Errorf("no words for %s", x.Code)
			}
		}
	})
}

func TestCheckState(t *testing.T) {
	schema := []byte(`{"type":"object","properties":{"list":{"items":{"type":"string"}},"a/b":{"type":"number"}}}`)
	for _, c := range []struct{ text, want string }{
		{`{"list": ["a"]}`, ""},
		{"", ""},
		{"{\n  \"a\": 1,\n}", "error bad_json 3:1"},
		{"[]", "error bad_state 1:1"},
		{`{"a":1,"a":2}`, "error bad_state 1:1"},
		{`{"__proto__":1}`, "error bad_state 1:1"},
		{"{\n \"list\": [\"é\", 1,\n 2]}", "warning state_schema 2:16 warning state_schema 3:2"},
		{`{"x":"` + strings.Repeat("é", 3) + `", "a/b": "no"}`, "warning state_schema 1:20"},
		{`{"a":"` + strings.Repeat("x", surface.MaxState) + `"}`, "error too_large 1:1"},
	} {
		state, problems := checkState(c.text, schema)
		var got []string
		for _, p := range problems {
			got = append(got, fmt.Sprintf("%s %s %d:%d", p.Severity, p.Code, p.Line, p.Column))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%.60q: got %q, want %q", c.text, got, c.want)
		}
		if broken := strings.HasPrefix(c.want, "error"); (state == nil) != broken {
			t.Errorf("%.60q: state %.60s", c.text, state)
		}
	}
}

func FuzzCheckState(f *testing.F) {
	f.Add(`{"a":[1,{"b":2}]}`, `{"properties":{"a":{"items":{"type":"string"}}}}`)
	f.Add("{", "{}")
	f.Fuzz(func(t *testing.T, text, schema string) {
		if _, err := surface.CheckState([]byte(schema)); err != nil {
			return
		}
		_, problems := checkState(text, []byte(schema))
		for _, p := range problems {
			if p.Line < 1 || p.Line > 1+strings.Count(text, "\n") || p.Column < 1 {
				t.Errorf("%+v lies outside", p)
			}
		}
	})
}

func TestWordsAreWhole(t *testing.T) {
	for code, w := range words {
		for _, text := range []string{w.en, w.enFix, w.zh, w.zhFix} {
			if text == "" {
				t.Errorf("%s lacks words", code)
			}
		}
	}
}
