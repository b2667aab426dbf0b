package capability

import (
	"context"
	"errors"
	"time"
)

// Phase is where a call stands in the ledger.
type Phase string

// A call goes pending → executing → settled and may skip forward, never back.
const (
	Pending   Phase = "pending"
	Executing Phase = "executing"
	Settled   Phase = "settled"
)

// Entry is a call in the ledger. Call.Args are the canonical bytes (empty when
// the arguments could not be read). Hash covers capability and arguments.
type Entry struct {
	Call     Call
	Hash     string
	Phase    Phase
	Result   Result // when Settled
	Reported bool   // OnResult has taken the result
}

// Also is what is committed in the same transaction as a transition.
type Also struct {
	Records  []Record // audit rows, in order; the store fills in Row, Seq, Prev and Hash
	Remember *Grant   // a new grant
	UsedID   string   // a grant that allowed the call: its LastUsedAt becomes UsedAt
	UsedAt   time.Time
}

// ErrConflict is returned by Advance when the call is not in the expected phase.
var ErrConflict = errors.New("capability: the call is not in the expected phase")

// Ledger keeps calls. Each method is one durable transaction: when it has
// returned nil, the change survives a crash; when it has returned an error, the
// change may or may not have happened. Methods may be called concurrently.
// The contract is capabilitytest.Ledger, run by each implementation.
type Ledger interface {
	// Begin stores e unless its key is known. It returns what is stored now,
	// and whether that is e. also is applied only if e was stored.
	Begin(ctx context.Context, e Entry, also Also) (stored Entry, fresh bool, err error)

	// Advance moves the call from one phase to another, or returns ErrConflict.
	// r is stored when to is Settled.
	Advance(ctx context.Context, k Key, from, to Phase, r Result, at time.Time, also Also) error

	// Find returns the call; ok is false if there is none.
	Find(ctx context.Context, k Key) (e Entry, ok bool, err error)

	// Unfinished returns what is pending, executing, or settled but not
	// reported, in the order of Begin.
	Unfinished(ctx context.Context) ([]Entry, error)

	// Reported notes that the result of a settled call was taken.
	Reported(ctx context.Context, k Key) error
}
