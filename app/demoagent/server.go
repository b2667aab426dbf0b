package demoagent

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"lineup/app/envelope"
)

// Subprotocol is the WebSocket subprotocol a client must offer (PROTOCOL.md §2).
const Subprotocol = "lineup.v1"

// AgentID is the id in session.ready and of every sender.
const AgentID = "demo"

// Version is what session.ready tells.
const Version = "1.0.0"

// Clock is the agent's time. Sleep returns early with the cause when ctx ends.
type Clock interface {
	Now() time.Time
	Sleep(ctx context.Context, d time.Duration) error
}

// Options configure Serve; see doc.go for the zero values.
type Options struct {
	Listen    string // host:port, default "127.0.0.1:0"
	Token     string // if set, "Authorization: Bearer …" must carry it
	StateFile string // JSON lines, created 0600; its folder is created 0700
	Logger    *slog.Logger
	Clock     Clock
}

// Server is a running demo agent.
type Server struct {
	opts    Options
	log     *slog.Logger
	clock   Clock
	journal *journal
	http    *http.Server
	addr    net.Addr

	ctx  context.Context
	stop context.CancelCauseFunc
	work sync.WaitGroup // workers, tickers and sessions

	mu       sync.Mutex
	talks    map[string]*conversation
	sessions map[*session]bool
	closed   bool

	closeOnce sync.Once
	closeErr  error
}

var errClosing = errors.New("demo agent is closing")

// Serve opens the port and answers on it until ctx ends or Close. Errors: the
// port is taken, or StateFile cannot be read or written.
func Serve(ctx context.Context, o Options) (*Server, error) {
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.Clock == nil {
		o.Clock = realClock{}
	}
	j, err := openJournal(o.StateFile)
	if err != nil {
		return nil, err
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", o.Listen)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("demo agent: %w", err), j.close())
	}
	s := &Server{
		opts: o, log: o.Logger, clock: o.Clock, journal: j, addr: l.Addr(),
		talks: map[string]*conversation{}, sessions: map[*session]bool{},
	}
	s.ctx, s.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	s.http = &http.Server{Handler: http.HandlerFunc(s.serveHTTP), ReadHeaderTimeout: 10 * time.Second}
	s.recoverWork()
	go s.http.Serve(l)
	context.AfterFunc(ctx, func() { s.Close() })
	return s, nil
}

// URL is where a host connects to: ws://host:port/.
func (s *Server) URL() string { return "ws://" + s.addr.String() + "/" }

// Close ends all sessions and waits for everything under way. A run that it
// cuts off goes on at the next start if there is a StateFile.
func (s *Server) Close() error {
	s.closeOnce.Do(func() {
		s.mu.Lock()
		s.closed = true
		open := make([]*session, 0, len(s.sessions))
		for sess := range s.sessions {
			open = append(open, sess)
		}
		s.mu.Unlock()
		s.stop(errClosing)
		err := s.http.Close()
		for _, sess := range open {
			sess.conn.Close() // hijacked: the HTTP server does not know it any more
		}
		s.work.Wait()
		s.closeErr = errors.Join(err, s.journal.close())
	})
	return s.closeErr
}

// recoverWork takes up what an earlier process accepted and did not finish.
func (s *Server) recoverWork() {
	for conv, todo := range s.journal.unfinished() {
		c := s.conversation(conv)
		for _, e := range todo {
			c.enqueue(e)
		}
	}
	for _, conv := range s.journal.names() {
		for _, ch := range runningCharts(s.journal.facts(conv)) {
			s.conversation(conv).startTicker(ch)
		}
	}
}

func (s *Server) conversation(id string) *conversation {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.talks[id]
	if c == nil {
		c = newConversation(s, id)
		s.talks[id] = c
		if !s.closed {
			s.work.Go(c.work)
		}
	}
	return c
}

func (s *Server) serveHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	// A web page always sends Origin, an agent host never: pages are kept out.
	if r.Header.Get("Origin") != "" {
		http.Error(w, "web pages may not connect", http.StatusForbidden)
		return
	}
	if !s.authorised(r) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "a bearer token is needed", http.StatusUnauthorized)
		return
	}
	if !slices.Contains(websocket.Subprotocols(r), Subprotocol) {
		http.Error(w, "this is a LineUp agent: connect by WebSocket with the subprotocol "+Subprotocol, http.StatusBadRequest)
		return
	}
	up := websocket.Upgrader{Subprotocols: []string{Subprotocol}, HandshakeTimeout: 10 * time.Second}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	sess := newSession(s, conn)
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		conn.Close()
		return
	}
	s.sessions[sess] = true
	s.work.Add(1)
	s.mu.Unlock()
	defer s.work.Done()
	sess.run()
	s.mu.Lock()
	delete(s.sessions, sess)
	s.mu.Unlock()
}

func (s *Server) authorised(r *http.Request) bool {
	if s.opts.Token == "" {
		return true
	}
	got, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && subtle.ConstantTimeCompare([]byte(got), []byte(s.opts.Token)) == 1
}

func sender() envelope.Party { return envelope.Party{Kind: envelope.KindAgent, ID: AgentID} }

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
