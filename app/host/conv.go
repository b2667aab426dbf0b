package host

import (
	"context"
	"errors"
	"sync"
	"time"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/store"
)

const (
	inboxSize = 256 // envelopes of an agent that wait for one conversation
	batchSize = 256 // envelopes committed in one transaction
)

var errConvGone = errors.New("the conversation is gone")

// conv is one live conversation. Only its own goroutine changes log and state.
type conv struct {
	h     *Host
	id    envelope.ConversationID
	agent *link

	inbox chan envelope.Envelope

	jobMu sync.Mutex
	jobs  []func() // work from inside the host; never blocks the giver
	kick  chan struct{}

	loaded  chan struct{} // closed once the log was replayed
	loadErr error

	mu     sync.Mutex
	state  *conversation.State
	views  map[string]*messageView
	extra  map[string]*surfaceExtra // by item id
	titled bool                     // the title was set by the user or from the first message

	ctx  context.Context
	stop context.CancelFunc
	done chan struct{}
}

func (h *Host) newConv(id envelope.ConversationID, l *link, titled bool) *conv {
	ctx, stop := context.WithCancel(h.ctx)
	c := &conv{h: h, id: id, agent: l, titled: titled,
		inbox: make(chan envelope.Envelope, inboxSize), kick: make(chan struct{}, 1),
		loaded: make(chan struct{}), state: conversation.New(id),
		views: map[string]*messageView{}, extra: map[string]*surfaceExtra{},
		ctx: ctx, stop: stop, done: make(chan struct{})}
	go c.run()
	return c
}

// receive hands over an envelope of the agent's. It blocks while the
// conversation is busy; that is the back-pressure on the agent's socket.
func (c *conv) receive(ctx context.Context, e envelope.Envelope) error {
	select {
	case c.inbox <- e:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.ctx.Done():
		return errConvGone
	}
}

// post queues work for the conversation's goroutine and returns at once.
func (c *conv) post(job func()) {
	c.jobMu.Lock()
	c.jobs = append(c.jobs, job)
	c.jobMu.Unlock()
	select {
	case c.kick <- struct{}{}:
	default:
	}
}

// do runs fn on the conversation's goroutine and waits for its error.
func (c *conv) do(ctx context.Context, fn func() error) error {
	res := make(chan error, 1)
	c.post(func() { res <- fn() })
	select {
	case err := <-res:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-c.done:
		return errConvGone
	}
}

func (c *conv) run() {
	defer close(c.done)
	if err := c.load(); err != nil {
		c.loadErr = err
		c.h.log.Error("conversation cannot be loaded", "conversation", c.id, "err", err)
		close(c.loaded)
		return
	}
	close(c.loaded)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		c.mu.Lock()
		at, _ := c.state.NextExpiry()
		c.mu.Unlock()
		if at.IsZero() {
			timer.Stop()
		} else {
			timer.Reset(max(0, at.Sub(c.h.now())))
		}
		select {
		case <-c.ctx.Done():
			return
		case e := <-c.inbox:
			c.takeIn(c.drain(e))
		case <-c.kick:
			for _, job := range c.takeJobs() {
				job()
			}
		case <-timer.C:
			c.expire()
		}
	}
}

func (c *conv) takeJobs() []func() {
	c.jobMu.Lock()
	defer c.jobMu.Unlock()
	jobs := c.jobs
	c.jobs = nil
	return jobs
}

// drain collects what else has arrived: one transaction for all of it.
func (c *conv) drain(first envelope.Envelope) []envelope.Envelope {
	batch := []envelope.Envelope{first}
	for len(batch) < batchSize {
		select {
		case e := <-c.inbox:
			batch = append(batch, e)
		default:
			return batch
		}
	}
	return batch
}

func (c *conv) load() error {
	err := c.h.store.Log(c.ctx, c.id, 0, func(e store.Entry) error {
		c.state.Apply(kernelEntry(e))
		return nil
	})
	if err != nil {
		return err
	}
	c.h.hub.Mark(keyConv(c.id))
	c.post(func() { c.carryOut(c.state.Owed()) })
	return nil
}

func kernelEntry(e store.Entry) conversation.Entry {
	dir := conversation.In
	switch e.Dir {
	case store.Out:
		dir = conversation.Out
	case store.Local:
		dir = conversation.Local
	}
	return conversation.Entry{Seq: e.Seq, Dir: dir, At: e.At, Env: e.Env}
}

