package capability_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"lineup/capability"
	"lineup/capability/capabilitytest"
)

// slow is a provider that runs until it is let go, or told to stop.
func slow(heed bool) (func(context.Context, capability.Call) (json.RawMessage, error), chan struct{}, chan struct{}) {
	started, release := make(chan struct{}, 100), make(chan struct{})
	return func(ctx context.Context, _ capability.Call) (json.RawMessage, error) {
		started <- struct{}{}
		if heed {
			select {
			case <-release:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		} else {
			<-release
		}
		return json.RawMessage(`{"done":true}`), nil
	}, started, release
}

func wait(t *testing.T, c chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatal("waited in vain")
	}
}

func TestStoppedWhileItRuns(t *testing.T) {
	for name, c := range map[string]struct {
		stop func(*host)
		want string
	}{
		"withdrawn": {func(h *host) { _ = h.Withdraw(h.t.Context(), "agent", "c1") }, "cancelled/withdrawn"},
		"stop":      {func(h *host) { _ = h.CancelConversation(h.t.Context(), "conv") }, "cancelled/stopped"},
		"revoked":   {func(h *host) { _ = h.Revoke(h.t.Context(), "test.do") }, "unsupported/revoked"},
		"time":      {func(h *host) { h.clock.Advance(time.Minute) }, "failed/timeout"},
		"quit":      {func(h *host) { h.Close() }, "failed/interrupted"},
	} {
		t.Run(name, func(t *testing.T) {
			invoke, started, _ := slow(true)
			h := setup(t, nil, func(o *capability.Options, h *host) { h.do.invoke = invoke })
			p := h.ask(call("c1"))
			h.decide(p, capability.Once)
			wait(t, started)
			if q := h.Prompts(); len(q) != 1 || !q[0].Busy || q[0].ID != p.ID {
				t.Errorf("while it runs: %+v", q)
			}
			if err := h.Decide(t.Context(), p.ID, capability.Deny); !errors.Is(err, capability.ErrAnswered) {
				t.Errorf("answering while it runs: %v", err)
			}
			c.stop(h)
			h.result(1, "c1 "+c.want)
			if n := len(h.Prompts()); n != 0 {
				t.Errorf("%d prompts left", n)
			}
			h.intact()
		})
	}
}

// The effect is there, so that is what the agent hears, whoever stopped it.
func TestFinishedAllTheSame(t *testing.T) {
	invoke, started, release := slow(false)
	h := setup(t, nil, func(o *capability.Options, h *host) { h.do.invoke = invoke })
	h.decide(h.ask(call("c1")), capability.Once)
	wait(t, started)
	_ = h.Withdraw(t.Context(), "agent", "c1")
	close(release)
	h.result(1, "c1 "+done)
}

// expires_at ends the waiting for a yes, not what was allowed in time.
func TestExpiryDoesNotStopWhatRuns(t *testing.T) {
	invoke, started, release := slow(true)
	h := setup(t, nil, func(o *capability.Options, h *host) { h.do.invoke, o.InvokeTimeout = invoke, time.Hour })
	c := call("c1")
	c.ExpiresAt = h.clock.Now().Add(time.Minute)
	h.decide(h.ask(c), capability.Once)
	wait(t, started)
	h.clock.Advance(2 * time.Minute)
	close(release)
	h.result(1, "c1 "+done)
}

// A provider that heeds nothing must not hold the call, nor its late end change it.
func TestDeafProvider(t *testing.T) {
	invoke, started, release := slow(false)
	h := setup(t, nil, func(o *capability.Options, h *host) { h.do.invoke = invoke })
	h.decide(h.ask(call("c1")), capability.Once)
	wait(t, started)
	h.clock.Advance(time.Minute)
	h.result(1, "c1 failed/timeout")
	close(release)
	h.submit(call("c1"))
	h.result(2, "c1 failed/timeout")
}

type patient struct{ *effect }

func (patient) InvokeTimeout() time.Duration { return time.Hour }

func TestPatientProvider(t *testing.T) {
	invoke, started, release := slow(true)
	h := setup(t, nil, func(o *capability.Options, h *host) {
		h.do.invoke = invoke
		o.Providers = []capability.Provider{patient{h.do}}
	})
	h.decide(h.ask(call("c1")), capability.Once)
	wait(t, started)
	h.clock.Advance(time.Hour - 1)
	close(release)
	h.result(1, "c1 "+done)
}

func TestBusyAtTheLimitAndOnePastIt(t *testing.T) {
	h := setup(t, nil)
	for i := range 64 {
		h.ask(call(fmt.Sprint("c", i)))
	}
	h.submit(call("c64"))
	h.result(1, "c64 failed/busy")
	other := call("o")
	other.Agent = "agent2"
	h.ask(other) // another agent has its own 64
	_ = h.Withdraw(t.Context(), "agent", "c0")
	h.result(2, "c0 cancelled/withdrawn")
	h.ask(call("c65"))
	h.untouched()
}

