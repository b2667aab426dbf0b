package lineupws

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/gorilla/websocket"

	"lineup/app/agent"
	"lineup/app/envelope"
)

// patience is how long a test waits for what must happen.
const patience = 20 * time.Second

// fakePeer records what the link tells it. Fields left nil do nothing.
type fakePeer struct {
	hellos  chan struct{}
	readies chan envelope.Ready
	got     chan envelope.Envelope
	bad     chan *envelope.Error
	raw     chan []byte
	out     chan envelope.Envelope
	sent    chan envelope.ID
	states  chan agent.State

	onReady   func(envelope.Ready) error
	onReceive func(context.Context, envelope.Envelope) error
}

func newFakePeer() *fakePeer {
	return &fakePeer{
		hellos: make(chan struct{}, 1000), readies: make(chan envelope.Ready, 1000),
		got: make(chan envelope.Envelope, 5000), bad: make(chan *envelope.Error, 5000), raw: make(chan []byte, 5000),
		out: make(chan envelope.Envelope, 1000), sent: make(chan envelope.ID, 1000), states: make(chan agent.State, 5000),
	}
}

func (p *fakePeer) Hello(context.Context) (envelope.Hello, error) {
	p.hellos <- struct{}{}
	return envelope.Hello{
		Client: envelope.HelloClient{Name: "LineUp Desktop", Version: "0.1.0"}, Locale: "en", Protocol: []int{1},
		Conversations: []envelope.ResumePoint{{ConversationID: "conv_01", LastID: "m9"}},
	}, nil
}

func (p *fakePeer) Ready(_ context.Context, r envelope.Ready) error {
	p.readies <- r
	if p.onReady != nil {
		return p.onReady(r)
	}
	return nil
}

func (p *fakePeer) Receive(ctx context.Context, e envelope.Envelope) error {
	p.got <- e
	if p.onReceive != nil {
		return p.onReceive(ctx, e)
	}
	return nil
}

func (p *fakePeer) Malformed(_ context.Context, err *envelope.Error, raw []byte) {
	p.bad <- err
	p.raw <- raw
}

func (p *fakePeer) Next(ctx context.Context) (envelope.Envelope, error) {
	select {
	case e := <-p.out:
		return e, nil
	case <-ctx.Done():
		return envelope.Envelope{}, ctx.Err()
	}
}

func (p *fakePeer) Sent(e envelope.Envelope) { p.sent <- e.ID }
func (p *fakePeer) Changed(s agent.State)    { p.states <- s }

// take waits for a value.
func take[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("no %s within %v", what, patience)
		panic("unreachable")
	}
}

// phase waits for a state of this phase, passing over others.
func (p *fakePeer) phase(t *testing.T, want agent.Phase) agent.State {
	t.Helper()
	for {
		if s := take(t, "state "+string(want), p.states); s.Phase == want {
			return s
		}
	}
}

// agentServer runs serve for each WebSocket on loopback and gives its ws:// URL.
func agentServer(t *testing.T, serve func(a *fakeAgent)) string {
	t.Helper()
	up := websocket.Upgrader{Subprotocols: []string{Subprotocol}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		serve(&fakeAgent{t: t, conn: conn, request: r, quit: t.Context().Done()})
	}))
	t.Cleanup(srv.Close)
	return "ws" + strings.TrimPrefix(srv.URL, "http")
}

// fakeAgent is the other end of a link. Its methods fail the test, from the
// server's goroutine, with Errorf; a broken connection ends serve by ok false.
type fakeAgent struct {
	t       *testing.T
	conn    *websocket.Conn
	request *http.Request
	quit    <-chan struct{} // the test is over
}

func (a *fakeAgent) read() (envelope.Envelope, bool) {
	_ = a.conn.SetReadDeadline(time.Now().Add(patience))
	_, data, err := a.conn.ReadMessage()
	if err != nil {
		return envelope.Envelope{}, false
	}
	e, bad := envelope.Decode(data)
	if bad != nil {
		a.t.Errorf("the link sent a bad envelope: %v\n%s", bad, data)
		return e, false
	}
	return e, true
}

func (a *fakeAgent) write(text string) bool {
	return a.conn.WriteMessage(websocket.TextMessage, []byte(text)) == nil
}

const readyText = `{"v":1,"id":"r1","type":"lineup.v1.session.ready","sender":{"kind":"agent","id":"hermes"},
	"payload":{"agent":{"id":"hermes","name":"Hermes","version":"1.0"}}}`

// greet takes the hello and says ready.
func (a *fakeAgent) greet() bool {
	e, ok := a.read()
	if ok && e.Type != envelope.TypeHello {
		a.t.Errorf("first came %s", e.Type)
	}
	return ok && a.write(readyText)
}

// drain reads until the connection ends.
func (a *fakeAgent) drain() {
	for {
		if _, ok := a.read(); !ok {
			return
		}
	}
}

func message(id, text string) string {
	b, _ := json.Marshal(text)
	return `{"v":1,"id":"` + id + `","type":"lineup.v1.message","conversation_id":"conv_01","sender":{"kind":"agent","id":"hermes"},"payload":{"text":` + string(b) + `}}`
}

// start runs a link until the test ends, and checks then that Run returned nil
// and reported offline.
func start(t *testing.T, url string, p *fakePeer, change func(*Config)) *Link {
	t.Helper()
	cfg := Config{
		URL: url, Peer: p, Backoff: backoff.NewConstantBackOff(time.Millisecond),
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	if change != nil {
		change(&cfg)
	}
	l := New(cfg)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- l.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := take(t, "end of Run", done); err != nil {
			t.Errorf("Run: %v", err)
		}
		p.phase(t, agent.Offline)
	})
	return l
}

func payloadOf[T any](t *testing.T, e envelope.Envelope) T {
	t.Helper()
	v, err := envelope.Payload[T](e)
	if err != nil {
		t.Errorf("%v", err)
	}
	return v
}
