package store

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lineup/capability"
	"lineup/capability/capabilitytest"
)

// counted is a capability whose effect is counted.
type counted struct{ runs atomic.Int32 }

func (*counted) Descriptor() capability.Descriptor {
	return capability.Descriptor{Name: "test.do", Version: "1.0", Risk: capability.UserConfirmation}
}
func (*counted) Title(string) string { return "do it" }
func (*counted) Present(json.RawMessage, string) capability.Presentation {
	return capability.Presentation{Summary: "it"}
}
func (*counted) Scope(json.RawMessage) (string, func(string) string) {
	return "any", func(string) string { return "do anything" }
}
func (c *counted) Invoke(context.Context, capability.Call) (json.RawMessage, error) {
	c.runs.Add(1)
	return json.RawMessage(`{"done":true}`), nil
}

// process is one run of the host over the data file.
type process struct {
	s       *Store
	b       *capability.Broker
	mu      sync.Mutex
	results []string
}

func boot(t *testing.T, path string, effect *counted, wrap func(capability.Ledger) capability.Ledger) *process {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	p := &process{s: s}
	key := []byte("a key")
	p.b, err = capability.NewBroker(capability.Options{
		Ledger: wrap(s.Ledger(key)), Grants: s.Grants(key), Audit: s.Audit(key), Providers: []capability.Provider{effect},
		Visible: func(capability.AgentID, capability.Name) capability.Visibility { return capability.Available },
		Identify: func(capability.AgentID) capability.Identity {
			return capability.Identity{Fingerprint: "fp", MayAlways: true}
		},
		OnResult: func(c capability.Call, r capability.Result) error {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.results = append(p.results, fmt.Sprint(r.Status, "/", r.Code, string(r.Value)))
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.halt)
	return p
}

func (p *process) halt() {
	p.b.Close()
	p.s.Close()
}

func (p *process) heard() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.results...)
}

func (p *process) answer(ctx context.Context, d capability.Decision) {
	for _, q := range p.b.Prompts() {
		_ = p.b.Decide(ctx, q.ID, d)
	}
}

// The same as capability's test in memory, with the real file between the runs.
func TestCrashAtEveryCommitOfTheLedger(t *testing.T) {
	call := capability.Call{Agent: "agent", ID: "c1", Conversation: "conv", Capability: "test.do", Args: json.RawMessage(`{"a":1}`)}
	for n := 1; n <= 4; n++ {
		for _, stored := range []bool{false, true} {
			t.Run(fmt.Sprintf("write %d/stored=%v", n, stored), func(t *testing.T) {
				path, effect := filepath.Join(t.TempDir(), "data.db"), &counted{}
				first := boot(t, path, effect, func(l capability.Ledger) capability.Ledger { return capabilitytest.NewCrasher(l, n, stored) })
				if first.b.Submit(t.Context(), call) == nil {
					first.answer(t.Context(), capability.Always)
				}
				first.halt()

				second := boot(t, path, effect, func(l capability.Ledger) capability.Ledger { return l })
				if err := second.b.Resume(t.Context()); err != nil {
					t.Fatal(err)
				}
				for range 50 { // an agent that is not sure
					if err := second.b.Submit(t.Context(), call); err != nil {
						t.Fatal(err)
					}
				}
				second.answer(t.Context(), capability.Always)
				deadline := time.Now().Add(20 * time.Second)
				for {
					e, _, err := second.s.Ledger(nil).Find(t.Context(), call.Key())
					if err != nil {
						t.Fatal(err)
					}
					if e.Phase == capability.Settled && e.Reported {
						break
					}
					if time.Now().After(deadline) {
						t.Fatalf("not settled: %+v", e)
					}
				}
				if err := second.b.Submit(t.Context(), call); err != nil {
					t.Fatal(err)
				}
				second.b.Close() // makes the last callbacks

				all := append(first.heard(), second.heard()...)
				if len(all) == 0 {
					t.Fatal("the agent hears nothing")
				}
				for _, r := range all {
					if r != all[0] {
						t.Fatalf("the agent hears %q", all)
					}
				}
				runs := effect.runs.Load()
				if runs > 1 || runs == 0 && all[0] != "failed/interrupted" {
					t.Errorf("ran %d times, and the agent hears %q", runs, all[0])
				}
				if _, err := second.s.Audit([]byte("a key")).Verify(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
