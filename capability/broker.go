package capability

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// Options are a Broker's parts. Only Ledger and Grants are required.
type Options struct {
	Ledger    Ledger
	Grants    Grants
	Audit     Audit // for remarks that belong to no transition; nil: not kept
	Providers []Provider

	// Visible is the latest inventory revision's word. Like Identify and Policy
	// it is called with the Broker's lock held: it must not call the Broker.
	Visible       func(AgentID, Name) Visibility
	Identify      func(AgentID) Identity
	Policy        Policy
	IdentityCheck IdentityCheck

	Clock         Clock
	IDs           func() string // prompt and grant ids
	Lang          func() string // language of summaries in the audit log
	Log           *slog.Logger
	MaxPending    int           // open calls an agent, default 64
	InvokeTimeout time.Duration // default 60 s; a Patient provider has its own
	QuietAfter    int           // refusals in a row, default 3

	// OnResult must have stored the result when it returns nil.
	OnResult func(Call, Result) error
	// OnState is told of each stored transition. The result is zero unless settled.
	OnState          func(Call, Phase, Result)
	OnPromptsChanged func()
}

// Broker is the only way to a Provider. See the package comment.
type Broker struct {
	opt    Options
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	events *dispatcher

	mu        sync.Mutex
	closed    bool
	providers map[Name]*entry
	open      map[Key]*open // pending and executing
	prompts   map[PromptID]*open
	order     int64 // of prompts
	refusals  map[AgentID]int
	running   sync.WaitGroup
	stopTimer func() bool
}

// open is a call that is not settled. It is guarded by Broker.mu.
type open struct {
	call      Call
	entry     *entry
	phase     Phase
	createdAt time.Time

	prompt     PromptID // empty: not asked
	order      int64
	quiet      bool
	busy       bool // answered: identity check or provider at work
	risk       Risk
	scope      string
	rule       func(lang string) string
	remember   []Decision
	stop       context.CancelFunc // of the identity check or the provider
	stopStatus Status             // why stop was called
	stopCode   string
}

// Errors of Decide.
var (
	ErrUnknownPrompt   = errors.New("capability: no such prompt waits")
	ErrAnswered        = errors.New("capability: the prompt was answered already")
	ErrExpired         = errors.New("capability: the request has expired")
	ErrRevoked         = errors.New("capability: the capability was revoked")
	ErrForbidden       = errors.New("capability: a policy forbids it")
	ErrNotRememberable = errors.New("capability: this answer cannot be remembered")
	ErrBadDecision     = errors.New("capability: decision must be once, conversation, always or deny")
	ErrClosed          = errors.New("capability: the broker is closed")
)

// closePatience is how long Close waits for providers that were told to stop.
const closePatience = 3 * time.Second

// NewBroker checks the providers' descriptors and returns a Broker that has
// asked nobody anything yet: call Resume before the first Submit.
func NewBroker(opt Options) (*Broker, error) {
	if opt.Ledger == nil || opt.Grants == nil {
		return nil, errors.New("capability: a broker needs a ledger and grants")
	}
	if opt.Clock == nil {
		opt.Clock = systemClock{}
	}
	if opt.IDs == nil {
		opt.IDs = func() string { return ulid.Make().String() }
	}
	if opt.Lang == nil {
		opt.Lang = func() string { return "en" }
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Visible == nil {
		opt.Visible = func(AgentID, Name) Visibility { return Unknown }
	}
	if opt.Identify == nil {
		opt.Identify = func(AgentID) Identity { return Identity{} }
	}
	if opt.MaxPending <= 0 {
		opt.MaxPending = 64
	}
	if opt.InvokeTimeout <= 0 {
		opt.InvokeTimeout = time.Minute
	}
	if opt.QuietAfter <= 0 {
		opt.QuietAfter = 3
	}
	b := &Broker{
		opt:       opt,
		providers: map[Name]*entry{},
		open:      map[Key]*open{},
		prompts:   map[PromptID]*open{},
		refusals:  map[AgentID]int{},
	}
	for _, p := range opt.Providers {
		e, err := newEntry(p)
		if err != nil {
			return nil, err
		}
		if b.providers[e.desc.Name] != nil {
			return nil, fmt.Errorf("capability: %s is provided twice", e.desc.Name)
		}
		b.providers[e.desc.Name] = e
	}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	b.events = newDispatcher()
	return b, nil
}

// Provide adds a capability, or replaces one: prompts that were open for the old
// one then end as revoked. Make the inventory say so too.
func (b *Broker) Provide(ctx context.Context, p Provider) error {
	e, err := newEntry(p)
	if err != nil {
		return err
	}
	b.mu.Lock()
	b.providers[e.desc.Name] = e
	b.mu.Unlock()
	return b.Recheck(ctx)
}

// Withhold takes a capability away. Its open calls end as revoked.
func (b *Broker) Withhold(ctx context.Context, name Name) error {
	b.mu.Lock()
	delete(b.providers, name)
	b.mu.Unlock()
	return b.Revoke(ctx, name)
}

// Descriptors returns what is provided, by name; policy and inventory decide
// what of it an agent may know.
func (b *Broker) Descriptors() []Descriptor {
	b.mu.Lock()
	defer b.mu.Unlock()
	return sortedDescriptors(b.providers)
}

// Title returns a capability's title in lang, or its name if nobody provides it.
func (b *Broker) Title(n Name, lang string) string {
	b.mu.Lock()
	e := b.providers[n]
	b.mu.Unlock()
	if e == nil {
		return string(n)
	}
	return e.title(lang)
}

// Close stops running providers, waits a bounded time for them, and makes the
// last callbacks. Pending calls stay pending in the ledger.
func (b *Broker) Close() {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return
	}
	b.closed = true
	if b.stopTimer != nil {
		b.stopTimer()
	}
	b.mu.Unlock()
	b.cancel()
	done := make(chan struct{})
	go func() { b.running.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(closePatience):
		b.opt.Log.Warn("a capability provider did not stop in time")
	}
	b.events.close()
}
