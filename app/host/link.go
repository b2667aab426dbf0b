package host

import (
	"context"
	"sync"
	"time"

	"lineup/app/agent"
	"lineup/app/envelope"
	"lineup/app/store"
)

const outBatch = 64

// link is the host's side of one agent: its record, its connection and what
// still has to be sent. It implements agent.Peer.
type link struct {
	h  *Host
	id string

	mu           sync.Mutex
	rec          store.Agent
	state        agent.State
	conn         agent.Link
	cancel       context.CancelFunc // ends the present connection and the wish for one
	direct       []envelope.Envelope
	from         map[envelope.ConversationID]int64 // what the agent has processed, by its own word; else what was sent
	after        int64                             // Seq of the last entry taken from the store
	writing      int64                             // Seq of the entry that Next gave last
	pending      []store.Entry
	sent         map[envelope.ConversationID]int64 // written, not yet noted in the store
	sentSeq      map[envelope.ConversationID]int64 // what the store knows as sent
	wantsAppList bool

	wake chan struct{}
}

const maxDirect = 256

func (l *link) wakeUp() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *link) hangUp() {
	l.mu.Lock()
	conn := l.conn
	l.mu.Unlock()
	if d, ok := conn.(interface{ Drop() }); ok {
		d.Drop()
	}
}

// Hello implements agent.Peer.
func (l *link) Hello(ctx context.Context) (envelope.Hello, error) {
	points, err := l.h.store.ResumePoints(ctx, l.id)
	if err != nil {
		return envelope.Hello{}, err
	}
	if points == nil {
		points = []envelope.ResumePoint{}
	}
	return envelope.Hello{
		Client: envelope.HelloClient{Name: "LineUp Desktop", Version: l.h.version},
		Locale: l.h.language(), Protocol: []int{1}, Conversations: points,
	}, nil
}

// Ready implements agent.Peer.
func (l *link) Ready(ctx context.Context, r envelope.Ready) error {
	l.mu.Lock()
	rec := l.rec
	l.mu.Unlock()
	if rec.WireID != "" && rec.WireID != r.Agent.ID {
		return &agent.RefusedError{Code: agent.WrongID}
	}
	if err := l.h.store.SetAgentWire(ctx, l.id, r.Agent.ID, r.Agent.Version); err != nil {
		return err // also when the user removed the agent meanwhile
	}
	rec.WireID, rec.Version = r.Agent.ID, r.Agent.Version
	if rec.Name == "" {
		rec.Name = displayName(r.Agent.Name, r.Agent.ID)
		if err := l.h.store.PutAgent(ctx, rec); err != nil {
			return err
		}
	}
	marks, err := l.h.store.Watermarks(ctx, l.id)
	if err != nil {
		return err
	}
	// An agent that names what it has processed gets everything after that; one
	// that keeps no memory gets what was never written to a socket.
	from := map[envelope.ConversationID]int64{}
	if r.Conversations != nil {
		for _, m := range marks {
			from[m.Conversation] = 0
		}
	}
	for _, p := range r.Conversations {
		id := envelope.ConversationID(p.ConversationID)
		if _, ours := from[id]; !ours {
			continue
		}
		seq, known, err := l.h.store.MarkProcessed(ctx, id, envelope.ID(p.LastID))
		if err != nil {
			return err
		}
		if known {
			from[id] = seq
		}
	}
	list := false
	for _, f := range r.Features {
		list = list || f == "app.list"
	}
	l.mu.Lock()
	l.rec = rec
	l.from, l.after, l.pending, l.direct = from, 0, nil, nil
	l.wantsAppList = list
	l.mu.Unlock()
	l.h.hub.Mark(keyAgents)
	return l.offerInventory(ctx)
}

