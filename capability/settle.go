package capability

import (
	"context"
	"errors"
)

// Results that need no detail.
var (
	resultRevoked     = Result{Status: Unsupported, Code: CodeRevoked, Message: "the latest inventory revision has this capability no longer"}
	resultExpired     = Result{Status: Expired, Code: CodeExpired, Message: "expires_at passed before it was allowed"}
	resultDenied      = Result{Status: Rejected, Code: CodeUser, Message: "the user said no"}
	resultForbidden   = Result{Status: Rejected, Code: CodePolicy, Message: "a rule of this host forbids it"}
	resultWithdrawn   = Result{Status: Cancelled, Code: CodeWithdrawn, Message: "the agent withdrew the call"}
	resultStopped     = Result{Status: Cancelled, Code: CodeStopped, Message: "the user stopped this conversation's work"}
	resultInterrupted = Result{Status: Failed, Code: CodeInterrupted, Message: "the host stopped while it ran; it is not run again and may have had its effect"}
)

// eventOf names the audit event of a result.
func eventOf(r Result) string {
	switch r.Status {
	case Completed:
		return EventExecuted
	case Rejected:
		return EventDenied
	case Cancelled:
		return EventCancelled
	case Expired:
		return EventExpired
	case Unsupported:
		return EventUnsupported
	}
	return EventFailed
}

// settle ends an open call: first in the ledger, then in memory, then for
// everybody else. The caller holds the lock.
func (b *Broker) settle(ctx context.Context, o *open, r Result, event string, d Decision) error {
	also := Also{Records: []Record{b.record(nil, o.call, event, d, r.Code)}}
	err := b.opt.Ledger.Advance(ctx, o.call.Key(), o.phase, Settled, r, b.opt.Clock.Now(), also)
	if errors.Is(err, ErrConflict) {
		// An earlier commit had happened although it looked failed; what the
		// ledger says is what the agent hears.
		e, ok, ferr := b.opt.Ledger.Find(ctx, o.call.Key())
		switch {
		case ferr != nil || !ok:
			return err
		case e.Phase == Settled:
			r, err = e.Result, nil
		case e.Phase == Executing && o.phase == Pending:
			o.phase = Executing
			r = resultInterrupted
			also.Records[0] = b.record(nil, o.call, EventFailed, "", r.Code)
			err = b.opt.Ledger.Advance(ctx, o.call.Key(), Executing, Settled, r, b.opt.Clock.Now(), also)
		}
	}
	if err != nil {
		return err
	}
	b.drop(o)
	b.settled(o.call, r)
	return nil
}

// drop forgets an open call.
func (b *Broker) drop(o *open) {
	delete(b.open, o.call.Key())
	if o.stop != nil {
		o.stop()
	}
	if o.prompt != "" {
		delete(b.prompts, o.prompt)
		b.promptsChanged()
	}
	b.arm()
}
