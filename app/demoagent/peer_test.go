package demoagent

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lineup/app/envelope"
)

const patience = 30 * time.Second

// testClock does not wait, unless it is held: then each Sleep takes one step.
type testClock struct {
	mu    sync.Mutex
	steps chan struct{} // nil = free
}

func (c *testClock) Now() time.Time { return time.Date(2026, 8, 2, 12, 0, 0, 0, time.UTC) }

func (c *testClock) Sleep(ctx context.Context, _ time.Duration) error {
	c.mu.Lock()
	steps := c.steps
	c.mu.Unlock()
	if steps == nil {
		return context.Cause(ctx)
	}
	select {
	case <-steps:
		return context.Cause(ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (c *testClock) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.steps = make(chan struct{})
}

// step lets one held Sleep pass.
func (c *testClock) step(t *testing.T) {
	t.Helper()
	select {
	case c.steps <- struct{}{}:
	case <-time.After(patience):
		t.Fatal("nothing sleeps")
	}
}

func (c *testClock) free() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.steps != nil {
		close(c.steps)
		c.steps = nil
	}
}

func serve(t *testing.T, o Options) *Server {
	t.Helper()
	if o.Clock == nil {
		o.Clock = &testClock{}
	}
	s, err := Serve(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// peer is a host's end of a connection. It keeps everything it got, by id, as a
// host's store would.
type peer struct {
	t    *testing.T
	conn *websocket.Conn
	got  []envelope.Envelope
	n    *int // of its own ids

	agent envelope.Party // whom it must all come from
}

func dial(t *testing.T, s *Server) *peer { t.Helper(); return dialURL(t, s.URL()) }

func dialURL(t *testing.T, url string) *peer {
	t.Helper()
	d := websocket.Dialer{Subprotocols: []string{Subprotocol}, HandshakeTimeout: patience}
	conn, _, err := d.Dial(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &peer{t: t, conn: conn, n: new(int), agent: sender()}
}

// connect dials and says hello.
func connect(t *testing.T, s *Server, locale string, points ...envelope.ResumePoint) (*peer, envelope.Ready) {
	t.Helper()
	p := dial(t, s)
	return p, p.hello(locale, points...)
}

func (p *peer) hello(locale string, points ...envelope.ResumePoint) envelope.Ready {
	p.t.Helper()
	p.send("", envelope.TypeHello, envelope.Hello{
		Client: envelope.HelloClient{Name: "test", Version: "1"}, Locale: locale, Protocol: []int{1}, Conversations: points,
	})
	e := p.next()
	if e.Type != envelope.TypeReady {
		p.t.Fatalf("hello was answered by %s", e.Type)
	}
	return content[envelope.Ready](p.t, e)
}

func (p *peer) send(conv string, t envelope.Type, payload any) envelope.Envelope {
	p.t.Helper()
	*p.n++
	return p.sendAs(fmt.Sprintf("host-%d", *p.n), conv, t, payload)
}

func (p *peer) sendAs(id, conv string, t envelope.Type, payload any) envelope.Envelope {
	p.t.Helper()
	e, err := envelope.New(t, envelope.ConversationID(conv), envelope.Party{Kind: envelope.KindClient, ID: "desktop"}, payload)
	if err != nil {
		p.t.Fatal(err)
	}
	e.ID = envelope.ID(id)
	raw, err := e.Encode()
	if err != nil {
		p.t.Fatal(err)
	}
	p.sendRaw(websocket.TextMessage, raw)
	return e
}

func (p *peer) sendRaw(kind int, raw []byte) {
	p.t.Helper()
	if err := p.conn.WriteMessage(kind, raw); err != nil {
		p.t.Fatal(err)
	}
}

func (p *peer) say(conv, text string) {
	p.t.Helper()
	p.send(conv, envelope.TypeMessage, envelope.Message{Text: text})
}

// next reads one envelope; it must be valid and the agent's.
func (p *peer) next() envelope.Envelope {
	p.t.Helper()
	e, err := p.tryNext()
	if err != nil {
		p.t.Fatalf("read: %v, after\n%s", err, transcript(p.got[max(0, len(p.got)-8):]))
	}
	return e
}

func (p *peer) tryNext() (envelope.Envelope, error) {
	p.conn.SetReadDeadline(time.Now().Add(patience))
	_, raw, err := p.conn.ReadMessage()
	if err != nil {
		return envelope.Envelope{}, err
	}
	e, bad := envelope.Decode(raw)
	if bad != nil {
		p.t.Fatalf("the agent sent a bad envelope: %v\n%.300s", bad, raw)
	}
	if e.Sender != p.agent {
		p.t.Fatalf("sender = %+v", e.Sender)
	}
	p.got = append(p.got, e)
	return e, nil
}

// until reads up to the first envelope of type t.
func (p *peer) until(t envelope.Type) envelope.Envelope {
	p.t.Helper()
	for {
		if e := p.next(); e.Type == t {
			return e
		}
	}
}

// done reads up to the status that ends a run.
func (p *peer) done() {
	p.t.Helper()
	for {
		e := p.until(envelope.TypeStatus)
		if s := content[envelope.Status](p.t, e); s.State == "done" || s.State == "failed" {
			return
		}
	}
}

// untilMessage reads up to a whole message and gives its text.
func (p *peer) untilMessage() string {
	p.t.Helper()
	return content[envelope.Message](p.t, p.until(envelope.TypeMessage)).Text
}

func (p *peer) untilStreamed() string {
	p.t.Helper()
	e := content[envelope.MessageEnd](p.t, p.until(envelope.TypeMessageEnd))
	if e.Text == nil {
		return ""
	}
	return *e.Text
}

func content[T any](t *testing.T, e envelope.Envelope) T {
	t.Helper()
	v, err := envelope.Payload[T](e)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// transcript writes what was got, a line each; runs of deltas become one.
func transcript(got []envelope.Envelope) string {
	var b strings.Builder
	delta := ""
	flush := func() {
		if delta != "" {
			fmt.Fprintf(&b, "message.delta… %q\n", delta)
			delta = ""
		}
	}
	for _, e := range got {
		short := strings.TrimPrefix(string(e.Type), envelope.Prefix)
		var m map[string]any
		json.Unmarshal(e.Payload, &m)
		if short == "message.delta" {
			delta += m["delta"].(string)
			continue
		}
		flush()
		if app, ok := m["app"].(map[string]any); ok {
			m["app"] = fmt.Sprint(app["id"], " ", app["name"])
		}
		for _, k := range []string{"hours", "humidity", "wind", "condition"} {
			if s, ok := m["state"].(map[string]any); ok {
				delete(s, k)
			}
		}
		for _, k := range []string{"instance_id", "call_id", "message_id", "status_id", "size", "title"} {
			delete(m, k)
		}
		out, _ := json.Marshal(m)
		fmt.Fprintf(&b, "%s %s\n", short, out)
	}
	flush()
	return b.String()
}

func header(kv ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(kv); i += 2 {
		h.Set(kv[i], kv[i+1])
	}
	return h
}
