package lineupws

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lineup/app/agent"
	"lineup/app/envelope"
)

func TestSession(t *testing.T) {
	type seen struct {
		auth  string
		hello envelope.Hello
		reply envelope.Envelope
	}
	result := make(chan seen, 1)
	url := agentServer(t, func(a *fakeAgent) {
		var s seen
		s.auth = a.request.Header.Get("Authorization")
		e, ok := a.read()
		if !ok || !a.write(readyText) {
			return
		}
		s.hello = payloadOf[envelope.Hello](a.t, e)
		a.write(message("m1", "hello"))
		if s.reply, ok = a.read(); !ok {
			return
		}
		result <- s
		a.drain()
	})
	p := newFakePeer()
	start(t, url, p, func(c *Config) { c.Token = func() string { return "s3cret" } })
	if s := p.phase(t, agent.Connecting); s.Code != "" {
		t.Errorf("connecting with code %q", s.Code)
	}
	p.phase(t, agent.Connected)
	if r := take(t, "ready", p.readies); r.Agent.ID != "hermes" || r.Conversations != nil {
		t.Errorf("ready: %+v", r)
	}
	if e := take(t, "message", p.got); e.ID != "m1" {
		t.Errorf("got %s", e.ID)
	}
	out, err := envelope.New(envelope.TypeMessage, "conv_01", envelope.Party{Kind: "user", ID: "me"}, envelope.Message{Text: "hi"})
	if err != nil {
		t.Fatal(err)
	}
	out.ID = "u1"
	p.out <- out
	if id := take(t, "sent", p.sent); id != "u1" {
		t.Errorf("sent %s", id)
	}
	s := take(t, "agent's view", result)
	if s.auth != "Bearer s3cret" {
		t.Errorf("authorization %q", s.auth)
	}
	if len(s.hello.Conversations) != 1 || s.hello.Conversations[0].LastID != "m9" {
		t.Errorf("hello %+v", s.hello)
	}
	if s.reply.ID != "u1" {
		t.Errorf("agent got %s", s.reply.ID)
	}
}

// After a break the link dials again by itself and says hello again.
func TestReconnect(t *testing.T) {
	var n atomic.Int32
	url := agentServer(t, func(a *fakeAgent) {
		if !a.greet() {
			return
		}
		if n.Add(1) < 4 {
			return // the socket closes
		}
		a.drain()
	})
	p := newFakePeer()
	start(t, url, p, nil)
	for i := range 4 {
		p.phase(t, agent.Connected)
		take(t, "hello", p.hellos)
		if i < 3 {
			if s := p.phase(t, agent.Reconnecting); s.Code != agent.Unreachable || s.RetryAt.IsZero() {
				t.Errorf("reconnecting: %+v", s)
			}
		}
	}
}

// Nobody listens: the link keeps trying, and Retry does not wait for the back-off.
func TestRetry(t *testing.T) {
	var up atomic.Bool
	url := agentServer(t, func(a *fakeAgent) {
		if up.Load() && a.greet() {
			a.drain()
		}
	})
	p := newFakePeer()
	l := start(t, url, p, func(c *Config) { c.Backoff = hourly{} })
	s := p.phase(t, agent.Reconnecting)
	if until := time.Until(s.RetryAt); until < 50*time.Minute {
		t.Errorf("retry in %v", until)
	}
	up.Store(true)
	l.Retry()
	p.phase(t, agent.Connected)
}

// Drop ends a connection, and the link makes a new one.
func TestDrop(t *testing.T) {
	url := agentServer(t, func(a *fakeAgent) { a.greet(); a.drain() })
	p := newFakePeer()
	l := start(t, url, p, nil)
	for range 3 {
		p.phase(t, agent.Connected)
		l.Drop()
		p.phase(t, agent.Reconnecting)
	}
}

type hourly struct{}

func (hourly) NextBackOff() time.Duration { return time.Hour }
func (hourly) Reset()                     {}

