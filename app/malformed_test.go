package app

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"

	"lineup/app/host"
)

// rawAgent is an agent that sends what it is told, byte by byte.
type rawAgent struct {
	*httptest.Server
	t *testing.T

	mu   sync.Mutex
	cond *sync.Cond
	conn *websocket.Conn
	got  []map[string]any
}

func startRawAgent(t *testing.T) *rawAgent {
	a := &rawAgent{t: t}
	a.cond = sync.NewCond(&a.mu)
	up := websocket.Upgrader{Subprotocols: []string{"lineup.v1"}}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		for {
			_, data, err := conn.ReadMessage()
			if err != nil {
				return
			}
			var e map[string]any
			if json.Unmarshal(data, &e) != nil {
				continue
			}
			a.mu.Lock()
			if e["type"] == "lineup.v1.session.hello" {
				a.conn = conn
				_ = conn.WriteMessage(websocket.TextMessage, []byte(`{"v":1,"id":"r","type":"lineup.v1.session.ready","sender":{"kind":"agent","id":"raw"},"payload":{"agent":{"id":"raw","name":"Raw","version":"1"}}}`))
			}
			a.got = append(a.got, e)
			a.cond.Broadcast()
			a.mu.Unlock()
		}
	}))
	t.Cleanup(a.Close)
	return a
}

func (a *rawAgent) url() string { return strings.Replace(a.URL, "http://", "ws://", 1) + "/" }

// count waits until n envelopes of a type have come.
func (a *rawAgent) count(p *testPage, t string, n int) {
	a.t.Helper()
	p.until(fmt.Sprintf("%d × %s", n, t), func() bool { return a.have(t) >= n })
}

func (a *rawAgent) have(t string) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range a.got {
		if e["type"] == t {
			n++
		}
	}
	return n
}

func (a *rawAgent) write(raw string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.conn.WriteMessage(websocket.TextMessage, []byte(raw)); err != nil {
		a.t.Error(err)
	}
}

// TestMalformedEnvelopes sends 1,000 broken envelopes through the whole host:
// each is answered by an error, nothing of them is shown as an answer, memory does not grow with
// them, and the chat goes on.
func TestMalformedEnvelopes(t *testing.T) {
	agent := startRawAgent(t)
	c, _ := startCore(t, t.TempDir(), agent.url(), host.PolicyAsk)
	p := dialPage(t, c, "")
	conv := p.create()
	p.say(conv, "hello")
	agent.count(p, "lineup.v1.message", 1)

	good := fmt.Sprintf(`{"v":1,"id":"ID","type":"lineup.v1.message","conversation_id":%q,"sender":{"kind":"agent","id":"raw"},"payload":{"text":"hi"}}`, conv)
	breaks := []func(s string, n int) string{
		func(s string, n int) string { return s[:len(s)-1-n%20] },
		func(s string, n int) string { return strings.Replace(s, `"v":1`, fmt.Sprintf(`"v":%d`, n+2), 1) },
		func(s string, n int) string { return strings.Replace(s, `"kind":"agent"`, `"kind":"user"`, 1) },
		func(s string, n int) string { return strings.Replace(s, `"id":"raw"`, `"id":"somebody"`, 1) },
		func(s string, n int) string { return strings.Replace(s, `"text":"hi"`, `"text":7`, 1) },
		func(s string, n int) string { return strings.Replace(s, `"text":"hi"`, `"text":"a","text":"b"`, 1) },
		func(s string, n int) string { return strings.Replace(s, `"payload":{`, `"payload":[{`, 1) },
		func(s string, n int) string {
			return strings.Replace(s, `"hi"`, strings.Repeat(`[`, 80+n)+strings.Repeat(`]`, 80+n), 1)
		},
		func(s string, n int) string { return strings.Replace(s, `"id":"`, `"id":"bad `, 1) },
		func(s string, n int) string { return "\xff" + s },
		func(s string, n int) string { return strings.Replace(s, "lineup.v1.message", "lineup.v1.choice", 1) },
		func(s string, n int) string { return `null` },
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	r := rand.New(rand.NewPCG(1, 2))
	half := uint64(0)
	for i := range 1000 {
		s := strings.Replace(good, `"ID"`, fmt.Sprintf(`"m%d"`, i), 1)
		agent.write(breaks[r.IntN(len(breaks))](s, r.IntN(50)))
		if i == 499 {
			agent.count(p, "lineup.v1.error", 500)
			half = heap()
		}
	}
	agent.count(p, "lineup.v1.error", 1000)
	if n := agent.have("lineup.v1.error"); n != 1000 {
		t.Errorf("%d answers to 1,000 broken envelopes", n)
	}
	if now := heap(); now > half+8<<20 {
		t.Errorf("the heap grew from %d to %d bytes", half, now)
	}
	agent.write(strings.Replace(good, `"ID"`, `"last"`, 1))
	p.until("the chat goes on", func() bool { return p.items["a:last"].ID != "" })
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, it := range p.items {
		if it.Kind == "message" && it.From == "agent" && id != "a:last" {
			t.Errorf("a broken envelope is shown: %s", id)
		}
	}
}
