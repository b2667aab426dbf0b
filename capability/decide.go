package capability

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Decide is the user's answer to one prompt. It decides that prompt and no
// other, once. An error other than the ones named in broker.go means that the
// ledger could not be written; the prompt then still waits. Deny needs nothing
// but a prompt that is not answered yet.
func (b *Broker) Decide(ctx context.Context, id PromptID, d Decision) error {
	switch d {
	case Once, Conversation, Always, Deny:
	default:
		return ErrBadDecision
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return ErrClosed
	}
	o := b.prompts[id]
	if o == nil {
		return ErrUnknownPrompt
	}
	if o.busy {
		return ErrAnswered
	}
	now := b.opt.Clock.Now()
	if due(o.call, now) {
		return orElse(b.settle(ctx, o, resultExpired, EventExpired, ""), ErrExpired)
	}
	if d == Deny {
		if err := b.settle(ctx, o, resultDenied, EventDenied, Deny); err != nil {
			return err
		}
		b.refused(o.call.Agent)
		return nil
	}
	if err := b.stillAllowed(ctx, o, now); err != nil {
		return err
	}
	if d != Once && !slices.Contains(o.remember, d) {
		return ErrNotRememberable
	}
	if o.risk == Restricted {
		b.identify(o, d)
		return nil
	}
	return b.allow(ctx, o, d, now)
}

// stillAllowed judges an open call by what holds now: the revision or the
// policy may have changed while the prompt was open. It settles what is not.
func (b *Broker) stillAllowed(ctx context.Context, o *open, now time.Time) error {
	if b.providers[o.call.Capability] != o.entry || b.opt.Visible(o.call.Agent, o.call.Capability) != Available {
		return orElse(b.settle(ctx, o, resultRevoked, EventUnsupported, ""), ErrRevoked)
	}
	if effect, _, _ := b.rule(o, now); effect == Forbid || o.risk == Restricted && b.opt.IdentityCheck == nil {
		return orElse(b.settle(ctx, o, resultForbidden, EventDenied, ByPolicy), ErrForbidden)
	}
	return nil
}

// allow commits the yes and starts the provider.
func (b *Broker) allow(ctx context.Context, o *open, d Decision, now time.Time) error {
	also := Also{Records: []Record{b.record(nil, o.call, EventAllowed, d, "")}}
	if d == Conversation || d == Always {
		also.Remember = b.newGrant(o, d, now)
		also.Records = append(also.Records, b.record(nil, o.call, EventGranted, d, ""))
	}
	if err := b.opt.Ledger.Advance(ctx, o.call.Key(), Pending, Executing, Result{}, now, also); err != nil {
		return b.lost(ctx, o, err)
	}
	delete(b.refusals, o.call.Agent)
	b.start(o)
	b.promptsChanged()
	return nil
}

// lost deals with a commit that failed. After a conflict the ledger is right
// and this memory is wrong: an earlier commit had happened although it looked
// failed. Then the yes is in the ledger, but nothing was run, and nothing is.
func (b *Broker) lost(ctx context.Context, o *open, err error) error {
	if !errors.Is(err, ErrConflict) {
		return err
	}
	e, ok, ferr := b.opt.Ledger.Find(ctx, o.call.Key())
	if ferr != nil || !ok {
		return err
	}
	if e.Phase == Executing {
		o.phase = Executing
		return b.settle(ctx, o, resultInterrupted, EventFailed, "")
	}
	if e.Phase == Settled {
		b.drop(o)
		b.settled(e.Call, e.Result)
		return nil
	}
	return err
}

// identify asks for proof of identity without holding the lock, then goes on
// if the call is still there.
func (b *Broker) identify(o *open, d Decision) {
	ctx, cancel := context.WithCancel(b.ctx)
	o.busy, o.stop = true, cancel
	b.promptsChanged()
	b.running.Add(1)
	go func() {
		defer b.running.Done()
		defer cancel()
		yes, err := confirm(ctx, b.opt.IdentityCheck, o.call, o.entry.desc)
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.closed || b.prompts[o.prompt] != o || o.phase != Pending {
			return // withdrawn, expired or revoked meanwhile
		}
		o.busy, o.stop = false, nil
		b.promptsChanged()
		now := b.opt.Clock.Now()
		switch {
		case err != nil: // a failed dialog decides nothing
			b.opt.Log.Warn("identity check", "err", err)
		case !yes:
			if err := b.settle(b.ctx, o, resultDenied, EventDenied, Deny); err == nil {
				b.refused(o.call.Agent)
			}
		case due(o.call, now):
			_ = b.settle(b.ctx, o, resultExpired, EventExpired, "")
		default:
			if err := b.stillAllowed(b.ctx, o, now); err != nil {
				return
			}
			if err := b.allow(b.ctx, o, d, now); err != nil {
				b.opt.Log.Error("ledger", "call", o.call.ID, "err", err)
			}
		}
	}()
}

func confirm(ctx context.Context, ic IdentityCheck, c Call, d Descriptor) (yes bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			yes, err = false, errors.New("the identity check panicked")
		}
	}()
	c.Args = clone(c.Args)
	return ic.Confirm(ctx, c, d)
}

// orElse returns err, or what is to be said when there is none.
func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}
