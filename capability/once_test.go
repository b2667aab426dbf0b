package capability_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"lineup/capability"
	"lineup/capability/capabilitytest"
)

func TestSameCallFiftyTimesAtOnce(t *testing.T) {
	h := setup(t, nil)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if err := h.Submit(t.Context(), call("c1")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	prompts := h.Prompts()
	if len(prompts) != 1 {
		t.Fatalf("%d prompts", len(prompts))
	}
	var yes, no int
	var mu sync.Mutex
	for range 50 {
		wg.Go(func() {
			err := h.Decide(t.Context(), prompts[0].ID, capability.Once)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				yes++
			case errors.Is(err, capability.ErrAnswered), errors.Is(err, capability.ErrUnknownPrompt):
				no++
			default:
				t.Error(err)
			}
		})
		wg.Go(func() {
			if err := h.Submit(t.Context(), call("c1")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if yes != 1 || no != 49 {
		t.Errorf("%d answers counted, %d refused", yes, no)
	}
	h.submit(call("c1"))
	h.until("a result", func() bool { return len(h.got()) > 0 })
	for _, r := range h.got() {
		if r != `c1 completed/{"done":true}` {
			t.Errorf("got %q", r)
		}
	}
	if n := len(h.do.calls()); n != 1 {
		t.Errorf("the effect happened %d times", n)
	}
	h.intact()
}

func TestReusedCallID(t *testing.T) {
	h := setup(t, nil)
	first := h.ask(call("c1"))
	for i, c := range []capability.Call{
		args(`{"to":"y"}`),
		args(`{"to":`), // not even readable
		with(func(c *capability.Call) { c.Capability = "test.other" }),
	} {
		h.submit(c)
		h.result(i+1, "c1 failed/call_id_reused")
	}
	// Neither reason nor order nor white space makes it another call.
	h.submit(with(func(c *capability.Call) {
		c.Reason, c.Args = "other words", json.RawMessage(" { \"t\\u006f\" : \"x\" } ")
	}))
	if p := h.Prompts(); len(p) != 1 || p[0].ID != first.ID || p[0].Call.Reason != "because" {
		t.Errorf("the first call was changed: %+v", p)
	}
	h.decide(first, capability.Once)
	h.result(4, `c1 completed/{"done":true}`)
	if slices.Contains(h.states, "c1 settled") && len(h.states) != 3 {
		t.Errorf("a refused reuse changed the call's state: %q", h.states)
	}
	if got := h.do.calls(); len(got) != 1 || got[0] != `{"to":"x"}` {
		t.Errorf("ran %q", got)
	}
	// Another agent may use the same id.
	h.ask(with(func(c *capability.Call) { c.Agent = "agent2" }))
	h.intact()
}

// What is shown is what runs: nobody who holds the bytes can change them.
func TestArgumentsAreFrozen(t *testing.T) {
	h := setup(t, nil)
	raw := json.RawMessage(`{ "to" : "x" }`)
	c := call("c1")
	c.Args = raw
	p := h.ask(c)
	copy(raw, `{ "to" : "y" }`)
	copy(p.Call.Args, `{"to":"z"}`)
	if shown := h.Prompts()[0].Present("en").Args[0].Value; shown != "x" {
		t.Errorf("shown %q", shown)
	}
	h.do.invoke = func(_ context.Context, c capability.Call) (json.RawMessage, error) {
		copy(c.Args, `{"to":"w"}`)
		return json.RawMessage(`{"done":true}`), nil
	}
	h.decide(p, capability.Once)
	h.result(1, `c1 completed/{"done":true}`)
	if got := h.do.calls(); got[0] != `{"to":"x"}` {
		t.Errorf("ran %q", got)
	}
	if e, _, _ := h.store.Ledger().Find(t.Context(), c.Key()); string(e.Call.Args) != `{"to":"x"}` {
		t.Errorf("stored %s", e.Call.Args)
	}
}

func TestStatesComeInOrder(t *testing.T) {
	h := setup(t, nil, func(o *capability.Options, h *host) { h.do.risk = capability.DisplayOnly })
	for i := range 30 {
		h.submit(call(fmt.Sprint("c", i)))
	}
	h.until("30 results", func() bool { return len(h.got()) == 30 })
	per := map[string]string{}
	for _, s := range h.states {
		var id, phase string
		fmt.Sscan(s, &id, &phase)
		per[id] += phase + " "
	}
	for id, got := range per {
		if got != "pending executing settled " {
			t.Errorf("%s: %s", id, got)
		}
	}
}

// The log of one allowed call, and that its summary is the capability's own
// redaction, not its arguments.
func TestAuditOfACall(t *testing.T) {
	h := setup(t, nil)
	h.decide(h.ask(args(`{"to":"a\u202eb"}`)), capability.Once)
	h.result(1, `c1 completed/{"done":true}`)
	want := []string{" chain_opened", "agent requested", "agent prompted", "agent allowed once", "agent executed"}
	if got := h.events(); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := h.store.Records()[1].Summary; got != "to A⟨U+202E⟩B" {
		t.Errorf("summary %q", got)
	}
	h.intact()
}

// A crash at every commit, on both sides of it: the effect happens at most once,
// an effect is never there without its intent, and the agent hears one result,
// the same one however often it asks.
func TestCrashAtEveryCommit(t *testing.T) {
	for _, mode := range []struct {
		name   string
		risk   capability.Risk
		answer capability.Decision
	}{
		{"allowed", capability.UserConfirmation, capability.Once},
		{"always", capability.UserConfirmation, capability.Always},
		{"denied", capability.UserConfirmation, capability.Deny},
		{"no prompt", capability.DisplayOnly, ""},
	} {
		for n := 1; n <= 5; n++ {
			for _, stored := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%d/stored=%v", mode.name, n, stored), func(t *testing.T) {
					crashAt(t, mode.risk, mode.answer, n, stored)
				})
			}
		}
	}
}

func crashAt(t *testing.T, risk capability.Risk, answer capability.Decision, n int, stored bool) {
	store := capabilitytest.NewMemory([]byte("key"))
	shared := &effect{name: "test.do", risk: risk} // the world outlives the process
	c := call("c1")

	var crasher *capabilitytest.Crasher
	first := setup(t, store, func(o *capability.Options, h *host) {
		crasher = capabilitytest.NewCrasher(store.Ledger(), n, stored)
		o.Ledger, o.Providers = crasher, []capability.Provider{shared}
	})
	// As far as it comes. Errors are the crash.
	if first.Submit(t.Context(), c) == nil {
		for _, p := range first.Prompts() {
			_ = first.Decide(t.Context(), p.ID, answer)
		}
	}
	first.Close() // kill: whatever still runs finds a dead ledger
	heard := first.got()

	second := setup(t, store, func(o *capability.Options, h *host) { o.Providers = []capability.Provider{shared} })
	if err := second.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	second.submit(c) // the agent sends it again, as it must
	for _, p := range second.Prompts() {
		second.decide(p, answer)
	}
	second.until("the settled call", func() bool {
		e, ok, err := store.Ledger().Find(context.Background(), c.Key())
		return err == nil && ok && e.Phase == capability.Settled && e.Reported
	})
	second.submit(c)
	before := len(second.got())
	second.until("the result again", func() bool { return len(second.got()) >= max(before, 1) })

	runs := len(shared.calls())
	all := append(heard, second.got()...)
	for _, r := range all {
		if r != all[0] {
			t.Errorf("the agent hears %q", all)
			break
		}
	}
	switch {
	case runs > 1:
		t.Errorf("the effect happened %d times", runs)
	case answer == capability.Deny && (runs != 0 || all[0] != "c1 rejected/user"):
		t.Errorf("denied, but ran %d times: %q", runs, all)
	case answer != capability.Deny && runs == 0 && all[0] != "c1 failed/interrupted":
		t.Errorf("not run, but %q", all)
	case answer != capability.Deny && runs == 1 && all[0] != "c1 failed/interrupted" && all[0] != `c1 completed/{"done":true}`:
		t.Errorf("run, but %q", all)
	}
	if !crasher.Dead() && n <= 3 {
		t.Errorf("the crash at write %d never came", n)
	}
	second.intact()

	// A third start finds nothing to do.
	third := setup(t, store, func(o *capability.Options, h *host) { o.Providers = []capability.Provider{shared} })
	if err := third.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	third.Close()
	if len(third.Prompts()) != 0 || len(third.got()) != 0 || len(shared.calls()) != runs {
		t.Errorf("a third start: %d prompts, results %q", len(third.Prompts()), third.got())
	}
}

// A ledger that fails once and then works: the caller sees the error, nothing
// runs on it, and trying again leads on, whichever side of the commit failed.
func TestLedgerThatFailsOnce(t *testing.T) {
	for _, stored := range []bool{false, true} {
		for n := 1; n <= 3; n++ {
			t.Run(fmt.Sprintf("write %d/stored=%v", n, stored), func(t *testing.T) {
				var flaky *flakyLedger
				h := setup(t, nil, func(o *capability.Options, _ *host) {
					flaky = &flakyLedger{Ledger: o.Ledger, at: n, stored: stored}
					o.Ledger, o.InvokeTimeout = flaky, 10000*time.Hour
				})
				for range 2 {
					_ = h.Submit(t.Context(), call("c1"))
				}
				for range 2 {
					for _, p := range h.Prompts() {
						_ = h.Decide(t.Context(), p.ID, capability.Once)
					}
				}
				h.until("the result", func() bool {
					h.clock.Advance(settleRetry)
					return len(h.got()) > 0
				})
				runs := len(h.do.calls())
				want := map[bool]string{true: `c1 completed/{"done":true}`, false: "c1 failed/interrupted"}[runs == 1]
				if got := h.got()[0]; runs > 1 || got != want {
					t.Errorf("ran %d times, result %q", runs, got)
				}
				if len(h.Prompts()) != 0 {
					t.Error("a prompt is left")
				}
			})
		}
	}
}
