package capability

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"
)

var codeRE = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// settleRetry is the pause before a result that could not be stored is tried again.
const settleRetry = 2 * time.Second

// start runs the provider of a call that the ledger has as executing. The
// caller holds the lock.
func (b *Broker) start(o *open) {
	ctx, cancel := context.WithCancel(b.ctx)
	o.phase, o.busy, o.stop = Executing, true, cancel
	b.state(o.call, Executing, Result{})
	patience := o.entry.timeout(b.opt.InvokeTimeout)
	expired := make(chan struct{})
	stopTimer := b.opt.Clock.AfterFunc(patience, func() { close(expired) })
	c := o.call
	c.Args = clone(o.call.Args)

	type outcome struct {
		value json.RawMessage
		err   error
	}
	done := make(chan outcome, 1)
	b.running.Add(1)
	go func() {
		v, err := invoke(ctx, o.entry.p, c)
		done <- outcome{v, err}
	}()
	go func() {
		defer b.running.Done()
		defer cancel()
		defer stopTimer()
		var got outcome
		select {
		case got = <-done:
		case <-expired:
			cancel()
			// A provider that does not heed its context must not hold the call.
			got.err = &ProviderError{Code: CodeTimeout, Message: "the capability did not finish in time; it may have had its effect"}
		}
		b.finish(o, b.result(o, got.value, got.err))
	}()
}

// invoke turns a panic into an error.
func invoke(ctx context.Context, p Provider, c Call) (v json.RawMessage, err error) {
	defer func() {
		if r := recover(); r != nil {
			v, err = nil, fmt.Errorf("the provider panicked: %v", r)
		}
	}()
	return p.Invoke(ctx, c)
}

// result is what a provider's outcome means, in our words.
func (b *Broker) result(o *open, value json.RawMessage, err error) Result {
	if err != nil {
		b.opt.Log.Warn("a capability failed", "capability", o.call.Capability, "call", o.call.ID, "err", err)
		var pe *ProviderError
		if errors.As(err, &pe) && codeRE.MatchString(pe.Code) {
			return Result{Status: Failed, Code: pe.Code, Message: cut(pe.Message, 300)}
		}
		return Result{Status: Failed, Code: CodeProvider, Message: "the capability failed on this machine"}
	}
	bad := Result{Status: Failed, Code: CodeInvalidOutput, Message: "the capability ran, but its result is not as declared"}
	v, err := canonicalValue(value)
	if err == nil {
		err = validate(o.entry.output, v)
	}
	if err != nil {
		b.opt.Log.Error("a capability's output is invalid", "capability", o.call.Capability, "err", err)
		return bad
	}
	return Result{Status: Completed, Value: v}
}

// finish stores how a run ended. A provider that was told to stop and did is
// reported as stopped; one that finished all the same is reported as finished,
// because the effect is there.
func (b *Broker) finish(o *open, r Result) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open[o.call.Key()] != o {
		return
	}
	event := EventExecuted
	if r.Status != Completed {
		event = EventFailed
		switch {
		case o.stopStatus != "" && r.Code != CodeInvalidOutput:
			r = Result{Status: o.stopStatus, Code: o.stopCode, Message: "stopped while it ran"}
			event = eventOf(r)
		case b.ctx.Err() != nil && r.Code != CodeInvalidOutput:
			r = resultInterrupted
		}
	}
	// The process may be on its way out: the result must be stored all the same.
	if err := b.settle(context.WithoutCancel(b.ctx), o, r, event, ""); err != nil {
		b.opt.Log.Error("a result could not be stored", "call", o.call.ID, "err", err)
		if !b.closed {
			b.opt.Clock.AfterFunc(settleRetry, func() { b.finish(o, r) })
		}
	}
}
