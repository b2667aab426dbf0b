package capability_test

import (
	"context"
	"errors"
	"sync"
	"time"

	"lineup/capability"
)

const settleRetry = 2 * time.Second

// flakyLedger fails its write number at, on either side of the commit.
type flakyLedger struct {
	capability.Ledger
	at     int
	stored bool

	mu sync.Mutex
	n  int
}

func (f *flakyLedger) write(do func() error) error {
	f.mu.Lock()
	f.n++
	hit := f.n == f.at
	f.mu.Unlock()
	if !hit {
		return do()
	}
	if f.stored {
		_ = do()
	}
	return errors.New("input/output error")
}

func (f *flakyLedger) Begin(ctx context.Context, e capability.Entry, also capability.Also) (s capability.Entry, fresh bool, err error) {
	err = f.write(func() (err error) { s, fresh, err = f.Ledger.Begin(ctx, e, also); return err })
	return s, fresh, err
}

func (f *flakyLedger) Advance(ctx context.Context, k capability.Key, from, to capability.Phase, r capability.Result, at time.Time, also capability.Also) error {
	return f.write(func() error { return f.Ledger.Advance(ctx, k, from, to, r, at, also) })
}
