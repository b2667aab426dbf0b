package demoagent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"sync"

	"lineup/app/envelope"
)

// Bounds of back-pressure, in envelopes.
const (
	maxQueue  = 256
	maxUnsent = 256
)

var errStopped = errors.New("the user asked to stop")

// conversation handles one conversation's messages in order, on one goroutine
// (work), and lets the session that is attached to it send what it made.
type conversation struct {
	s    *Server
	id   string
	room chan struct{} // tokens of the queue, taken by readers
	wake chan struct{} // something is in the queue

	mu      sync.Mutex
	queue   []queued
	seq     int64
	stopAt  int64 // messages with a lower seq were stopped by a cancel
	stop    context.CancelCauseFunc
	sess    *session
	cursor  int           // absolute index of what is sent next
	moved   chan struct{} // closed and replaced when cursor moves
	tickers map[string]*ticker
}

type queued struct {
	e     envelope.Envelope
	seq   int64
	token bool
}

func newConversation(s *Server, id string) *conversation {
	return &conversation{
		s: s, id: id,
		room: make(chan struct{}, maxQueue), wake: make(chan struct{}, 1),
		cursor: s.journal.end(id), moved: make(chan struct{}),
		tickers: map[string]*ticker{},
	}
}

// deliver queues an accepted envelope; it blocks while the queue is full.
func (c *conversation) deliver(ctx context.Context, e envelope.Envelope) {
	if e.Type == envelope.TypeCancel { // must overtake
		c.enqueue(e)
		return
	}
	select {
	case c.room <- struct{}{}:
		c.put(e, true)
	case <-ctx.Done():
		// Accepted is journalled: it is handled at the next start.
	}
}

func (c *conversation) enqueue(e envelope.Envelope) { c.put(e, false) }

func (c *conversation) put(e envelope.Envelope, token bool) {
	c.mu.Lock()
	c.seq++
	c.queue = append(c.queue, queued{e, c.seq, token})
	if e.Type == envelope.TypeCancel {
		c.stopAt = c.seq
		if c.stop != nil {
			c.stop(errStopped)
		}
	}
	c.mu.Unlock()
	poke(c.wake)
}

// work is the conversation's goroutine.
func (c *conversation) work() {
	for {
		q, ok := c.take()
		if !ok {
			select {
			case <-c.wake:
				continue
			case <-c.s.ctx.Done():
				return
			}
		}
		if q.token {
			<-c.room
		}
		c.handle(q)
		if c.s.ctx.Err() != nil {
			return
		}
	}
}

func (c *conversation) take() (queued, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		return queued{}, false
	}
	q := c.queue[0]
	c.queue = c.queue[1:]
	return q, true
}

// handle runs the script for one envelope and notes it as done, unless the
// server is closing: then it is done again at the next start.
func (c *conversation) handle(q queued) {
	ctx, stop := context.WithCancelCause(c.s.ctx)
	defer stop(nil)
	c.mu.Lock()
	// A cancel stops what messages and answers started; results and events are
	// short and must be heard.
	stoppable := q.e.Type == envelope.TypeMessage || q.e.Type == envelope.TypeComponentResult
	stopped := stoppable && q.seq < c.stopAt
	if stoppable && !stopped {
		c.stop = stop
	}
	c.mu.Unlock()
	r := newRun(ctx, c, q.e)
	if !stopped {
		r.perform()
	}
	c.mu.Lock()
	c.stop = nil
	c.mu.Unlock()
	if c.s.ctx.Err() == nil {
		done := string(q.e.ID)
		if q.e.Type == typeChartEnd {
			done = "" // our own: no resume point for the host
		}
		c.s.journal.finish(c.id, done, r.changed)
	}
}

// append makes an envelope part of the conversation. It waits while too much is
// unsent, unless forced. An envelope made before, in a run that was cut off, is
// left out.
func (c *conversation) append(ctx context.Context, id string, t envelope.Type, replyTo envelope.ID, payload any, force bool) error {
	if err := context.Cause(ctx); err != nil && !force {
		return err
	}
	if c.s.journal.has(c.id, id) {
		return nil
	}
	for !force {
		c.mu.Lock()
		moved, unsent := c.moved, c.s.journal.end(c.id)-c.cursor
		c.mu.Unlock()
		if unsent < maxUnsent {
			break
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	e, err := envelope.New(t, envelope.ConversationID(c.id), sender(), payload)
	if err != nil {
		return err
	}
	e.ID, e.ReplyTo = envelope.ID(id), replyTo
	e.CreatedAt = &envelope.Time{Time: c.s.clock.Now().UTC()}
	frame, err := e.Encode()
	if err != nil {
		return err
	}
	c.s.journal.add(c.id, id, frame)
	c.mu.Lock()
	sess := c.sess
	c.mu.Unlock()
	if sess != nil {
		poke(sess.wake)
	}
	return nil
}

// attach gives the conversation to sess, which sends from the index at.
func (c *conversation) attach(sess *session, at int) {
	c.mu.Lock()
	c.sess = sess
	c.moveTo(at)
	c.mu.Unlock()
	poke(sess.wake)
}

// next gives what sess should send now.
func (c *conversation) next(sess *session) ([]sent, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sess != sess {
		return nil, 0
	}
	return c.s.journal.from(c.id, c.cursor, 16)
}

// advance notes that sess has written everything before the index at.
func (c *conversation) advance(sess *session, at int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sess == sess {
		c.moveTo(at)
	}
}

func (c *conversation) detach(sess *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sess == sess {
		c.sess = nil
	}
}

func (c *conversation) attached() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sess != nil
}

func (c *conversation) moveTo(at int) {
	c.cursor = at
	close(c.moved)
	c.moved = make(chan struct{})
}

// poke signals a channel of capacity one.
func poke(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// derive names what follows from a cause, the same in every process.
func derive(parts ...string) string {
	b, _ := json.Marshal(parts)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:10])
}
