package capabilitytest

import (
	"context"
	"errors"
	"sync"
	"time"

	"lineup/capability"
)

// ErrDead is what a Crasher says when it is dead.
var ErrDead = errors.New("capabilitytest: the process is dead")

// Crasher is a Ledger that dies at its Nth write: before it happens, or right
// after it, when it is stored but nobody hears of it. From then on every
// operation fails, as if the process were gone.
type Crasher struct {
	capability.Ledger
	mu     sync.Mutex
	left   int
	stored bool
	dead   bool
}

// NewCrasher dies at write number n (from 1); stored tells on which side of it.
func NewCrasher(l capability.Ledger, n int, stored bool) *Crasher {
	return &Crasher{Ledger: l, left: n, stored: stored}
}

// Dead tells whether the write was reached.
func (c *Crasher) Dead() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dead
}

// write runs f unless dead or due to die before it.
func (c *Crasher) write(f func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead {
		return ErrDead
	}
	c.left--
	if c.left > 0 {
		return f()
	}
	c.dead = true
	if c.stored {
		_ = f()
	}
	return ErrDead
}

// Begin is a write.
func (c *Crasher) Begin(ctx context.Context, e capability.Entry, also capability.Also) (stored capability.Entry, fresh bool, err error) {
	err = c.write(func() (err error) { stored, fresh, err = c.Ledger.Begin(ctx, e, also); return err })
	return stored, fresh, err
}

// Advance is a write.
func (c *Crasher) Advance(ctx context.Context, k capability.Key, from, to capability.Phase, r capability.Result, at time.Time, also capability.Also) error {
	return c.write(func() error { return c.Ledger.Advance(ctx, k, from, to, r, at, also) })
}

// Reported is a write.
func (c *Crasher) Reported(ctx context.Context, k capability.Key) error {
	return c.write(func() error { return c.Ledger.Reported(ctx, k) })
}

// Find fails when dead.
func (c *Crasher) Find(ctx context.Context, k capability.Key) (capability.Entry, bool, error) {
	if c.Dead() {
		return capability.Entry{}, false, ErrDead
	}
	return c.Ledger.Find(ctx, k)
}

// Unfinished fails when dead.
func (c *Crasher) Unfinished(ctx context.Context) ([]capability.Entry, error) {
	if c.Dead() {
		return nil, ErrDead
	}
	return c.Ledger.Unfinished(ctx)
}
