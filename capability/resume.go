package capability

import "context"

// Resume takes up what the ledger has open: pending calls are judged again by
// what holds now and asked again, executing ones end as failed/interrupted and
// are never run again, results that were not taken are handed out again. Call it
// once, before the first Submit.
func (b *Broker) Resume(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return ErrClosed
	}
	entries, err := b.opt.Ledger.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if b.open[e.Call.Key()] != nil {
			continue
		}
		if err := b.adopt(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// adopt takes up one call that is in the ledger and that nobody has open.
func (b *Broker) adopt(ctx context.Context, e Entry) error {
	o := &open{call: e.Call, phase: e.Phase, createdAt: e.Call.RequestedAt, entry: b.providers[e.Call.Capability]}
	switch e.Phase {
	case Settled:
		b.settled(e.Call, e.Result)
		return nil
	case Executing:
		return b.settle(ctx, o, resultInterrupted, EventFailed, "")
	}
	now := b.opt.Clock.Now()
	v := b.judge(e.Call, nil, now)
	switch v.phase {
	case Settled:
		return b.settle(ctx, o, v.result, eventOf(v.result), v.also.Records[0].Decision)
	case Executing:
		// Its rule allowed it, or does now; it was never begun.
		if err := b.opt.Ledger.Advance(ctx, e.Call.Key(), Pending, Executing, Result{}, now, v.also); err != nil {
			return err
		}
		b.open[e.Call.Key()] = v.open
		b.start(v.open)
		return nil
	}
	v.open.createdAt = e.Call.RequestedAt
	b.open[e.Call.Key()] = v.open
	b.state(e.Call, Pending, Result{})
	b.ask(v.open)
	return nil
}