func (c *conv) takeIn(batch []envelope.Envelope) {
	entries := make([]store.Entry, len(batch))
	for i, e := range batch {
		entries[i] = store.Entry{Dir: store.In, At: c.h.now(), Env: e}
	}
	if err := c.append(entries); err != nil {
		// Not stored means not taken: the connection is dropped, and what
		// follows the last stored id is sent again by the agent.
		c.h.log.Error("cannot store what the agent sent", "conversation", c.id, "err", err)
		c.agent.hangUp()
	}
}

// append commits entries in one transaction, applies them, tells the pages and
// carries out what is owed. Only on the conversation's goroutine.
func (c *conv) append(entries []store.Entry) error {
	stored, err := c.h.store.Append(c.ctx, entries)
	if err != nil {
		return err
	}
	var effects []conversation.Effect
	var keys = []keyT{keyConv(c.id)}
	var ended []endedText
	var surfaces []string
	out := false
	c.mu.Lock()
	for _, e := range stored {
		if e.Duplicate {
			continue
		}
		out = out || e.Dir == store.Out
		d := c.state.Apply(kernelEntry(e))
		c.h.inspect.log(c, kernelEntry(e), d)
		effects = append(effects, d.Effects...)
		for _, it := range d.Changed {
			keys = append(keys, keyItem(c.id, it.ID))
			if it.Kind == conversation.KindSurface {
				surfaces = append(surfaces, it.ID)
			}
		}
		for _, it := range d.Ended {
			if m, ok := it.Data.(*conversation.Message); ok && !m.Streaming {
				ended = append(ended, endedText{it.ID, m.Text(), it.At})
			}
		}
		keys = append(keys, c.framesOf(d)...)
	}
	c.mu.Unlock()
	c.h.hub.Mark(keys...)
	for _, item := range surfaces {
		c.h.settleItem(c, item)
	}
	if out {
		c.agent.wakeUp()
	}
	c.summarise(ended)
	c.carryOut(effects)
	return nil
}

type endedText struct {
	id, text string
	at       time.Time
}

// out commits one envelope to the agent.
func (c *conv) out(t envelope.Type, sender envelope.Party, replyTo envelope.ID, payload any) error {
	return c.outAs(envelope.ID(c.h.newID()), t, sender, replyTo, payload)
}

func (c *conv) outAs(id envelope.ID, t envelope.Type, sender envelope.Party, replyTo envelope.ID, payload any) error {
	e, err := c.h.entry(c.id, id, t, sender, replyTo, payload)
	if err != nil {
		return err
	}
	return c.append([]store.Entry{e})
}

// local commits a fact of the host's own.
func (c *conv) local(t envelope.Type, payload any) error {
	e, err := c.h.entry(c.id, envelope.ID(c.h.newID()), t, clientParty, "", payload)
	if err != nil {
		return err
	}
	e.Dir = store.Local
	return c.append([]store.Entry{e})
}

var (
	clientParty = envelope.Party{Kind: envelope.KindClient, ID: "desktop"}
	userParty   = envelope.Party{Kind: envelope.KindUser, ID: "user"}
)

func (h *Host) entry(conv envelope.ConversationID, id envelope.ID, t envelope.Type, sender envelope.Party, replyTo envelope.ID, payload any) (store.Entry, error) {
	e, err := envelope.New(t, conv, sender, payload)
	if err != nil {
		return store.Entry{}, err
	}
	e.ID, e.ReplyTo = id, replyTo
	at := h.now()
	e.CreatedAt = &envelope.Time{Time: at}
	return store.Entry{Dir: store.Out, At: at, Env: e}, nil
}

// expire settles the components whose time has passed.
func (c *conv) expire() {
	for {
		c.mu.Lock()
		at, it := c.state.NextExpiry()
		c.mu.Unlock()
		if it == nil || at.After(c.h.now()) {
			return
		}
		if err := c.out(envelope.TypeComponentResult, clientParty, it.Env, envelope.ComponentResult{
			ComponentID: string(it.Env), Status: "expired"}); err != nil {
			c.h.log.Error("cannot store that a component expired", "conversation", c.id, "err", err)
			return
		}
	}
}
