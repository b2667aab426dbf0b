package capability

import (
	"context"
	"time"
)

// Withdraw is the agent's app.cancel. Unknown and settled calls are left alone.
// A call that runs is told to stop; what it then reports is what is true.
func (b *Broker) Withdraw(ctx context.Context, agent AgentID, id CallID) error {
	return b.end(ctx, resultWithdrawn, func(o *open) bool { return o.call.Key() == Key{agent, id} })
}

// CancelConversation is the user's Stop: every open call of the conversation
// ends as cancelled.
func (b *Broker) CancelConversation(ctx context.Context, conversation string) error {
	return b.end(ctx, resultStopped, func(o *open) bool { return o.call.Conversation == conversation })
}

// CloseConversation is Stop for good: the answers remembered for the
// conversation are forgotten too.
func (b *Broker) CloseConversation(ctx context.Context, conversation string) error {
	if err := b.CancelConversation(ctx, conversation); err != nil {
		return err
	}
	return b.opt.Grants.ForgetConversation(ctx, conversation, b.opt.Clock.Now())
}

// ForgetAgent ends an agent's open calls and forgets what was remembered for it.
func (b *Broker) ForgetAgent(ctx context.Context, agent AgentID) error {
	if err := b.end(ctx, resultStopped, func(o *open) bool { return o.call.Agent == agent }); err != nil {
		return err
	}
	return b.opt.Grants.ForgetAgent(ctx, agent, b.opt.Clock.Now())
}

// Revoke ends the open calls of a capability as unsupported/revoked, also while
// their prompt is open. Call it after Visible says so for new ones.
func (b *Broker) Revoke(ctx context.Context, name Name) error {
	return b.end(ctx, resultRevoked, func(o *open) bool { return o.call.Capability == name })
}

// Recheck ends the open prompts that the latest revision, or a changed policy,
// no longer allows. Call it after either changed.
func (b *Broker) Recheck(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.opt.Clock.Now()
	for _, o := range b.open {
		if o.phase != Pending {
			continue
		}
		switch err := b.stillAllowed(ctx, o, now); err {
		case nil, ErrRevoked, ErrForbidden:
		default:
			return err
		}
	}
	b.promptsChanged()
	return nil
}

// RevokeGrant forgets a remembered answer; false if there is none of this id.
func (b *Broker) RevokeGrant(ctx context.Context, id string) (bool, error) {
	grants, err := b.opt.Grants.List(ctx)
	if err != nil {
		return false, err
	}
	for _, g := range grants {
		if g.ID == id {
			return b.opt.Grants.Revoke(ctx, id, Record{
				Chain: g.Agent, At: b.opt.Clock.Now().UTC().Truncate(time.Millisecond), Event: EventGrantRevoked,
				Conversation: g.Conversation, Capability: g.Capability, Decision: g.Duration,
			})
		}
	}
	return false, nil
}

// end settles what waits and stops what runs.
func (b *Broker) end(ctx context.Context, r Result, which func(*open) bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return ErrClosed
	}
	var first error
	for _, o := range b.open {
		if !which(o) {
			continue
		}
		if o.phase == Executing {
			if o.stopStatus == "" {
				o.stopStatus, o.stopCode = r.Status, r.Code
				o.stop()
			}
			continue
		}
		if err := b.settle(ctx, o, r, eventOf(r), ""); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// arm sets the timer for the next pending call that expires. The caller holds
// the lock.
func (b *Broker) arm() {
	if b.stopTimer != nil {
		b.stopTimer()
		b.stopTimer = nil
	}
	if b.closed {
		return
	}
	var next time.Time
	for _, o := range b.open {
		if t := o.call.ExpiresAt; o.phase == Pending && !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	if next.IsZero() {
		return
	}
	// Capped so that a clock that was set back is noticed within a minute.
	wait := min(max(next.Sub(b.opt.Clock.Now()), 0), time.Minute)
	b.stopTimer = b.opt.Clock.AfterFunc(wait, b.expire)
}

// expire settles every pending call whose time is over.
func (b *Broker) expire() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	now := b.opt.Clock.Now()
	failed := false
	for _, o := range b.open {
		if o.phase != Pending || !due(o.call, now) {
			continue
		}
		if err := b.settle(b.ctx, o, resultExpired, EventExpired, ""); err != nil {
			b.opt.Log.Error("ledger", "call", o.call.ID, "err", err)
			failed = true
		}
	}
	if failed {
		b.stopTimer = b.opt.Clock.AfterFunc(settleRetry, b.expire)
		return
	}
	b.arm()
}