// Receive implements agent.Peer.
func (l *link) Receive(ctx context.Context, e envelope.Envelope) error {
	c := l.h.conv(e.ConversationID)
	if c == nil || c.agent != l {
		return l.answer(ctx, e, "unknown_conversation", "conversation_id: not a conversation of this agent")
	}
	select {
	case <-c.loaded:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := c.receive(ctx, e); err != nil && err != errConvGone {
		return err
	}
	return nil
}

// answer queues an error that belongs to no stored entry.
func (l *link) answer(ctx context.Context, e envelope.Envelope, code, message string) error {
	if e.Type == envelope.TypeError {
		return nil // an error is never answered by an error
	}
	a, err := l.h.entry(e.ConversationID, envelope.ID(l.h.newID()), envelope.TypeError, clientParty, e.ID,
		envelope.ErrorPayload{Code: code, Message: message})
	if err != nil {
		return err
	}
	return l.push(a.Env)
}

// push queues an envelope that is not in the store. The queue is bounded; an
// agent that provokes more answers than it reads loses the oldest.
func (l *link) push(e envelope.Envelope) error {
	l.mu.Lock()
	if len(l.direct) >= maxDirect {
		l.direct = l.direct[1:]
	}
	l.direct = append(l.direct, e)
	l.mu.Unlock()
	l.wakeUp()
	return nil
}

// Malformed implements agent.Peer.
func (l *link) Malformed(ctx context.Context, err *envelope.Error, raw []byte) {
	l.h.log.Warn("refused a frame", "agent", l.id, "code", err.Code, "field", err.Field, "expected", err.Expected)
	c := l.h.conv(err.ConversationID)
	if c == nil || c.agent != l || !l.h.malformed.Allow() {
		return
	}
	c.post(func() { c.noteMalformed(err) })
}

// Next implements agent.Peer.
func (l *link) Next(ctx context.Context) (envelope.Envelope, error) {
	for {
		l.mu.Lock()
		if len(l.direct) > 0 {
			e := l.direct[0]
			l.direct = l.direct[1:]
			l.mu.Unlock()
			return e, nil
		}
		if len(l.pending) > 0 {
			e := l.pending[0]
			l.pending = l.pending[1:]
			l.writing = e.Seq
			l.mu.Unlock()
			return e.Env, nil
		}
		from, after := l.from, l.after
		l.mu.Unlock()
		l.noteSent(ctx)
		entries, err := l.h.store.Pending(ctx, l.id, from, after, outBatch)
		if err != nil {
			return envelope.Envelope{}, err
		}
		if len(entries) > 0 {
			l.mu.Lock()
			if l.after == after { // not made ready anew meanwhile
				l.pending = entries
				l.after = entries[len(entries)-1].Seq
			}
			l.mu.Unlock()
			continue
		}
		select {
		case <-ctx.Done():
			return envelope.Envelope{}, ctx.Err()
		case <-l.wake:
		}
	}
}

// Sent implements agent.Peer.
func (l *link) Sent(e envelope.Envelope) {
	if e.ConversationID == "" {
		return
	}
	l.mu.Lock()
	l.sent[e.ConversationID] = max(l.sent[e.ConversationID], l.writing)
	l.mu.Unlock()
}

// noteSent writes the watermarks of what this connection has written.
func (l *link) noteSent(ctx context.Context) {
	l.mu.Lock()
	sent := l.sent
	l.sent = map[envelope.ConversationID]int64{}
	l.mu.Unlock()
	for id, seq := range sent {
		if err := l.h.store.MarkSent(ctx, id, seq); err != nil {
			l.h.log.Error("cannot note what was sent", "conversation", id, "err", err)
			continue
		}
		l.mu.Lock()
		before := l.sentSeq[id]
		l.sentSeq[id] = max(before, seq)
		l.mu.Unlock()
		if seq > before {
			l.h.markSent(id, before, seq)
		}
	}
	if len(sent) > 0 {
		l.h.hub.Mark(keyAgents)
	}
}

// again makes the link look through the store anew, for entries that were held back.
func (l *link) again() {
	l.mu.Lock()
	l.from, l.after, l.pending = nil, 0, nil
	l.mu.Unlock()
	l.wakeUp()
}

// queued tells whether our entry is not with the agent yet.
func (l *link) queued(id envelope.ConversationID, seq int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return seq > l.sentSeq[id]
}

// Changed implements agent.Peer.
func (l *link) Changed(s agent.State) {
	l.mu.Lock()
	l.state = s
	l.mu.Unlock()
	if s.Phase != agent.Connected {
		ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
		l.noteSent(ctx)
		stop()
	}
	l.h.hub.Mark(keyAgents)
}
