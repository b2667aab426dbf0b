package inventory

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"lineup/capability"
)

// Debounce is how long changes are gathered before agents are told.
const Debounce = 250 * time.Millisecond

// The kinds of names a store remembers.
const (
	KindCapability = "capability"
	KindApp        = "app"
	KindSurface    = "surface" // "app/surface"
)

// Store keeps revisions and every name that any revision had.
type Store interface {
	// NextRevision gives the agent's revision for content: the same one when
	// content is that of its latest, else one that is higher than all before.
	NextRevision(ctx context.Context, agentID string, content []byte) (n int64, changed bool, err error)
	RememberKnown(ctx context.Context, agentID, kind string, names ...string) error
	EverKnown(ctx context.Context, agentID, kind, name string) (bool, error)
}

// Clock is the seam for time. AfterFunc calls f in its own goroutine after d.
type Clock interface {
	Now() time.Time
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// Options are a Tracker's parts. Store and Compose are required.
type Options struct {
	Store Store
	// Compose gives what an agent may be told now.
	Compose func(agentID string) Content
	// OnChange is told of each new revision of an agent that Watch named.
	OnChange func(agentID string, r Revision)
	Clock    Clock
	Log      *slog.Logger
}

// Revision is one inventory as it is sent.
type Revision struct {
	N       int64
	Content Content
}

// ID is the revision on the wire.
func (r Revision) ID() string { return "catalog-" + strconv.FormatInt(r.N, 10) }

// Tracker keeps each agent's latest revision.
type Tracker struct {
	opt Options

	refresh sync.Mutex // one Refresh at a time, so that revisions come in order

	mu     sync.Mutex
	agents map[string]*latest
	armed  bool
	stop   func() bool
	closed bool
}

// latest is what calls of an agent are judged by.
type latest struct {
	rev     Revision
	names   map[string]bool // kind + "\x00" + name
	watched bool
}

// NewTracker returns a Tracker that has composed nothing yet.
func NewTracker(opt Options) (*Tracker, error) {
	if opt.Store == nil || opt.Compose == nil {
		return nil, errors.New("inventory: a tracker needs a store and a composer")
	}
	if opt.Clock == nil {
		opt.Clock = systemClock{}
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	return &Tracker{opt: opt, agents: map[string]*latest{}}, nil
}

// Current composes anew and returns the agent's latest revision: what is sent
// after ready. From now on OnChange tells of the agent's changes.
func (t *Tracker) Current(ctx context.Context, agentID string) (Revision, error) {
	t.refresh.Lock()
	defer t.refresh.Unlock()
	r, _, err := t.compose(ctx, agentID)
	if err != nil {
		return Revision{}, err
	}
	t.mu.Lock()
	t.agents[agentID].watched = true
	t.mu.Unlock()
	return r, nil
}

// Unwatch stops telling of an agent's changes; its latest revision still judges.
func (t *Tracker) Unwatch(agentID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.agents[agentID]; l != nil {
		l.watched = false
	}
}

// Changed says that apps, capabilities or policy may have changed. What agents
// may ask for is judged anew within Debounce, and those whose content differs
// are told.
func (t *Tracker) Changed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.armed || t.closed {
		return
	}
	t.armed = true
	t.stop = t.opt.Clock.AfterFunc(Debounce, func() {
		t.mu.Lock()
		t.armed = false
		closed := t.closed
		t.mu.Unlock()
		if closed {
			return
		}
		if err := t.Refresh(context.Background()); err != nil {
			t.opt.Log.Error("inventory", "err", err)
			t.Changed() // the store may be back then
		}
	})
}

// Refresh composes for every agent at once, without waiting for Debounce. A
// revocation calls it, so that nothing is judged by the old revision after it.
func (t *Tracker) Refresh(ctx context.Context) error {
	t.refresh.Lock()
	defer t.refresh.Unlock()
	t.mu.Lock()
	ids := make([]string, 0, len(t.agents))
	for id := range t.agents {
		ids = append(ids, id)
	}
	t.mu.Unlock()
	var all error
	for _, id := range ids {
		r, changed, err := t.compose(ctx, id)
		if err != nil {
			all = errors.Join(all, err)
			continue
		}
		t.mu.Lock()
		tell := changed && t.agents[id].watched && !t.closed
		t.mu.Unlock()
		if tell && t.opt.OnChange != nil {
			t.opt.OnChange(id, r)
		}
	}
	return all
}

// compose makes the agent's revision the latest. The caller holds refresh.
func (t *Tracker) compose(ctx context.Context, agentID string) (Revision, bool, error) {
	c := t.opt.Compose(agentID)
	caps, apps, surfs := namesOf(c)
	for kind, names := range map[string][]string{KindCapability: caps, KindApp: apps, KindSurface: surfs} {
		if len(names) == 0 {
			continue
		}
		if err := t.opt.Store.RememberKnown(ctx, agentID, kind, names...); err != nil {
			return Revision{}, false, fmt.Errorf("inventory: %w", err)
		}
	}
	n, changed, err := t.opt.Store.NextRevision(ctx, agentID, c.Bytes())
	if err != nil {
		return Revision{}, false, fmt.Errorf("inventory: %w", err)
	}
	set := map[string]bool{}
	for kind, names := range map[string][]string{KindCapability: caps, KindApp: apps, KindSurface: surfs} {
		for _, name := range names {
			set[kind+"\x00"+name] = true
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.agents[agentID]
	if l == nil {
		l = &latest{}
		t.agents[agentID] = l
	}
	l.rev, l.names = Revision{n, c}, set
	return l.rev, changed, nil
}

func namesOf(c Content) (caps, apps, surfs []string) {
	for _, x := range c.Capabilities {
		caps = append(caps, x.Name)
	}
	for _, a := range c.Applications {
		apps = append(apps, a.ID)
		for _, s := range a.Surfaces {
			surfs = append(surfs, a.ID+"/"+s.ID)
		}
	}
	return caps, apps, surfs
}

// Visible is the latest revision's word on a capability.
func (t *Tracker) Visible(agentID capability.AgentID, name capability.Name) capability.Visibility {
	return t.Known(string(agentID), KindCapability, string(name))
}

// Known is the latest revision's word on a name of a kind. What the store cannot
// tell is Unknown: that refuses too.
func (t *Tracker) Known(agentID, kind, name string) capability.Visibility {
	t.mu.Lock()
	l := t.agents[agentID]
	has := l != nil && l.names[kind+"\x00"+name]
	t.mu.Unlock()
	if has {
		return capability.Available
	}
	ever, err := t.opt.Store.EverKnown(context.Background(), agentID, kind, name)
	switch {
	case err != nil:
		t.opt.Log.Error("inventory", "err", err)
		return capability.Unknown
	case ever:
		return capability.Revoked
	}
	return capability.Unknown
}

// Close stops telling.
func (t *Tracker) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	if t.stop != nil {
		t.stop()
	}
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) AfterFunc(d time.Duration, f func()) func() bool {
	return time.AfterFunc(d, f).Stop
}
