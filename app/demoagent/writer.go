package demoagent

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/gorilla/websocket"

	"lineup/app/envelope"
)

// object answers a valid envelope that cannot be taken; complain one that could
// not be read.
func (sess *session) object(e envelope.Envelope, code, text string) {
	if e.Type != envelope.TypeError {
		sess.complain(string(e.ConversationID), string(e.ID), code, text)
	}
}

func (sess *session) complain(conv, replyTo, code, text string) {
	sess.s.log.Info("demo agent: refused a frame", "code", code, "why", text)
	sess.control1(envelope.TypeError, conv, envelope.ID(replyTo), envelope.ErrorPayload{Code: code, Message: text})
}

// control1 sends one envelope that is no part of a conversation's log.
func (sess *session) control1(t envelope.Type, conv string, replyTo envelope.ID, payload any) {
	e, err := envelope.New(t, envelope.ConversationID(conv), sender(), payload)
	if err != nil {
		sess.s.log.Error("demo agent: cannot make an envelope", "type", t, "err", err)
		return
	}
	// No part of the conversation's log, so its id need not be derived.
	e.ID, e.ReplyTo = envelope.ID("c."+rand.Text()), replyTo
	frame, err := e.Encode()
	if err != nil {
		sess.s.log.Error("demo agent: cannot encode an envelope", "type", t, "err", err)
		return
	}
	select {
	case sess.control <- frame:
	case <-sess.ctx.Done():
	}
}

// write sends control envelopes first, then what the joined conversations made.
func (sess *session) write() {
	defer sess.end()
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	var talks []*conversation
	for {
		select {
		case <-sess.ctx.Done():
			code, why := websocket.CloseNormalClosure, ""
			if errors.Is(context.Cause(sess.s.ctx), errClosing) {
				code, why = websocket.CloseGoingAway, "closing"
			}
			sess.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, why), time.Now().Add(time.Second))
			return
		case frame := <-sess.control:
			if !sess.put(frame) {
				return
			}
		case c := <-sess.joined:
			talks = append(talks, c)
			poke(sess.wake)
		case <-ping.C:
			if sess.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeWait)) != nil {
				return
			}
		case <-sess.wake:
			// Ready was queued before any conversation joined: it goes first.
			if !sess.putControl() || !sess.flush(talks) {
				return
			}
		}
	}
}

// putControl writes the control envelopes that are queued now.
func (sess *session) putControl() bool {
	for {
		select {
		case frame := <-sess.control:
			if !sess.put(frame) {
				return false
			}
		default:
			return true
		}
	}
}

// flush sends a share of each conversation, so that none waits for another.
func (sess *session) flush(talks []*conversation) bool {
	for _, c := range talks {
		part, at := c.next(sess)
		if len(part) == 0 {
			continue
		}
		for _, m := range part {
			if !sess.put(m.frame) {
				return false
			}
		}
		c.advance(sess, at)
		poke(sess.wake) // there may be more
	}
	return true
}

func (sess *session) put(frame []byte) bool {
	sess.conn.SetWriteDeadline(time.Now().Add(writeWait))
	return sess.conn.WriteMessage(websocket.TextMessage, frame) == nil
}