func TestExpiryOfMany(t *testing.T) {
	h := setup(t, nil)
	for i := range 5 {
		c := call(fmt.Sprint("c", i))
		c.ExpiresAt = h.clock.Now().Add(time.Duration(5-i) * time.Hour)
		h.ask(c)
	}
	h.ask(call("never"))
	for i := range 5 {
		for range 60 { // the timer looks once a minute
			h.clock.Advance(time.Minute)
		}
		h.result(i+1, fmt.Sprintf("c%d expired/expired", 4-i))
	}
	if p := h.Prompts(); len(p) != 1 || p[0].Call.ID != "never" {
		t.Errorf("left: %+v", p)
	}
}

func TestQueueIsInOrderAndEachAnswerDecidesOne(t *testing.T) {
	h := setup(t, nil)
	for i := range 3 {
		h.ask(numbered(i, "x"))
	}
	p := h.Prompts()
	if p[0].Call.ID != "c0" || p[1].Call.ID != "c1" || p[2].Call.ID != "c2" {
		t.Fatalf("order: %v %v %v", p[0].Call.ID, p[1].Call.ID, p[2].Call.ID)
	}
	h.decide(p[1], capability.Deny)
	h.result(1, "c1 rejected/user")
	if err := h.Decide(t.Context(), "no-such-prompt", capability.Once); !errors.Is(err, capability.ErrUnknownPrompt) {
		t.Errorf("got %v", err)
	}
	if left := h.Prompts(); len(left) != 2 || left[0].ID != p[0].ID || left[1].ID != p[2].ID {
		t.Errorf("left %+v", left)
	}
}

func TestResume(t *testing.T) {
	store := capabilitytest.NewMemory([]byte("key"))
	h := setup(t, store)
	asked := h.ask(call("asked"))
	expiring := call("expiring")
	expiring.ExpiresAt = h.clock.Now().Add(time.Minute)
	h.ask(expiring)
	h.ask(numbered(3, "gone"))
	h.Close()
	if err := h.Submit(t.Context(), call("late")); !errors.Is(err, capability.ErrClosed) {
		t.Errorf("a closed broker: %v", err)
	}
	if got := h.got(); len(got) != 0 {
		t.Errorf("quitting decided %q", got)
	}
	// One that was at work when the power went.
	if err := store.Ledger().Advance(t.Context(), numbered(3, "gone").Key(), capability.Pending, capability.Executing, capability.Result{}, h.clock.Now(), capability.Also{}); err != nil {
		t.Fatal(err)
	}

	g := setup(t, store, func(_ *capability.Options, g *host) { g.clock.Advance(time.Hour) })
	if err := g.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.until("two results", func() bool { return len(g.got()) == 2 })
	got := g.got()
	slices.Sort(got)
	if !slices.Equal(got, []string{"c3 failed/interrupted", "expiring expired/expired"}) {
		t.Errorf("got %q", got)
	}
	p := g.Prompts()
	if len(p) != 1 || p[0].Call.ID != "asked" || p[0].ID == asked.ID || p[0].Present("en").Args[0].Value != "x" || !p[0].CreatedAt.Equal(asked.CreatedAt) {
		t.Fatalf("asked again: %+v", p)
	}
	if err := g.Decide(t.Context(), asked.ID, capability.Once); !errors.Is(err, capability.ErrUnknownPrompt) {
		t.Errorf("a ticket of the last run: %v", err)
	}
	g.untouched()
	g.decide(p[0], capability.Once)
	g.result(3, "asked "+done)
	g.intact()
}

func TestResumeJudgesByWhatHoldsNow(t *testing.T) {
	for want, tune := range map[string]func(*capability.Options, *host){
		"c1 unsupported/revoked": func(o *capability.Options, _ *host) {
			o.Visible = func(capability.AgentID, capability.Name) capability.Visibility { return capability.Revoked }
		},
		"c1 unsupported/unknown_capability": func(o *capability.Options, _ *host) {
			o.Providers = []capability.Provider{&effect{name: "test.other", risk: capability.DisplayOnly}}
		},
		"c1 rejected/policy":          policy(capability.Forbid),
		"c1 failed/invalid_arguments": func(_ *capability.Options, h *host) {},
	} {
		t.Run(want, func(t *testing.T) {
			store := capabilitytest.NewMemory([]byte("key"))
			h := setup(t, store)
			c := call("c1")
			if want == "c1 failed/invalid_arguments" { // the schema has changed since
				c.Args = json.RawMessage(`{"to":"x","old":1}`)
				e := capability.Entry{Call: c, Phase: capability.Pending}
				if _, _, err := store.Ledger().Begin(t.Context(), e, capability.Also{}); err != nil {
					t.Fatal(err)
				}
			} else {
				h.ask(c)
			}
			h.Close()
			g := setup(t, store, tune)
			if err := g.Resume(t.Context()); err != nil {
				t.Fatal(err)
			}
			g.result(1, want)
			g.untouched()
		})
	}
}

