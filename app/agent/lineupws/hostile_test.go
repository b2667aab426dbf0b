package lineupws

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lineup/app/agent"
	"lineup/app/envelope"
)

func upgrader(sub string) *websocket.Upgrader {
	return &websocket.Upgrader{Subprotocols: []string{sub}}
}

// answered is an answer the agent got.
type answered struct {
	Code, Message  string
	Field, Expects string
	ReplyTo        envelope.ID
	Conv           envelope.ConversationID
}

func (a *fakeAgent) readError() (answered, bool) {
	e, ok := a.read()
	if !ok {
		a.t.Errorf("the connection ended instead of an answer")
		return answered{}, false
	}
	if e.Type != envelope.TypeError {
		a.t.Errorf("got %s instead of an error", e.Type)
		return answered{}, false
	}
	p := payloadOf[envelope.ErrorPayload](a.t, e)
	var d struct{ Field, Expected string }
	if err := json.Unmarshal(p.Details, &d); err != nil {
		a.t.Errorf("details: %v", err)
	}
	return answered{p.Code, p.Message, d.Field, d.Expected, e.ReplyTo, e.ConversationID}, true
}

// Each bad frame is answered by name, and the connection lives.
func TestRefusedFrames(t *testing.T) {
	big := message("big", strings.Repeat("x", envelope.MaxSize))
	frames := []struct {
		name, frame string
		binary      bool
		want        answered // Message and Expects are not compared
	}{
		{name: "not json", frame: `{`, want: answered{Code: "not_json", Field: "envelope"}},
		{name: "not utf-8", frame: "{\"v\":1,\"id\":\"x1\",\"a\":\"\xff\"}", want: answered{Code: "not_utf8", Field: "envelope", ReplyTo: "x1"}},
		{name: "binary", frame: message("b1", "x"), binary: true, want: answered{Code: "invalid_envelope", Field: "envelope"}},
		{name: "oversize", frame: big, want: answered{Code: "too_large", Field: "envelope", ReplyTo: "big", Conv: "conv_01"}},
		{name: "payload", frame: strings.Replace(message("p1", "x"), `"text"`, `"txt"`, 1), want: answered{Code: "invalid_payload", Field: "payload.text", ReplyTo: "p1", Conv: "conv_01"}},
		{name: "other id", frame: strings.Replace(message("w1", "x"), "hermes", "mallory", 1), want: answered{Code: "invalid_envelope", Field: "sender.id", ReplyTo: "w1", Conv: "conv_01"}},
		{name: "other kind", frame: strings.Replace(message("w2", "x"), `"agent"`, `"client"`, 1), want: answered{Code: "invalid_envelope", Field: "sender.kind", ReplyTo: "w2", Conv: "conv_01"}},
		{name: "second ready", frame: readyText, want: answered{Code: "invalid_envelope", Field: "type", ReplyTo: "r1"}},
		{name: "our own type", frame: `{"v":1,"id":"l1","type":"lineup.v1.app.list","sender":{"kind":"agent","id":"hermes"},"payload":{"capabilities":[]}}`,
			want: answered{Code: "invalid_envelope", Field: "type", ReplyTo: "l1"}},
	}
	done := make(chan bool, 1)
	url := agentServer(t, func(a *fakeAgent) {
		if !a.greet() {
			return
		}
		for _, f := range frames {
			kind := websocket.TextMessage
			if f.binary {
				kind = websocket.BinaryMessage
			}
			if err := a.conn.WriteMessage(kind, []byte(f.frame)); err != nil {
				a.t.Errorf("%s: %v", f.name, err)
			}
			got, ok := a.readError()
			if !ok {
				break
			}
			if got.Message == "" || got.Expects == "" {
				a.t.Errorf("%s: says nothing: %+v", f.name, got)
			}
			got.Message, got.Expects = "", ""
			if got != f.want {
				a.t.Errorf("%s: %+v, want %+v", f.name, got, f.want)
			}
		}
		a.write(message("after", "still here"))
		done <- true
		a.drain()
	})
	p := newFakePeer()
	start(t, url, p, nil)
	take(t, "agent's end", done)
	if e := take(t, "message", p.got); e.ID != "after" {
		t.Errorf("got %s: a refused frame went through", e.ID)
	}
	for range frames {
		take(t, "malformed", p.bad)
		if raw := take(t, "raw", p.raw); len(raw) > maxRaw {
			t.Errorf("%d raw bytes", len(raw))
		}
	}
}

// An error is never answered by an error, however bad it is.
func TestErrorsAreNotAnswered(t *testing.T) {
	url := agentServer(t, func(a *fakeAgent) {
		if !a.greet() {
			return
		}
		a.write(`{"v":1,"id":"e1","type":"lineup.v1.error","sender":{"kind":"agent","id":"hermes"},"payload":{}}`)
		a.write(`{"v":1,"id":"e2","type":"lineup.v1.error","sender":{"kind":"agent","id":"mallory"},"payload":{"code":"x","message":"y"}}`)
		a.write(`{"v":1,"id":"e3","type":"lineup.v1.error","sender":{"kind":"agent","id":"hermes"},"payload":{"code":"x","message":"y"}}`)
		a.write(`{"v":1,"id":"p1","type":"lineup.v1.session.ping","sender":{"kind":"agent","id":"hermes"},"payload":{}}`)
		if e, ok := a.read(); !ok || e.Type != envelope.TypePong || e.ReplyTo != "p1" {
			a.t.Errorf("instead of the pong came %s", e.Type)
		}
		a.write(message("m1", "x"))
		a.drain()
	})
	p := newFakePeer()
	start(t, url, p, nil)
	take(t, "message", p.got)
	if n := len(p.bad); n != 2 {
		t.Errorf("%d malformed, want 2", n)
	}
}

