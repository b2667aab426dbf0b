package lineupws

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"time"

	"github.com/gorilla/websocket"

	"lineup/app/envelope"
)

const (
	// maxFrame is what a frame may hold for the connection to survive it. What is
	// beyond envelope.MaxSize is read and thrown away, so that it can be answered.
	maxFrame = 64 << 20
	// maxRaw is how much of a refused frame the peer is shown.
	maxRaw = 4 << 10
)

// extend gives the other side time to send the next bytes.
func (s *session) extend() {
	deadline := s.readyBy
	if deadline.IsZero() {
		deadline = time.Now().Add(s.cfg.PongWait)
	}
	_ = s.conn.SetReadDeadline(deadline)
}

// patient extends the deadline while bytes arrive.
type patient struct {
	s *session
	r io.Reader
}

func (p patient) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if n > 0 {
		p.s.extend()
	}
	return n, err
}

// frame reads one frame. An error ends the connection; a bad frame is an
// *envelope.Error with the beginning of it in data.
func (s *session) frame() (data []byte, bad *envelope.Error, err error) {
	s.waiting.Store(true)
	defer s.waiting.Store(false)
	s.extend() // the time that Receive took is not the other side's silence
	kind, r, err := s.conn.NextReader()
	if err != nil {
		return nil, nil, err
	}
	r = patient{s, r}
	if data, err = io.ReadAll(io.LimitReader(r, envelope.MaxSize+1)); err != nil {
		return nil, nil, err
	}
	if _, err = io.Copy(io.Discard, r); err != nil {
		return nil, nil, err
	}
	if kind != websocket.TextMessage {
		return data, &envelope.Error{Code: envelope.InvalidEnvelope, Field: envelope.Whole, Expected: "a text frame"}, nil
	}
	return data, nil, nil
}

// next reads one envelope that this connection may carry; it answers a bad
// frame and then returns ok false.
func (s *session) next(ctx context.Context) (e envelope.Envelope, ok bool, err error) {
	data, bad, err := s.frame()
	if err != nil {
		return e, false, err
	}
	if bad == nil {
		e, bad = envelope.Decode(data)
	}
	if bad == nil {
		bad = s.allowed(e)
	}
	if bad != nil {
		return e, false, s.refuse(ctx, bad, data)
	}
	return e, true, nil
}

// awaitReady answers all that is not ready until it comes or time is up.
func (s *session) awaitReady(ctx context.Context) (envelope.Ready, error) {
	for {
		e, ok, err := s.next(ctx)
		var ne net.Error
		if errors.As(err, &ne) && ne.Timeout() {
			return envelope.Ready{}, errNoReady
		}
		if err != nil {
			return envelope.Ready{}, err
		}
		if !ok {
			continue
		}
		ready, err := envelope.Payload[envelope.Ready](e)
		if err != nil {
			return envelope.Ready{}, err
		}
		s.agentID = ready.Agent.ID
		return ready, nil
	}
}

// receive takes one envelope of an open session.
func (s *session) receive(ctx context.Context) error {
	e, ok, err := s.next(ctx)
	if err != nil || !ok {
		return err
	}
	switch e.Type {
	case envelope.TypePing:
		return s.say(envelope.TypePong, "", e.ID, envelope.Pong{})
	case envelope.TypePong:
		return nil
	case envelope.TypeError:
		if e.ConversationID == "" {
			p, _ := envelope.Payload[envelope.ErrorPayload](e)
			s.cfg.Logger.Warn("the agent reports an error", "agent", s.agentID, "code", p.Code, "reply_to", e.ReplyTo)
			return nil
		}
	}
	return s.cfg.Peer.Receive(ctx, e)
}

// allowed says whether the other side may send e now: who it says it is, and
// which way the type goes.
func (s *session) allowed(e envelope.Envelope) *envelope.Error {
	no := func(field, expected string) *envelope.Error {
		return &envelope.Error{
			Code: envelope.InvalidEnvelope, Field: field, Expected: expected,
			ID: e.ID, ConversationID: e.ConversationID, Type: e.Type,
		}
	}
	if e.Sender.Kind != envelope.KindAgent {
		return no("sender.kind", envelope.KindAgent)
	}
	if s.agentID == "" {
		if e.Type != envelope.TypeReady {
			return no("type", string(envelope.TypeReady)+" before anything else")
		}
		if r, err := envelope.Payload[envelope.Ready](e); err != nil || r.Agent.ID != e.Sender.ID {
			return no("sender.id", "the same id as payload.agent.id")
		}
		return nil
	}
	if e.Sender.ID != s.agentID {
		return no("sender.id", "the id that session.ready gave")
	}
	switch e.Type {
	case envelope.TypePing, envelope.TypePong, envelope.TypeError:
		return nil
	case envelope.TypeReady:
		return no("type", "no second session.ready on a connection")
	}
	if envelope.ConnectionLevel(e.Type) {
		return no("type", "a type that an agent sends")
	}
	return nil
}

// refuse answers a bad frame, unless it is itself an error, and tells the peer.
func (s *session) refuse(ctx context.Context, bad *envelope.Error, raw []byte) error {
	s.refused++
	s.cfg.Logger.Debug("frame refused", "agent", s.agentID, "code", bad.Code, "field", bad.Field)
	if bad.Type != envelope.TypeError {
		conv := bad.ConversationID
		if envelope.ConnectionLevel(bad.Type) {
			conv = ""
		}
		if err := s.say(envelope.TypeError, conv, bad.ID, answer(bad)); err != nil {
			return err
		}
	}
	if len(raw) > maxRaw {
		raw = bytes.Clone(raw[:maxRaw]) // who keeps it must not keep a megabyte
	}
	s.cfg.Peer.Malformed(ctx, bad, raw)
	return nil
}

// answer is what the author of the agent reads. It names the field and holds
// none of its content.
func answer(bad *envelope.Error) any {
	type details struct {
		Field    string `json:"field"`
		Expected string `json:"expected"`
	}
	return struct {
		Code    envelope.ErrorCode `json:"code"`
		Message string             `json:"message"`
		Details details            `json:"details"`
	}{bad.Code, "refused: " + bad.Field + ": expected " + bad.Expected, details{bad.Field, bad.Expected}}
}