// A result that could not be handed on is handed on at the next start.
func TestResultIsHandedOnAtLeastOnce(t *testing.T) {
	store := capabilitytest.NewMemory([]byte("key"))
	h := setup(t, store, func(o *capability.Options, h *host) {
		o.OnResult = func(capability.Call, capability.Result) error {
			h.note(&h.results, "refused")
			return errors.New("disk")
		}
	})
	h.decide(h.ask(call("c1")), capability.Once)
	h.result(1, "refused")
	h.Close()
	g := setup(t, store)
	if err := g.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.result(1, "c1 "+done)
	g.Close()
	last := setup(t, store)
	if err := last.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	last.Close()
	if got := last.got(); len(got) != 0 {
		t.Errorf("handed on again: %q", got)
	}
}

// Callbacks may call the broker.
func TestCallbacksMayCallBack(t *testing.T) {
	var h *host
	ready := make(chan struct{})
	h = setup(t, nil, func(o *capability.Options, _ *host) {
		o.OnPromptsChanged = func() {
			<-ready
			for _, p := range h.Prompts() {
				if !p.Busy {
					_ = h.Decide(context.Background(), p.ID, capability.Once)
				}
			}
		}
	})
	close(ready)
	h.submit(call("c1"))
	h.result(1, "c1 "+done)
}

func TestNewBrokerRefusesBadDescriptors(t *testing.T) {
	store := capabilitytest.NewMemory(nil)
	for name, d := range map[string]capability.Descriptor{
		"no name":          {Risk: capability.DisplayOnly},
		"odd name":         {Name: "Test.Do", Risk: capability.DisplayOnly},
		"no risk":          {Name: "test.do"},
		"bad schema":       {Name: "test.do", Risk: capability.DisplayOnly, InputSchema: json.RawMessage(`{"type":1}`)},
		"remote reference": {Name: "test.do", Risk: capability.DisplayOnly, InputSchema: json.RawMessage(`{"$ref":"http://127.0.0.1:1/x"}`)},
		"file reference":   {Name: "test.do", Risk: capability.DisplayOnly, OutputSchema: json.RawMessage(`{"$ref":"file:///etc/passwd"}`)},
	} {
		if _, err := capability.NewBroker(capability.Options{Ledger: store.Ledger(), Grants: store.Grants(), Providers: []capability.Provider{declared{d}}}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := capability.NewBroker(capability.Options{}); err == nil {
		t.Error("a broker without a ledger")
	}
	one := &effect{name: "test.do", risk: capability.DisplayOnly}
	if _, err := capability.NewBroker(capability.Options{Ledger: store.Ledger(), Grants: store.Grants(), Providers: []capability.Provider{one, one}}); err == nil {
		t.Error("one name twice")
	}
}

type declared struct{ d capability.Descriptor }

func (p declared) Descriptor() capability.Descriptor { return p.d }
func (declared) Title(string) string                 { return "" }
func (declared) Present(json.RawMessage, string) (p capability.Presentation) {
	return p
}
func (declared) Scope(json.RawMessage) (string, func(string) string) { return "", nil }
func (declared) Invoke(context.Context, capability.Call) (json.RawMessage, error) {
	return nil, nil
}

// Capabilities come and go while the broker runs.
func TestProvideAndWithhold(t *testing.T) {
	h := setup(t, nil)
	more := &effect{name: "test.more", risk: capability.UserConfirmation}
	ask := call("c1")
	ask.Capability = "test.more"
	if err := h.Provide(t.Context(), more); err != nil {
		t.Fatal(err)
	}
	if d := h.Descriptors(); len(d) != 2 || d[0].Name != "test.do" || d[1].Name != "test.more" {
		t.Errorf("got %+v", d)
	}
	p := h.ask(ask)
	stays := h.ask(call("c2"))
	// Another version of it: the user was not asked about that one.
	if err := h.Provide(t.Context(), &effect{name: "test.more", risk: capability.SystemPermission}); err != nil {
		t.Fatal(err)
	}
	h.result(1, "c1 unsupported/revoked")
	if err := h.Decide(t.Context(), p.ID, capability.Once); !errors.Is(err, capability.ErrUnknownPrompt) {
		t.Errorf("got %v", err)
	}
	ask.ID = "c3"
	h.ask(ask)
	if err := h.Withhold(t.Context(), "test.more"); err != nil {
		t.Fatal(err)
	}
	h.result(2, "c3 unsupported/revoked")
	if len(more.calls()) != 0 {
		t.Error("the old provider was called")
	}
	h.decide(stays, capability.Once)
	h.result(3, "c2 "+done)
	if err := h.Provide(t.Context(), declared{}); err == nil {
		t.Error("a capability without a name")
	}
}
