package capability

import (
	"context"
	"time"

	"lineup/capability/plain"
)

// Submit takes a call from an agent. It returns when what follows from it is in
// the ledger; the outcome comes through OnResult. The same call again is
// answered from the ledger: settled → OnResult with the stored result, not
// settled → nothing. Other arguments under the same id fail this submission
// alone. An error means that the ledger could not be written: submit again.
func (b *Broker) Submit(ctx context.Context, c Call) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return ErrClosed
	}
	now := b.opt.Clock.Now()
	if c.RequestedAt.IsZero() {
		c.RequestedAt = now
	}
	raw := c.Args
	args, argErr := canonical(raw)
	c.Args = args
	hash := fingerprint(c.Capability, args)
	if argErr != nil {
		hash = fingerprint(c.Capability, raw)
	}

	if e, ok, err := b.opt.Ledger.Find(ctx, c.Key()); err != nil {
		return err
	} else if ok {
		return b.again(ctx, c, hash, e)
	}

	v := b.judge(c, argErr, now)
	e := Entry{Call: c, Hash: hash, Phase: v.phase, Result: v.result}
	also := v.also
	also.Records = append([]Record{b.record(v.entry, c, EventRequested, "", "")}, also.Records...)
	stored, fresh, err := b.opt.Ledger.Begin(ctx, e, also)
	if err != nil {
		return err
	}
	if !fresh { // another process or an unclear commit was first
		return b.again(ctx, c, hash, stored)
	}
	b.follow(c, v)
	return nil
}

// again answers a call that the ledger knows.
func (b *Broker) again(ctx context.Context, c Call, hash string, e Entry) error {
	if e.Hash != hash {
		r := Result{Status: Failed, Code: CodeReused, Message: "this call_id was used with another capability or other arguments"}
		// Nothing of the first call changes; only the log gets a line. A log that
		// cannot be written must not hide the refusal.
		if b.opt.Audit != nil {
			if _, err := b.opt.Audit.Append(ctx, b.record(nil, c, EventReused, "", CodeReused)); err != nil {
				b.opt.Log.Error("audit", "err", err)
			}
		}
		b.tell(c, r, nil)
		return nil
	}
	if e.Phase == Settled {
		stored := e.Call
		stored.Conversation = c.Conversation
		b.tell(stored, e.Result, nil)
		return nil
	}
	// Begun by a commit whose outcome was unclear to us: nobody has it open.
	if b.open[c.Key()] == nil {
		return b.adopt(ctx, e)
	}
	return nil
}

// verdict is what the checks say about a call, before it is stored.
type verdict struct {
	entry  *entry // only when the arguments may be shown to it
	phase  Phase  // Settled, Executing, or Pending: ask
	result Result
	also   Also
	open   *open
}

// judge makes all checks of PROTOCOL.md §5, in its order. It changes nothing.
func (b *Broker) judge(c Call, argErr error, now time.Time) verdict {
	e := b.providers[c.Capability]
	var checked *entry
	settle := func(event string, r Result) verdict {
		return verdict{entry: checked, phase: Settled, result: r, also: Also{Records: []Record{b.record(nil, c, event, "", r.Code)}}}
	}
	vis := b.opt.Visible(c.Agent, c.Capability)
	if vis == Revoked {
		return settle(EventUnsupported, resultRevoked)
	}
	if vis != Available || e == nil {
		return settle(EventUnsupported, Result{Status: Unsupported, Code: CodeUnknown, Message: "no inventory revision had this capability"})
	}
	if argErr == nil {
		argErr = e.check(c.Args)
	}
	if argErr != nil {
		return settle(EventFailed, Result{Status: Failed, Code: CodeArguments, Message: cut(argErr.Error(), 300)})
	}
	checked = e
	if due(c, now) {
		return settle(EventExpired, resultExpired)
	}
	o := &open{call: c, entry: e, createdAt: now}
	o.scope, o.rule = e.scope(c.Args)
	effect, by, grantID := b.rule(o, now)
	if effect == Forbid || o.risk == Restricted && b.opt.IdentityCheck == nil {
		v := settle(EventDenied, Result{Status: Rejected, Code: CodePolicy, Message: "a rule of this host forbids it"})
		v.also.Records[0].Decision = ByPolicy
		return v
	}
	if b.openCalls(c) >= b.opt.MaxPending {
		return settle(EventFailed, Result{Status: Failed, Code: CodeBusy, Message: "too many calls of this agent are open"})
	}
	if effect == Allow {
		o.phase = Executing
		v := verdict{entry: e, phase: Executing, open: o}
		v.also.Records = []Record{b.record(nil, c, EventAllowed, by, "")}
		v.also.UsedID, v.also.UsedAt = grantID, now
		return v
	}
	o.phase = Pending
	return verdict{entry: e, phase: Pending, open: o, also: Also{Records: []Record{b.record(nil, c, EventPrompted, "", "")}}}
}

// openCalls counts an agent's open calls other than c.
func (b *Broker) openCalls(c Call) (n int) {
	for k := range b.open {
		if k.Agent == c.Agent && k != c.Key() {
			n++
		}
	}
	return n
}

// follow acts on a verdict that is now in the ledger.
func (b *Broker) follow(c Call, v verdict) {
	switch v.phase {
	case Settled:
		b.settled(c, v.result)
	case Executing:
		b.open[c.Key()] = v.open
		b.state(c, Pending, Result{})
		b.start(v.open)
	default:
		b.open[c.Key()] = v.open
		b.state(c, Pending, Result{})
		b.ask(v.open)
	}
}

// due tells whether the call's time is over: at expires_at it is.
func due(c Call, now time.Time) bool { return !c.ExpiresAt.IsZero() && !now.Before(c.ExpiresAt) }

// record makes an audit row about a call. The summary is the provider's own
// redaction, made harmless to read.
func (b *Broker) record(e *entry, c Call, event string, d Decision, code string) Record {
	r := Record{
		Chain: c.Agent, At: b.opt.Clock.Now().UTC().Truncate(time.Millisecond), Event: event, Call: c.ID,
		Conversation: c.Conversation, Capability: c.Capability, Decision: d, Code: code,
	}
	if !nameRE.MatchString(string(c.Capability)) {
		name, _, _ := plain.Show(string(c.Capability))
		r.Capability = Name(cut(name, 128))
	}
	if e != nil && len(c.Args) > 0 {
		text, _, _ := plain.Show(e.present(c.Args, b.opt.Lang()).Summary)
		r.Summary = cut(text, 200)
	}
	return r
}

func (b *Broker) state(c Call, p Phase, r Result) {
	if f := b.opt.OnState; f != nil {
		b.events.add(func() { f(c, p, r) })
	}
}

// tell hands a result out; then, if it was taken, done runs.
func (b *Broker) tell(c Call, r Result, done func()) {
	f := b.opt.OnResult
	if f == nil {
		return
	}
	b.events.add(func() {
		if err := f(c, r); err != nil {
			b.opt.Log.Error("a call's result was not taken", "call", c.ID, "err", err)
			return
		}
		if done != nil {
			done()
		}
	})
}

// settled tells of a call that the ledger has as settled.
func (b *Broker) settled(c Call, r Result) {
	b.state(c, Settled, r)
	b.tell(c, r, func() {
		if err := b.opt.Ledger.Reported(context.WithoutCancel(b.ctx), c.Key()); err != nil {
			b.opt.Log.Error("ledger", "call", c.ID, "err", err)
		}
	})
}
