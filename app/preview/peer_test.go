package preview

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lineup/app/envelope"
)

const patience = 30 * time.Second

// files is a folder that a test writes.
type files struct {
	t   *testing.T
	dir string
}

func folder(t *testing.T) files {
	f := files{t, t.TempDir()}
	f.save("surface.json", `{"id":"com.example.a","name":"A","version":"1.0.0","state":{"n":1},
 "state_schema":{"type":"object","properties":{"n":{"type":"integer"}}}}`)
	f.save("index.html", `<p id="n"></p>`)
	f.save("script.js", `LineUpSurface.onState((s) => { document.getElementById("n").textContent = s.n; });`)
	return f
}

// save writes as careful editors do: beside it, then over it.
func (f files) save(name, text string) {
	f.t.Helper()
	tmp := filepath.Join(f.dir, "."+name+".tmp")
	if err := os.WriteFile(tmp, []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Rename(tmp, filepath.Join(f.dir, name)); err != nil {
		f.t.Fatal(err)
	}
}

// host stands for the host: what it is told, and a conversation when asked.
type host struct {
	agent *Agent
	mu    sync.Mutex
	cond  *sync.Cond
	told  int
	fresh int
}

func (h *host) Changed() {
	h.mu.Lock()
	h.told++
	h.cond.Broadcast()
	h.mu.Unlock()
}

func (h *host) Fresh() {
	h.mu.Lock()
	h.fresh++
	n := h.fresh
	h.mu.Unlock()
	h.agent.Begin("conv_" + strconv.Itoa(n))
}

// peer is the host's end of the connection.
type peer struct {
	t    *testing.T
	a    *Agent
	h    *host
	conn *websocket.Conn
	n    int
}

func start(t *testing.T, path string, change func(*Options)) *peer {
	t.Helper()
	source, err := Find(path)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Source: source, Speed: 1}
	if change != nil {
		change(&o)
	}
	a, err := Serve(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	h := &host{agent: a}
	h.cond = sync.NewCond(&h.mu)
	a.Attach(h.Changed, h.Fresh)
	p := &peer{t: t, a: a, h: h}
	p.dial()
	h.Fresh()
	return p
}

// dial says hello, with the last id of the conversation that was taken.
func (p *peer) dial(points ...envelope.ResumePoint) {
	p.t.Helper()
	d := websocket.Dialer{Subprotocols: []string{subprotocol}, HandshakeTimeout: patience}
	conn, _, err := d.Dial(p.a.URL(), http.Header{"Authorization": {"Bearer " + p.a.Token()}})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { conn.Close() })
	p.conn = conn
	if points == nil {
		points = []envelope.ResumePoint{}
	}
	p.say("", envelope.TypeHello, envelope.Hello{Client: envelope.HelloClient{Name: "test", Version: "1"},
		Locale: "en", Protocol: []int{1}, Conversations: points})
	if e := p.next(); e.Type != envelope.TypeReady {
		p.t.Fatalf("hello was answered by %s", e.Type)
	}
}

func (p *peer) say(conv string, t envelope.Type, payload any) {
	p.t.Helper()
	e, err := envelope.New(t, envelope.ConversationID(conv), envelope.Party{Kind: envelope.KindClient, ID: "desktop"}, payload)
	if err != nil {
		p.t.Fatal(err)
	}
	p.n++
	e.ID = envelope.ID("h" + strconv.Itoa(p.n))
	raw, err := e.Encode()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.conn.WriteMessage(websocket.TextMessage, raw); err != nil {
		p.t.Fatal(err)
	}
}

// next is the next envelope of the agent.
func (p *peer) next() envelope.Envelope {
	p.t.Helper()
	_ = p.conn.SetReadDeadline(time.Now().Add(patience))
	_, raw, err := p.conn.ReadMessage()
	if err != nil {
		p.t.Fatal(err)
	}
	e, bad := envelope.Decode(raw)
	if bad != nil {
		p.t.Fatalf("the agent sent what is no envelope: %v", bad)
	}
	return e
}

func payloadOf[T any](p *peer, want envelope.Type) T {
	p.t.Helper()
	e := p.next()
	v, err := envelope.Payload[T](e)
	if e.Type != want || err != nil {
		p.t.Fatalf("got %s %s, want %s", e.Type, e.Payload, want)
	}
	return v
}

func (p *peer) open() envelope.UIOpen {
	p.t.Helper()
	return payloadOf[envelope.UIOpen](p, envelope.TypeUIOpen)
}

// until waits for the view to say so.
func (p *peer) until(what string, ok func() bool) {
	p.t.Helper()
	late := time.AfterFunc(patience, func() {
		p.h.mu.Lock()
		p.h.told = -1 << 30
		p.h.cond.Broadcast()
		p.h.mu.Unlock()
	})
	defer late.Stop()
	p.h.mu.Lock()
	defer p.h.mu.Unlock()
	for {
		p.h.mu.Unlock()
		yes := ok()
		p.h.mu.Lock()
		if yes {
			return
		}
		if p.h.told < 0 {
			p.t.Fatalf("did not happen: %s", what)
		}
		p.h.cond.Wait()
	}
}
