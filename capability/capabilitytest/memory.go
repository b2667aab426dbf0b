package capabilitytest

import (
	"context"
	"slices"
	"sync"
	"time"

	"lineup/capability"
)

// Memory is a store in memory. Its three faces share one lock, as those of a
// real store share one file.
type Memory struct {
	mu      sync.Mutex
	key     []byte
	entries []*capability.Entry
	grants  []capability.Grant
	records []capability.Record
	heads   map[capability.AgentID]capability.Head
}

// NewMemory returns an empty store whose audit heads are made with key.
func NewMemory(key []byte) *Memory {
	return &Memory{key: key, heads: map[capability.AgentID]capability.Head{}}
}

// Ledger, Grants and Audit are the faces of the store.
func (m *Memory) Ledger() capability.Ledger { return memLedger{m} }
func (m *Memory) Grants() capability.Grants { return memGrants{m} }
func (m *Memory) Audit() capability.Audit   { return memAudit{m} }

// Records returns a copy of the whole audit log.
func (m *Memory) Records() []capability.Record {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.records)
}

func (m *Memory) find(k capability.Key) *capability.Entry {
	for _, e := range m.entries {
		if e.Call.Key() == k {
			return e
		}
	}
	return nil
}

func (m *Memory) also(a capability.Also) {
	if a.Remember != nil {
		n := *a.Remember
		m.grants = slices.DeleteFunc(m.grants, func(g capability.Grant) bool {
			return g.Agent == n.Agent && g.Capability == n.Capability && g.Scope == n.Scope && g.Duration == n.Duration && g.Conversation == n.Conversation
		})
		m.grants = append(m.grants, n)
	}
	for i := range m.grants {
		if m.grants[i].ID == a.UsedID {
			m.grants[i].LastUsedAt = a.UsedAt
		}
	}
	for _, r := range a.Records {
		m.append(r)
	}
}

func (m *Memory) append(r capability.Record) capability.Record {
	if _, ok := m.heads[r.Chain]; !ok && r.Chain != "" {
		m.append(capability.Record{At: r.At, Event: capability.EventChainOpened, Summary: string(r.Chain)})
	}
	h := m.heads[r.Chain]
	r.At = r.At.UTC().Truncate(time.Millisecond)
	r.Row, r.Seq, r.Prev = int64(len(m.records)+1), h.Seq+1, h.Hash
	r.Hash = r.Sum()
	m.records = append(m.records, r)
	m.heads[r.Chain] = capability.Head{Chain: r.Chain, Seq: r.Seq, Hash: r.Hash, MAC: capability.HeadMAC(m.key, r.Chain, r.Seq, r.Hash)}
	return r
}

type memLedger struct{ m *Memory }

func (l memLedger) Begin(_ context.Context, e capability.Entry, also capability.Also) (capability.Entry, bool, error) {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	if old := l.m.find(e.Call.Key()); old != nil {
		return *old, false, nil
	}
	e.Reported = false
	l.m.entries = append(l.m.entries, &e)
	l.m.also(also)
	return e, true, nil
}

func (l memLedger) Advance(_ context.Context, k capability.Key, from, to capability.Phase, r capability.Result, _ time.Time, also capability.Also) error {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	e := l.m.find(k)
	if e == nil || e.Phase != from {
		return capability.ErrConflict
	}
	e.Phase, e.Result = to, r
	l.m.also(also)
	return nil
}

func (l memLedger) Find(_ context.Context, k capability.Key) (capability.Entry, bool, error) {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	if e := l.m.find(k); e != nil {
		return *e, true, nil
	}
	return capability.Entry{}, false, nil
}

func (l memLedger) Unfinished(context.Context) ([]capability.Entry, error) {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	var out []capability.Entry
	for _, e := range l.m.entries {
		if !e.Reported {
			out = append(out, *e)
		}
	}
	return out, nil
}

func (l memLedger) Reported(_ context.Context, k capability.Key) error {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	if e := l.m.find(k); e != nil && e.Phase == capability.Settled {
		e.Reported = true
	}
	return nil
}

type memGrants struct{ m *Memory }

func (g memGrants) pick(keep func(capability.Grant) bool) []capability.Grant {
	g.m.mu.Lock()
	defer g.m.mu.Unlock()
	var out []capability.Grant
	for _, x := range slices.Backward(g.m.grants) {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

func (g memGrants) Match(_ context.Context, agent capability.AgentID, name capability.Name, scope string) ([]capability.Grant, error) {
	return g.pick(func(x capability.Grant) bool { return x.Agent == agent && x.Capability == name && x.Scope == scope }), nil
}

func (g memGrants) List(context.Context) ([]capability.Grant, error) {
	return g.pick(func(capability.Grant) bool { return true }), nil
}

func (g memGrants) forget(at time.Time, rec *capability.Record, gone func(capability.Grant) bool) bool {
	g.m.mu.Lock()
	defer g.m.mu.Unlock()
	had := false
	g.m.grants = slices.DeleteFunc(g.m.grants, func(x capability.Grant) bool {
		if !gone(x) {
			return false
		}
		had = true
		r := capability.Record{Chain: x.Agent, At: at, Event: capability.EventGrantRevoked, Capability: x.Capability}
		if rec != nil {
			r = *rec
		}
		g.m.append(r)
		return true
	})
	return had
}

func (g memGrants) Revoke(_ context.Context, id string, rec capability.Record) (bool, error) {
	return g.forget(rec.At, &rec, func(x capability.Grant) bool { return x.ID == id }), nil
}

func (g memGrants) ForgetConversation(_ context.Context, conversation string, at time.Time) error {
	g.forget(at, nil, func(x capability.Grant) bool {
		return x.Duration == capability.Conversation && x.Conversation == conversation
	})
	return nil
}

func (g memGrants) ForgetAgent(_ context.Context, agent capability.AgentID, at time.Time) error {
	g.forget(at, nil, func(x capability.Grant) bool { return x.Agent == agent })
	return nil
}

type memAudit struct{ m *Memory }

func (a memAudit) Append(_ context.Context, r capability.Record) (capability.Record, error) {
	a.m.mu.Lock()
	defer a.m.mu.Unlock()
	return a.m.append(r), nil
}

func (a memAudit) Page(_ context.Context, before int64, limit int) ([]capability.Record, error) {
	var out []capability.Record
	for _, r := range slices.Backward(a.m.Records()) {
		if (before <= 0 || r.Row < before) && len(out) < limit {
			out = append(out, r)
		}
	}
	return out, nil
}

func (a memAudit) Each(_ context.Context, after int64, fn func(capability.Record) error) error {
	for _, r := range a.m.Records() {
		if r.Row <= after {
			continue
		}
		if err := fn(r); err != nil {
			return err
		}
	}
	return nil
}

func (a memAudit) Verify(context.Context) (int64, error) {
	a.m.mu.Lock()
	defer a.m.mu.Unlock()
	v := capability.NewVerifier(a.m.key)
	for _, r := range a.m.records {
		if err := v.Add(r); err != nil {
			return v.Checked(), err
		}
	}
	var heads []capability.Head
	for _, h := range a.m.heads {
		heads = append(heads, h)
	}
	return v.Checked(), v.End(heads)
}
