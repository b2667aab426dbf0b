package capabilitytest

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"lineup/capability"
)

// Subject is a capability under the refusal grid.
type Subject struct {
	// New returns the capability and how often it had its effect.
	New func(t *testing.T) (p capability.Provider, effects func() int)
	// Good are arguments that work, Result is what they give.
	Good, Result string
	// Bad are arguments that are refused before anyone is asked.
	Bad []string
}

// Grid runs a capability through each refusal of PROTOCOL.md §5: the result is
// exact, and the effect provably absent.
func Grid(t *testing.T, s Subject) {
	type step func(ctx context.Context, b *capability.Broker, p capability.Prompt, c *Clock)
	decide := func(d capability.Decision) step {
		return func(ctx context.Context, b *capability.Broker, p capability.Prompt, _ *Clock) {
			_ = b.Decide(ctx, p.ID, d)
		}
	}
	for _, c := range []struct {
		name, args, want string
		vis              capability.Visibility
		policy           capability.Effect
		step             step // nil: refused without a prompt
	}{
		{"allowed", s.Good, "completed/" + s.Result, capability.Available, "", decide(capability.Once)},
		{"declined", s.Good, "rejected/user", capability.Available, "", decide(capability.Deny)},
		{"withdrawn", s.Good, "cancelled/withdrawn", capability.Available, "", func(ctx context.Context, b *capability.Broker, p capability.Prompt, _ *Clock) {
			_ = b.Withdraw(ctx, p.Call.Agent, p.Call.ID)
		}},
		{"revoked while open", s.Good, "unsupported/revoked", capability.Available, "", func(ctx context.Context, b *capability.Broker, p capability.Prompt, _ *Clock) {
			_ = b.Revoke(ctx, p.Call.Capability)
		}},
		{"expired while open", s.Good, "expired/expired", capability.Available, "", func(_ context.Context, _ *capability.Broker, _ capability.Prompt, c *Clock) {
			c.Advance(time.Minute)
		}},
		{"unknown", s.Good, "unsupported/unknown_capability", capability.Unknown, "", nil},
		{"revoked", s.Good, "unsupported/revoked", capability.Revoked, "", nil},
		{"policy", s.Good, "rejected/policy", capability.Available, capability.Forbid, nil},
	} {
		t.Run(c.name, func(t *testing.T) { gridCase(t, s, c.args, c.want, c.vis, c.policy, c.step) })
	}
	for _, bad := range s.Bad {
		t.Run("arguments "+bad, func(t *testing.T) {
			gridCase(t, s, bad, "failed/invalid_arguments", capability.Available, "", nil)
		})
	}
}

type everywhere capability.Effect

func (e everywhere) Rule(capability.Call, capability.Descriptor, string) capability.Ruling {
	return capability.Ruling{Effect: capability.Effect(e)}
}

func gridCase(t *testing.T, s Subject, args, want string, vis capability.Visibility, policy capability.Effect,
	step func(context.Context, *capability.Broker, capability.Prompt, *Clock)) {
	p, effects := s.New(t)
	m, clock := NewMemory(nil), &Clock{}
	results := make(chan capability.Result, 10)
	b, err := capability.NewBroker(capability.Options{
		Ledger: m.Ledger(), Grants: m.Grants(), Providers: []capability.Provider{p}, Clock: clock, Policy: everywhere(policy),
		Visible:  func(capability.AgentID, capability.Name) capability.Visibility { return vis },
		OnResult: func(_ capability.Call, r capability.Result) error { results <- r; return nil },
	})
	must(t, err)
	defer b.Close()
	var asked atomic.Bool
	must(t, b.Submit(t.Context(), capability.Call{Agent: "agent", ID: "c1", Conversation: "conv", Capability: p.Descriptor().Name,
		Reason: "because", Args: json.RawMessage(args), ExpiresAt: clock.Now().Add(time.Minute)}))
	for _, q := range b.Prompts() {
		asked.Store(true)
		for _, lang := range []string{"en", "zh-CN"} {
			if pres := q.Present(lang); pres.Title == "" || pres.Summary == "" || len(pres.Args) == 0 {
				t.Errorf("the prompt in %s is not whole: %+v", lang, pres)
			}
		}
		if q.Present("en").Title == q.Present("zh-CN").Title {
			t.Error("the title is the same in both languages")
		}
		if step != nil {
			step(t.Context(), b, q, clock)
		}
	}
	if asked.Load() != (step != nil) {
		t.Errorf("asked: %v", asked.Load())
	}
	select {
	case r := <-results:
		if got := string(r.Status) + "/" + r.Code + string(r.Value); got != want {
			t.Errorf("got %s (%s), want %s", got, r.Message, want)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("no result")
	}
	ran := 0
	if step != nil && want == "completed/"+s.Result {
		ran = 1
	}
	if n := effects(); n != ran {
		t.Errorf("the effect happened %d times, want %d", n, ran)
	}
}
