package demoagent

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"lineup/app/envelope"
)

// malformed gives the i-th bad frame.
func malformed(i int) string {
	good := `{"v":1,"id":"x","type":"lineup.v1.message","conversation_id":"c1","sender":{"kind":"client","id":"d"},"payload":{"text":"hi"}}`
	r := rand.New(rand.NewSource(int64(i)))
	switch i % 8 {
	case 0:
		return good[:1+r.Intn(len(good)-1)]
	case 1:
		return strings.Replace(good, `"v":1`, fmt.Sprintf(`"v":%d`, 2+r.Intn(9)), 1)
	case 2:
		return strings.Replace(good, `"text"`, `"txt"`, 1)
	case 3:
		return strings.Replace(good, `"x"`, `"`+strings.Repeat("x", 129)+`"`, 1)
	case 4:
		return strings.Repeat("[", 1+r.Intn(5000))
	case 5:
		return strings.Replace(good, `"id":"x"`, `"id":"x","id":"y"`, 1)
	case 6:
		return strings.Replace(good, `"kind":"client"`, `"kind":"agent"`, 1)
	default:
		return strings.Replace(good, "lineup.v1.message", fmt.Sprintf("lineup.v1.ui.thing%d", i), 1)
	}
}

// Two hundred bad frames: each is answered by an error, the connection stays.
func TestMalformedFrames(t *testing.T) {
	p, _ := connect(t, serve(t, Options{}), "en")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 200 {
		p.sendRaw(websocket.TextMessage, []byte(malformed(i)))
		e := p.next()
		if e.Type != envelope.TypeError {
			t.Fatalf("frame %d %.80q was answered by %s", i, malformed(i), e.Type)
		}
		if c := content[envelope.ErrorPayload](t, e); c.Code == "" || c.Message == "" {
			t.Errorf("frame %d: error without words: %+v", i, c)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if after.HeapAlloc > before.HeapAlloc+32<<20 {
		t.Errorf("heap grew from %d to %d", before.HeapAlloc, after.HeapAlloc)
	}
	p.say("c1", "table")
	p.until(envelope.TypeTable)
}

func TestOddFrames(t *testing.T) {
	p, _ := connect(t, serve(t, Options{}), "en")
	for _, tc := range []struct {
		name string
		kind int
		raw  string
		code string
	}{
		{"binary", websocket.BinaryMessage, `{}`, "not_json"},
		{"one byte too long", websocket.TextMessage, strings.Repeat(" ", maxFrame+1), "too_large"},
		{"unknown type", websocket.TextMessage, `{"v":1,"id":"x1","type":"lineup.v1.dance","conversation_id":"c1","sender":{"kind":"client","id":"d"},"payload":{}}`, "unsupported"},
		{"agent's own type", websocket.TextMessage, `{"v":1,"id":"x2","type":"lineup.v1.ui.close","conversation_id":"c1","sender":{"kind":"client","id":"d"},"payload":{"instance_id":"i"}}`, "unsupported"},
		{"second hello", websocket.TextMessage, `{"v":1,"id":"x3","type":"lineup.v1.session.hello","sender":{"kind":"client","id":"d"},"payload":{"client":{"name":"t","version":"1"},"locale":"en","protocol":[1],"conversations":[]}}`, "already_ready"},
	} {
		p.sendRaw(tc.kind, []byte(tc.raw))
		if got := content[envelope.ErrorPayload](t, p.until(envelope.TypeError)); got.Code != tc.code {
			t.Errorf("%s: code %q, want %q (%s)", tc.name, got.Code, tc.code, got.Message)
		}
	}
	// An error is never answered by an error, not even a bad one.
	p.sendRaw(websocket.TextMessage, []byte(`{"v":1,"id":"x4","type":"lineup.v1.error","conversation_id":"c1","sender":{"kind":"client","id":"d"},"payload":{"code":5}}`))
	p.send("c1", envelope.TypeError, envelope.ErrorPayload{Code: "x", Message: "y"})
	p.send("", envelope.TypePing, envelope.Ping{})
	if e := p.next(); e.Type != envelope.TypePong {
		t.Errorf("after errors: %s", e.Type)
	}
}

func TestHelloComesFirst(t *testing.T) {
	p := dial(t, serve(t, Options{}))
	p.say("c1", "weather")
	if got := content[envelope.ErrorPayload](t, p.next()); got.Code != "hello_first" {
		t.Errorf("code = %q", got.Code)
	}
	p.sendRaw(websocket.TextMessage, []byte(`{"v":1,"id":"x","type":"lineup.v1.session.hello","sender":{"kind":"client","id":"d"},"payload":{"client":{"name":"t","version":"1"},"locale":"en","protocol":[2],"conversations":[]}}`))
	if got := content[envelope.ErrorPayload](t, p.next()); !strings.Contains(got.Message, "protocol") {
		t.Errorf("message = %q", got.Message)
	}
}

func TestHandshakeRefusals(t *testing.T) {
	s := serve(t, Options{Token: "s3cret"})
	right := "Bearer s3cret"
	for _, tc := range []struct {
		name   string
		proto  []string
		header http.Header
		status int // 101 = accepted
	}{
		{"right", []string{Subprotocol}, header("Authorization", right), 101},
		{"no token", []string{Subprotocol}, header(), 401},
		{"wrong token", []string{Subprotocol}, header("Authorization", "Bearer s3cre"), 401},
		{"no subprotocol", nil, header("Authorization", right), 400},
		{"a web page", []string{Subprotocol}, header("Authorization", right, "Origin", "http://127.0.0.1:1"), 403},
	} {
		d := websocket.Dialer{Subprotocols: tc.proto}
		conn, res, err := d.Dial(s.URL(), tc.header)
		if err == nil {
			conn.Close()
		}
		if res == nil || res.StatusCode != tc.status {
			t.Errorf("%s: %v %v, want %d", tc.name, res, err, tc.status)
		}
	}
}

// A host that does not read holds its own conversation back and nobody else's.
func TestBackPressure(t *testing.T) {
	s := serve(t, Options{})
	c := s.conversation("slow")
	p, _ := connect(t, s, "en")
	for i := range maxUnsent + 50 { // no session: nothing is sent
		e, _ := envelope.New(envelope.TypeMessage, "slow", envelope.Party{Kind: "client", ID: "x"}, envelope.Message{Text: "table"})
		e.ID = envelope.ID(fmt.Sprint("m", i))
		raw, _ := e.Encode()
		s.journal.accept(e, raw)
		c.enqueue(e)
	}
	p.say("quick", "table")
	p.until(envelope.TypeTable)
	if made := s.journal.end("slow"); made > maxUnsent {
		t.Errorf("%d envelopes wait, more than %d", made, maxUnsent)
	}
	q, _ := connect(t, s, "en", point1("slow", ""))
	for n := 0; n < maxUnsent+50; {
		if e := q.next(); e.ConversationID == "slow" {
			n++
		}
	}
}

// The frame handler survives anything and keeps the connection.
func FuzzReceive(f *testing.F) {
	for i := range 16 {
		f.Add([]byte(malformed(i)))
	}
	for _, typ := range []string{"ui.event", "ui.result", "app.result", "component.result", "cancel", "message"} {
		for _, payload := range []string{
			`{}`, `{"instance_id":"chart.en.x","event":"start","data":{}}`, `{"instance_id":"canvas.en.x","event":"draw","data":{"op":"stroke","stroke":{"color":"#112233","width":3,"points":[[1,2],[3,4]]}}}`,
			`{"instance_id":"canvas.zh.x","op":"patch","status":"refused","code":"x"}`, `{"call_id":"call.open.en.x","status":"failed","error":{"code":"a","message":"b"}}`,
			`{"component_id":"ask.choice.zh.x","status":"answered","value":["weather"]}`, `{"component_id":"ask.form.en.x","status":"answered","value":{"nights":"many"}}`,
			`{"text":"全部"}`, `{"text":"everything"}`,
		} {
			f.Add([]byte(`{"v":1,"id":"m1","type":"lineup.v1.` + typ + `","conversation_id":"c1","sender":{"kind":"client","id":"d"},"payload":` + payload + `}`))
		}
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		p, _ := connect(t, serve(t, Options{}), "en")
		p.sendRaw(websocket.TextMessage, frame)
		p.send("", envelope.TypePing, envelope.Ping{})
		p.until(envelope.TypePong)
		p.say("other", "table")
		for {
			if e := p.next(); e.ConversationID == "other" && e.Type == envelope.TypeTable {
				break
			}
		}
		for _, e := range p.got {
			if e.Type != envelope.TypeError {
				continue
			}
			if c := content[envelope.ErrorPayload](t, e); c.Code == "internal" {
				t.Errorf("a script failed on %q", frame)
			}
		}
	})
}

// FuzzJournal reads any file without failing, and what it read it can write.
func FuzzJournal(f *testing.F) {
	f.Add([]byte(`{"c":"c1","done":"a","facts":{"lang":"zh","i.chart.en.x":{"kind":"chart","chart":{"running":true}}}}` + "\n"))
	f.Add([]byte(`{"c":"c1","in":{"v":1},"out":{"id":"x"},"seen":["a","a"]}` + "\n{\"c\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		j := &journal{talks: map[string]*talk{}}
		if err := j.load(strings.NewReader(string(data))); err != nil {
			t.Fatal(err)
		}
		for conv, was := range j.talks {
			var b strings.Builder
			if err := was.dump(conv, json.NewEncoder(&b)); err != nil {
				t.Fatal(err)
			}
			k := &journal{talks: map[string]*talk{}}
			if err := k.load(strings.NewReader(b.String())); err != nil {
				t.Fatal(err)
			}
			if got := k.talks[conv]; got != nil && (len(got.seen) != len(was.seen) || len(got.sent) != len(was.sent)) {
				t.Errorf("written and read again: %d/%d, was %d/%d", len(got.seen), len(got.sent), len(was.seen), len(was.sent))
			}
		}
	})
}