// What will not pass by itself is tried again only when someone asks.
func TestRefusedHandshakes(t *testing.T) {
	cases := map[string]struct {
		answer http.HandlerFunc
		code   agent.Code
	}{
		"unauthorized": {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(401) }, agent.BadToken},
		"forbidden":    {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(403) }, agent.BadToken},
		"a web page":   {func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("<html>")) }, agent.NotLineup},
		"redirect":     {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", 302) }, agent.NotLineup},
		"other protocol": {func(w http.ResponseWriter, r *http.Request) {
			if c, err := upgrader("chat").Upgrade(w, r, nil); err == nil {
				c.Close()
			}
		}, agent.NotLineup},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var tries atomic.Int32
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				tries.Add(1)
				c.answer(w, r)
			}))
			defer srv.Close()
			p := newFakePeer()
			l := start(t, "ws"+strings.TrimPrefix(srv.URL, "http"), p, nil)
			if s := p.phase(t, agent.Refused); s.Code != c.code {
				t.Errorf("code %q, want %q", s.Code, c.code)
			}
			l.Retry()
			p.phase(t, agent.Refused)
			if n := tries.Load(); n != 2 {
				t.Errorf("%d tries, want 2", n)
			}
		})
	}
}

// A server that is down behind its proxy comes back.
func TestBadGatewayPasses(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(502) }))
	defer srv.Close()
	p := newFakePeer()
	start(t, "ws"+strings.TrimPrefix(srv.URL, "http"), p, nil)
	for range 3 {
		if s := p.phase(t, agent.Reconnecting); s.Code != agent.Unreachable {
			t.Errorf("code %q", s.Code)
		}
	}
}

func TestPeerRefusesReady(t *testing.T) {
	url := agentServer(t, func(a *fakeAgent) { a.greet(); a.drain() })
	p := newFakePeer()
	p.onReady = func(envelope.Ready) error { return &agent.RefusedError{Code: agent.WrongID} }
	start(t, url, p, nil)
	if s := p.phase(t, agent.Refused); s.Code != agent.WrongID {
		t.Errorf("code %q", s.Code)
	}
}

func TestURLs(t *testing.T) {
	for url, want := range map[string]agent.Code{
		"ws://127.0.0.1:1/x":             "",
		"ws://127.9.9.9:1":               "",
		"ws://[::1]:80/":                 "",
		"ws://localhost:8080":            "",
		"WS://LOCALHOST:8080":            "",
		"wss://agents.example.com/a?b":   "",
		"ws://agents.example.com":        agent.InsecureURL,
		"ws://192.168.1.9:80":            agent.InsecureURL,
		"ws://localhost.example.com":     agent.InsecureURL,
		"ws://127.0.0.1.example.com":     agent.InsecureURL,
		"ws://localhost@example.com":     agent.InsecureURL,
		"wss://me:pw@agents.example.com": agent.InsecureURL,
		"http://127.0.0.1":               agent.InsecureURL,
		"file:///etc/passwd":             agent.InsecureURL,
		"ws://":                          agent.InsecureURL,
		"wss:agents.example.com":         agent.InsecureURL,
		"":                               agent.InsecureURL,
		"::":                             agent.InsecureURL,
	} {
		if got := CheckURL(url); got != want {
			t.Errorf("%q: %q, want %q", url, got, want)
		}
	}
}

// An address that may not be dialled is refused without a dial, and so is a
// token that no header can carry.
func TestNeverDialled(t *testing.T) {
	var dialled atomic.Bool
	url := agentServer(t, func(*fakeAgent) { dialled.Store(true) })
	insecure := strings.Replace(url, "127.0.0.1", "agents.invalid", 1)
	p := newFakePeer()
	start(t, insecure, p, nil)
	if s := p.phase(t, agent.Refused); s.Code != agent.InsecureURL {
		t.Errorf("code %q", s.Code)
	}
	q := newFakePeer()
	start(t, url, q, func(c *Config) { c.Token = func() string { return "a\r\nX-Evil: 1" } })
	if s := q.phase(t, agent.Refused); s.Code != agent.BadToken {
		t.Errorf("code %q", s.Code)
	}
	if dialled.Load() {
		t.Error("it was dialled")
	}
}

// ws://localhost is looked up outside this program: what answers must be here.
func TestLoopbackIsChecked(t *testing.T) {
	conn, err := dialLoopback(t.Context(), "tcp", strings.TrimPrefix(agentServer(t, func(*fakeAgent) {}), "ws://"))
	if err != nil {
		t.Fatalf("loopback: %v", err)
	}
	conn.Close()
	for ip, want := range map[string]bool{"127.0.0.1": true, "::1": true, "::ffff:127.0.0.1": true, "192.168.1.9": false, "0.0.0.0": false, "fe80::1": false} {
		if got := onThisMachine(&net.TCPAddr{IP: net.ParseIP(ip)}); got != want {
			t.Errorf("%s: %v", ip, got)
		}
	}
	if code := refusal(nil, errNotLoopback); code != agent.InsecureURL {
		t.Errorf("code %q", code)
	}
}