// Before ready nothing but ready passes; a ready that is not its sender's is refused too.
func TestBeforeReady(t *testing.T) {
	url := agentServer(t, func(a *fakeAgent) {
		if _, ok := a.read(); !ok {
			return
		}
		a.write(message("m1", "too early"))
		if got, _ := a.readError(); got.Field != "type" || got.ReplyTo != "m1" {
			a.t.Errorf("early message: %+v", got)
		}
		a.write(strings.Replace(readyText, `"id":"hermes"`, `"id":"mallory"`, 1))
		if got, _ := a.readError(); got.Field != "sender.id" || got.ReplyTo != "r1" {
			a.t.Errorf("wrong ready: %+v", got)
		}
		a.write(readyText)
		a.write(message("m2", "now"))
		a.drain()
	})
	p := newFakePeer()
	start(t, url, p, nil)
	if e := take(t, "message", p.got); e.ID != "m2" {
		t.Errorf("got %s", e.ID)
	}
}

func TestNoReady(t *testing.T) {
	url := agentServer(t, func(a *fakeAgent) { a.drain() })
	p := newFakePeer()
	start(t, url, p, func(c *Config) { c.ReadyWait = 20 * time.Millisecond })
	if s := p.phase(t, agent.Reconnecting); s.Code != agent.NotLineup {
		t.Errorf("code %q", s.Code)
	}
}

// A thousand bad frames in one go: a thousand answers, one connection, and no
// more memory at the end than at the beginning.
func TestMalformedFlood(t *testing.T) {
	const n = 1000
	done := make(chan bool, 1)
	url := agentServer(t, func(a *fakeAgent) {
		if !a.greet() {
			return
		}
		go func() {
			for i := range n {
				frame := strings.Replace(message(fmt.Sprintf("f%d", i), strings.Repeat("x", 8<<10)), `"text"`, `"txt"`, 1)
				if !a.write(frame) {
					a.t.Errorf("frame %d was not taken", i)
					return
				}
			}
			a.write(message("after", "x"))
		}()
		for i := range n {
			got, ok := a.readError()
			if want := envelope.ID(fmt.Sprintf("f%d", i)); !ok || got.ReplyTo != want {
				a.t.Errorf("answer %d is to %q", i, got.ReplyTo)
				break
			}
		}
		done <- true
		a.drain()
	})
	p := newFakePeer()
	before := heap()
	start(t, url, p, nil)
	take(t, "all answers", done)
	if e := take(t, "message", p.got); e.ID != "after" {
		t.Errorf("got %s", e.ID)
	}
	for range n { // the fake peer keeps what the link gives it; the link must not
		<-p.bad
		<-p.raw
	}
	if after := heap(); after > before+4<<20 {
		t.Errorf("heap grew from %d to %d", before, after)
	}
	if len(p.hellos) != 1 {
		t.Errorf("%d connections", len(p.hellos))
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A conversation that is busy holds back the socket: the agent's writes stall
// instead of filling the host. When it goes on, nothing is lost.
func TestSlowReceiveHoldsTheSocket(t *testing.T) {
	const n = 96 // × 512 KiB is more than any socket buffers
	stalled := make(chan bool, 1)
	var once sync.Once
	url := agentServer(t, func(a *fakeAgent) {
		if !a.greet() {
			return
		}
		go a.drain()
		text := strings.Repeat("x", 512<<10)
		for i := range n {
			// A write that does not return for this long has met a full socket.
			timer := time.AfterFunc(2500*time.Millisecond, func() { once.Do(func() { stalled <- true }) })
			ok := a.write(message(fmt.Sprintf("m%d", i), text))
			timer.Stop()
			if !ok {
				return
			}
		}
		once.Do(func() { stalled <- false })
		<-a.quit
	})
	p := newFakePeer()
	release := make(chan struct{})
	p.onReceive = func(ctx context.Context, e envelope.Envelope) error {
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	// Silence is measured while reading, so a pause longer than it must not end the connection.
	start(t, url, p, func(c *Config) { c.PongWait = 2 * time.Second; c.PingEvery = 100 * time.Millisecond })
	if !take(t, "stall", stalled) {
		t.Error("the agent could write everything while the conversation was busy")
	}
	if got := len(p.got); got != 1 {
		t.Errorf("%d envelopes in the busy conversation", got)
	}
	close(release)
	for i := range n {
		if e := take(t, "message", p.got); string(e.ID) != fmt.Sprintf("m%d", i) {
			t.Fatalf("message %d is %s", i, e.ID)
		}
	}
	if len(p.hellos) != 1 {
		t.Errorf("%d connections", len(p.hellos))
	}
}

// A conversation that cannot take an envelope ends the connection, which is made anew.
func TestReceiveFails(t *testing.T) {
	url := agentServer(t, func(a *fakeAgent) {
		if a.greet() && a.write(message("m1", "x")) {
			a.drain()
		}
	})
	p := newFakePeer()
	p.onReceive = func(context.Context, envelope.Envelope) error { return errors.New("disk full") }
	start(t, url, p, nil)
	take(t, "first", p.got)
	take(t, "second", p.got)
}

// An agent that stopped answering pings is not waited for.
func TestSilence(t *testing.T) {
	url := agentServer(t, func(a *fakeAgent) {
		if a.greet() {
			<-a.quit // reads nothing, so it answers no ping
		}
	})
	p := newFakePeer()
	start(t, url, p, func(c *Config) { c.PongWait = 50 * time.Millisecond; c.PingEvery = 10 * time.Millisecond })
	p.phase(t, agent.Connected)
	p.phase(t, agent.Reconnecting)
}
