package preview

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"lineup/app/envelope"
	"lineup/surface"
)

// InstanceID is the instance that a previewed bundle opens as.
const InstanceID surface.InstanceID = "preview"

var sender = envelope.Party{Kind: envelope.KindAgent, ID: "preview"}

// Options configure Serve; see doc.go for the zero values.
type Options struct {
	Source Source
	Speed  float64 // of a recording: 1 = as it was recorded, 2 = twice as fast, 0 = at once
	Paused bool    // a recording waits for a step or play
	Logger *slog.Logger
	Now    func() time.Time
}

// Agent is the preview agent. It owns what is shown: the last good reading of
// the source, and the state that it gave the surface.
type Agent struct {
	source Source
	token  string
	slog   *slog.Logger
	now    func() time.Time
	http   *http.Server
	addr   net.Addr
	ctx    context.Context
	stop   context.CancelFunc
	work   sync.WaitGroup

	mu      sync.Mutex
	tell    func() // the view is another; nil before Attach
	fresh   func() // asks for a new conversation
	last    Loaded // the last reading
	good    Loaded // what is shown
	savedAt time.Time
	conv    envelope.ConversationID // "" before Begin
	run     int                     // conversations begun
	made    int                     // envelopes made in this run, for their ids
	out     []outgoing              // of this conversation
	woken   chan struct{}           // closed and replaced when there is more to send
	closed  bool
	session *session // the newest one
	seen    map[envelope.ID]bool
	state   json.RawMessage // of the bundle's instance, as the agent sent it
	taken   int64           // states that the host took
	open    bool            // the bundle's instance is open, as far as was told
	log     log
	play    player
}

type outgoing struct {
	id  envelope.ID
	raw []byte
}

// Serve reads the source, follows it, and opens the port. The source may be
// broken: the view then says so, and nothing is shown until it is mended.
func Serve(ctx context.Context, o Options) (*Agent, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("preview agent: %w", err)
	}
	a := &Agent{source: o.Source, token: secret(), slog: o.Logger, now: o.Now, addr: l.Addr(), woken: make(chan struct{})}
	a.play = player{speed: o.Speed, playing: !o.Paused, after: time.AfterFunc}
	a.ctx, a.stop = context.WithCancel(context.WithoutCancel(ctx))
	a.http = &http.Server{Handler: http.HandlerFunc(a.serveHTTP), ReadHeaderTimeout: 10 * time.Second}
	a.take(o.Source.Load())
	a.work.Go(func() { o.Source.watch(a.ctx, o.Logger, a.reload) })
	a.work.Go(func() { _ = a.http.Serve(l) })
	context.AfterFunc(ctx, a.Close)
	return a, nil
}

// URL is where the host connects to; Token is its bearer token.
func (a *Agent) URL() string   { return "ws://" + a.addr.String() + "/" }
func (a *Agent) Token() string { return a.token }

// Close ends everything and waits for it.
func (a *Agent) Close() {
	a.mu.Lock()
	a.closed = true
	a.play.stop()
	a.wake()
	a.mu.Unlock()
	a.stop()
	_ = a.http.Close()
	a.work.Wait()
}

// Attach tells the agent how to reach its host, before anything is begun:
// changed when the view is another, fresh for a new conversation, which the
// host gives by Begin.
func (a *Agent) Attach(changed, fresh func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tell, a.fresh = changed, fresh
}

// Begin starts over in a new, empty conversation: the bundle opens with its
// first state, a recording plays from its beginning.
func (a *Agent) Begin(conv string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.conv, a.out, a.made, a.open = envelope.ConversationID(conv), nil, 0, false
	a.seen = map[envelope.ID]bool{}
	a.run++
	a.log.add(a.now(), dirNote, "begin", nil)
	a.begin()
	a.changed()
}

// begin shows what is good. With a.mu held.
func (a *Agent) begin() {
	a.play.rewind(len(a.good.Play), a.run)
	switch {
	case a.good.Broken() || a.good.Bundle.HTML == "" && len(a.good.Play) == 0:
	case a.source.Kind == Recording:
		a.advance()
	default:
		a.state = a.good.Bundle.State
		a.openBundle()
	}
}

// take makes a reading the last one, and the shown one if it is good.
func (a *Agent) take(l Loaded) {
	a.last = l
	if !l.Broken() {
		a.good, a.savedAt = l, a.now()
	}
}

// changed tells the host, later: it may hold locks of its own. With a.mu held.
func (a *Agent) changed() {
	if a.tell != nil && !a.closed {
		a.work.Go(a.tell)
	}
}

// send makes an envelope of the conversation. With a.mu held.
func (a *Agent) send(t envelope.Type, payload any) error {
	e, err := envelope.New(t, a.conv, sender, payload)
	if err != nil {
		return err
	}
	a.made++
	e.ID = envelope.ID(fmt.Sprintf("p%d.%d", a.run, a.made))
	return a.post(e)
}

// post queues an envelope for the session. With a.mu held.
func (a *Agent) post(e envelope.Envelope) error {
	e.CreatedAt = &envelope.Time{Time: a.now()}
	raw, err := e.Encode()
	if err != nil {
		return err
	}
	a.out = append(a.out, outgoing{e.ID, raw})
	a.log.add(a.now(), dirDown, string(e.Type)[len(envelope.Prefix):], shown(e))
	a.wake()
	return nil
}

// wake lets the writers look again. With a.mu held.
func (a *Agent) wake() {
	close(a.woken)
	a.woken = make(chan struct{})
}

func secret() string {
	b := make([]byte, 24)
	_, _ = rand.Read(b) // does not fail
	return base64.RawURLEncoding.EncodeToString(b)
}
