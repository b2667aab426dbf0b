package demoagent

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/gorilla/websocket"

	"lineup/app/envelope"
)

const (
	maxFrame     = 1 << 20  // PROTOCOL.md §7; a longer one is answered with an error
	maxDrain     = 16 << 20 // beyond this the connection is closed instead
	writeWait    = 30 * time.Second
	pingEvery    = 20 * time.Second
	readWait     = 65 * time.Second
	maxGreetings = 3
)

// session is one connection. Its reader (run) and writer are one goroutine each;
// only the writer writes.
type session struct {
	s    *Server
	conn *websocket.Conn
	ctx  context.Context
	end  context.CancelFunc

	wake    chan struct{}            // a conversation has something to send
	control chan []byte              // ready, pong, error; full = the reader waits
	joined  chan *conversation       // from the reader to the writer
	talks   map[string]*conversation // of the reader
	greeted bool                     // hello was answered
	known   map[string]bool          // capabilities of the latest inventory; nil = not told
}

func newSession(s *Server, conn *websocket.Conn) *session {
	sess := &session{
		s: s, conn: conn, wake: make(chan struct{}, 1),
		control: make(chan []byte, 64), joined: make(chan *conversation, 16),
		talks: map[string]*conversation{},
	}
	sess.ctx, sess.end = context.WithCancel(s.ctx)
	return sess
}

// run serves the connection until it breaks.
func (sess *session) run() {
	written := make(chan struct{})
	go func() {
		defer close(written)
		sess.write()
		sess.conn.Close() // ends the reader too
	}()
	sess.read()
	sess.end()
	<-written
	for _, c := range sess.talks {
		c.detach(sess)
	}
}

func (sess *session) read() {
	sess.conn.SetReadLimit(maxDrain)
	alive := func() { sess.conn.SetReadDeadline(time.Now().Add(readWait)) }
	alive()
	sess.conn.SetPongHandler(func(string) error { alive(); return nil })
	for {
		kind, in, err := sess.conn.NextReader()
		if err != nil {
			return
		}
		alive()
		raw, err := io.ReadAll(io.LimitReader(in, maxFrame+1))
		if err != nil {
			return
		}
		if len(raw) > maxFrame {
			if _, err := io.Copy(io.Discard, in); err != nil {
				return
			}
			sess.complain("", "", string(envelope.TooLarge), fmt.Sprintf("envelope: expected at most %d bytes", maxFrame))
			continue
		}
		if kind != websocket.TextMessage {
			sess.complain("", "", string(envelope.NotJSON), "envelope: expected a text frame with one JSON object")
			continue
		}
		if err := sess.receive(raw); err != nil {
			sess.s.log.Info("demo agent: session ended", "why", err)
			return
		}
	}
}

// receive handles one frame; an error ends the connection.
func (sess *session) receive(raw []byte) error {
	e, bad := envelope.Decode(raw)
	if bad != nil {
		if bad.Type != envelope.TypeError { // an error is never answered by one
			sess.complain(string(bad.ConversationID), string(bad.ID), string(bad.Code), bad.Field+": expected "+bad.Expected)
		}
		return nil
	}
	if e.Sender.Kind != envelope.KindClient && e.Sender.Kind != envelope.KindUser {
		sess.object(e, "bad_sender", `sender.kind: expected "client" or "user"`)
		return nil
	}
	switch e.Type {
	case envelope.TypeHello:
		return sess.hello(e)
	case envelope.TypePing:
		sess.control1(envelope.TypePong, "", e.ID, envelope.Pong{})
		return nil
	case envelope.TypePong:
		return nil
	}
	if !sess.greeted {
		sess.object(e, "hello_first", "type: expected lineup.v1.session.hello first")
		return nil
	}
	switch e.Type {
	case envelope.TypeInventory:
		sess.inventory(e)
	case envelope.TypeAppList:
		// The inventory says the same and more.
	case envelope.TypeMessage, envelope.TypeComponentResult, envelope.TypeCancel, envelope.TypeUIEvent,
		envelope.TypeUIResult, envelope.TypeAppResult, envelope.TypeError:
		sess.converse(e, raw)
	default:
		sess.object(e, "unsupported", fmt.Sprintf("type: %.80q is nothing this agent takes", e.Type))
	}
	return nil
}

// hello answers session.hello. That version 1 is among the offered ones has been
// checked with the payload.
func (sess *session) hello(e envelope.Envelope) error {
	h, err := envelope.Payload[envelope.Hello](e)
	if err != nil {
		sess.object(e, string(envelope.InvalidPayload), "payload: "+err.Error())
		return nil
	}
	if sess.greeted {
		sess.object(e, "already_ready", "type: one lineup.v1.session.hello a connection")
		return nil
	}
	sess.greeted = true
	sess.control1(envelope.TypeReady, "", e.ID, envelope.Ready{
		Agent:         envelope.ReadyAgent{ID: AgentID, Name: "LineUp Demo", Version: Version, Icon: icon},
		Conversations: sess.s.journal.points(h.Conversations),
		Features:      []string{"app.list"},
	})
	greetings := 0
	for _, p := range h.Conversations {
		if !envelope.ValidID(p.ConversationID) {
			continue
		}
		fresh := p.LastID == "" && !sess.s.journal.knows(p.ConversationID)
		if !fresh && !sess.s.journal.knows(p.ConversationID) {
			continue // nothing to send again; it joins with its first message
		}
		if fresh && greetings >= maxGreetings {
			continue
		}
		c := sess.join(p.ConversationID, sess.s.journal.after(p.ConversationID, p.LastID))
		if fresh {
			greetings++
			c.greet(localeLang(h.Locale))
		}
	}
	return nil
}

// join makes this session the one that sends what c makes.
func (sess *session) join(conv string, at int) *conversation {
	c := sess.s.conversation(conv)
	sess.talks[conv] = c
	c.attach(sess, at)
	select {
	case sess.joined <- c:
	case <-sess.ctx.Done():
	}
	return c
}

func (sess *session) inventory(e envelope.Envelope) {
	inv, err := envelope.Payload[envelope.Inventory](e)
	if err != nil {
		sess.object(e, string(envelope.InvalidPayload), "payload: "+err.Error())
		return
	}
	known := map[string]bool{}
	for _, c := range inv.Capabilities {
		known[c.Name] = true
	}
	sess.s.mu.Lock()
	sess.known = known
	sess.s.mu.Unlock()
}

// offers says whether the host's latest inventory has the capability; true too
// while it has not told.
func (sess *session) offers(name string) bool {
	sess.s.mu.Lock()
	defer sess.s.mu.Unlock()
	return sess.known == nil || sess.known[name]
}

func (sess *session) converse(e envelope.Envelope, raw []byte) {
	conv := string(e.ConversationID)
	c := sess.talks[conv]
	if c == nil {
		// Not named in hello: the host has had nothing from us that it did not
		// process, so sending starts at the end.
		c = sess.join(conv, sess.s.journal.end(conv))
	}
	if idle(e) {
		sess.s.journal.skip(e)
		return
	}
	if sess.s.journal.accept(e, raw) {
		c.deliver(sess.ctx, e)
	}
}
