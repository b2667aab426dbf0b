package lineupws

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"lineup/app/agent"
	"lineup/app/envelope"
)

// errNoReady ends a connection whose other side did not say ready in time.
var errNoReady = errors.New("lineupws: no session.ready")

// A session is one open WebSocket. All fields but conn's writing side and
// waiting belong to the reading goroutine.
type session struct {
	cfg  Config
	conn *websocket.Conn
	wmu  sync.Mutex // one writer at a time: the reading goroutine answers, the writing one sends

	waiting atomic.Bool // for the other side's next bytes

	readyBy time.Time // deadline while there is no ready; zero after it
	readyAt time.Time
	agentID string
	refused int // frames refused on this connection
}

func newSession(cfg Config, conn *websocket.Conn) *session {
	s := &session{cfg: cfg, conn: conn}
	conn.SetReadLimit(maxFrame)
	conn.SetPongHandler(func(string) error { s.extend(); return nil })
	return s
}

// run serves the connection until it breaks or ctx ends, and has stopped all
// its goroutines when it returns.
func (s *session) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	closed := make(chan struct{})
	context.AfterFunc(ctx, func() {
		defer close(closed)
		s.close()
	})
	var wg sync.WaitGroup
	defer func() {
		cancel(nil)
		<-closed
		wg.Wait()
		if s.refused > 0 {
			s.cfg.Logger.Warn("frames of an agent were refused", "agent", s.agentID, "count", s.refused)
		}
	}()

	if err := s.hello(ctx); err != nil {
		return err
	}
	s.readyBy = time.Now().Add(s.cfg.ReadyWait)
	ready, err := s.awaitReady(ctx)
	if err != nil {
		return err
	}
	if err := s.cfg.Peer.Ready(ctx, ready); err != nil {
		return fmt.Errorf("ready: %w", err)
	}
	s.readyBy, s.readyAt = time.Time{}, s.cfg.Now()
	s.cfg.Peer.Changed(agent.State{Phase: agent.Connected})
	wg.Go(func() { cancel(s.send(ctx)) })
	wg.Go(func() { s.ping(ctx, cancel) })
	for {
		if err := s.receive(ctx); err != nil {
			return err
		}
	}
}

// close says goodbye if the socket still takes it, and closes.
func (s *session) close() {
	bye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	_ = s.conn.WriteControl(websocket.CloseMessage, bye, time.Now().Add(time.Second))
	s.conn.Close()
}

func (s *session) hello(ctx context.Context) error {
	h, err := s.cfg.Peer.Hello(ctx)
	if err != nil {
		return fmt.Errorf("hello: %w", err)
	}
	return s.say(envelope.TypeHello, "", "", h)
}

// say writes an envelope of the link's own.
func (s *session) say(t envelope.Type, conv envelope.ConversationID, replyTo envelope.ID, payload any) error {
	e, err := envelope.New(t, conv, s.cfg.Sender, payload)
	if err != nil {
		return err
	}
	e.ID, e.CreatedAt, e.ReplyTo = s.cfg.NewID(), &envelope.Time{Time: s.cfg.Now()}, replyTo
	data, err := e.Encode()
	if err != nil {
		return err
	}
	return s.write(data)
}

func (s *session) write(data []byte) error {
	s.wmu.Lock()
	defer s.wmu.Unlock()
	_ = s.conn.SetWriteDeadline(time.Now().Add(s.cfg.WriteWait))
	return s.conn.WriteMessage(websocket.TextMessage, data)
}

// send is the writing goroutine.
func (s *session) send(ctx context.Context) error {
	for {
		e, err := s.cfg.Peer.Next(ctx)
		if err != nil {
			return err
		}
		data, err := e.Encode()
		if err != nil {
			// It can never be sent; holding on to it would hold back all that follows.
			s.cfg.Logger.Error("an envelope cannot be sent", "id", e.ID, "type", e.Type, "err", err)
		} else if err := s.write(data); err != nil {
			return err
		}
		s.cfg.Peer.Sent(e)
	}
}

// ping asks for a sign of life while the reading goroutine waits for one. While
// a conversation is busy nothing is read, so the other side's socket may be
// full: a pong could not leave, and WebSocket libraries give up a connection
// whose pong is stuck (gorilla's does so after one second).
func (s *session) ping(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(s.cfg.PingEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !s.waiting.Load() {
				continue
			}
			err := s.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(s.cfg.WriteWait))
			if err != nil && ctx.Err() == nil {
				cancel(err)
			}
		}
	}
}
