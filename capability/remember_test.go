package capability_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"lineup/capability"
)

const done = `completed/{"done":true}`

func numbered(i int, to string) capability.Call {
	c := call(fmt.Sprint("c", i))
	c.Args, _ = json.Marshal(map[string]string{"to": to})
	return c
}

func TestRemembered(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer capability.Decision
		next   func(*capability.Call)
		asked  bool
	}{
		{"once asks again", capability.Once, func(*capability.Call) {}, true},
		{"conversation", capability.Conversation, func(*capability.Call) {}, false},
		{"another conversation", capability.Conversation, func(c *capability.Call) { c.Conversation = "conv2" }, true},
		{"always", capability.Always, func(c *capability.Call) { c.Conversation = "conv2" }, false},
		{"another scope", capability.Always, func(c *capability.Call) { c.Args = json.RawMessage(`{"to":"y"}`) }, true},
		{"another agent", capability.Always, func(c *capability.Call) { c.Agent = "agent2" }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := setup(t, nil)
			h.decide(h.ask(call("c1")), c.answer)
			h.result(1, "c1 "+done)
			next := call("c2")
			c.next(&next)
			h.submit(next)
			if asked := len(h.Prompts()) == 1; asked != c.asked {
				t.Errorf("asked: %v, want %v", asked, c.asked)
			}
			if !c.asked {
				h.result(2, "c2 "+done)
				if got := h.events(); got[len(got)-2] != "agent allowed grant" {
					t.Errorf("log: %q", got)
				}
			}
			h.intact()
		})
	}
}

func TestGrantIsListedRevocableAndAges(t *testing.T) {
	h := setup(t, nil)
	p := h.ask(call("c1"))
	if p.Rule("zh-CN") != "zh-CN: do it to x" || !slices.Equal(p.Remember, []capability.Decision{capability.Conversation, capability.Always}) {
		t.Errorf("offered %v, %q", p.Remember, p.Rule("zh-CN"))
	}
	h.decide(p, capability.Always)
	h.result(1, "c1 "+done)
	h.clock.Advance(80 * 24 * time.Hour)
	h.submit(call("c2"))
	h.result(2, "c2 "+done)
	list, err := h.store.Grants().List(t.Context())
	if err != nil || len(list) != 1 || !list[0].LastUsedAt.Equal(h.clock.Now()) || list[0].Rule("en") != "en: do it to x" || list[0].Rule("fr") != "en: do it to x" {
		t.Fatalf("got %+v, %v", list, err)
	}
	h.clock.Advance(89 * 24 * time.Hour)
	h.submit(call("c3"))
	h.result(3, "c3 "+done)
	h.clock.Advance(capability.GrantIdle)
	h.decide(h.ask(call("c4")), capability.Always) // idle for 90 days: asked
	h.result(4, "c4 "+done)

	list, _ = h.store.Grants().List(t.Context())
	if len(list) != 1 {
		t.Fatalf("the same rule is there %d times", len(list))
	}
	if ok, err := h.RevokeGrant(t.Context(), list[0].ID); !ok || err != nil {
		t.Errorf("revoke: %v, %v", ok, err)
	}
	if ok, err := h.RevokeGrant(t.Context(), list[0].ID); ok || err != nil {
		t.Errorf("revoke again: %v, %v", ok, err)
	}
	h.ask(call("c5"))
	if got := h.events(); !slices.Contains(got, "agent grant_revoked always") {
		t.Errorf("log: %q", got)
	}
	h.intact()
}

func TestWhatIsNeverRemembered(t *testing.T) {
	allowAlways := capability.Identity{Fingerprint: "fp", MayAlways: true}
	for name, c := range map[string]struct {
		risk     capability.Risk
		identity capability.Identity
		to       string
		want     []capability.Decision
	}{
		"system permission":        {capability.SystemPermission, allowAlways, "x", nil},
		"restricted":               {capability.Restricted, allowAlways, "x", nil},
		"no scope":                 {capability.UserConfirmation, allowAlways, "panic in scope", nil},
		"agent without a record":   {capability.UserConfirmation, capability.Identity{MayAlways: true}, "x", nil},
		"plain ws beyond loopback": {capability.UserConfirmation, capability.Identity{Fingerprint: "fp"}, "x", []capability.Decision{capability.Conversation}},
	} {
		t.Run(name, func(t *testing.T) {
			h := setup(t, nil, func(o *capability.Options, h *host) {
				h.do.risk = c.risk
				o.Identify = func(capability.AgentID) capability.Identity { return c.identity }
				o.IdentityCheck = checker(func(context.Context) (bool, error) { return true, nil })
			})
			p := h.ask(numbered(1, c.to))
			if !slices.Equal(p.Remember, c.want) {
				t.Errorf("offered %v, want %v", p.Remember, c.want)
			}
			for _, d := range []capability.Decision{capability.Conversation, capability.Always} {
				if slices.Contains(c.want, d) {
					continue
				}
				if err := h.Decide(t.Context(), p.ID, d); !errors.Is(err, capability.ErrNotRememberable) {
					t.Errorf("%s: %v", d, err)
				}
			}
			for _, d := range []capability.Decision{"", "yes", capability.ByGrant, capability.ByPolicy} {
				if err := h.Decide(t.Context(), p.ID, d); !errors.Is(err, capability.ErrBadDecision) {
					t.Errorf("%q: %v", d, err)
				}
			}
			h.untouched()
			if list, _ := h.store.Grants().List(t.Context()); len(list) != 0 {
				t.Errorf("remembered %+v", list)
			}
			h.decide(p, capability.Once) // a refused answer has not used the prompt up
			h.result(1, "c1 "+done)
		})
	}
}

// A changed record of the agent voids what was remembered for it, and so does
// losing the right to "always".
func TestChangedAgentVoidsGrants(t *testing.T) {
	id := capability.Identity{Fingerprint: "ws://a", MayAlways: true}
	h := setup(t, nil, func(o *capability.Options, _ *host) {
		o.Identify = func(capability.AgentID) capability.Identity { return id }
	})
	h.decide(h.ask(call("c1")), capability.Always)
	h.result(1, "c1 "+done)
	id.Fingerprint = "ws://b"
	h.ask(call("c2"))
	id = capability.Identity{Fingerprint: "ws://a"}
	h.ask(call("c3"))
	id.MayAlways = true
	h.submit(call("c4"))
	h.result(2, "c4 "+done)
}

func TestDenyBeatsAskBeatsAllow(t *testing.T) {
	var ruling capability.Ruling
	h := setup(t, nil, func(o *capability.Options, _ *host) {
		o.Policy = ruler(func(_ capability.Call, _ capability.Descriptor, scope string) capability.Ruling {
			if scope != "x" {
				t.Errorf("the policy sees scope %q", scope)
			}
			return ruling
		})
	})
	h.decide(h.ask(call("c1")), capability.Always)
	h.result(1, "c1 "+done)
	for i, c := range []struct {
		ruling capability.Ruling
		want   string // empty: asked
	}{
		{capability.Ruling{}, done},
		{capability.Ruling{Effect: capability.Allow}, done},
		{capability.Ruling{Effect: capability.Ask}, ""},
		{capability.Ruling{Effect: capability.Forbid}, "rejected/policy"},
		{capability.Ruling{Effect: capability.Allow, Risk: capability.SystemPermission}, ""}, // made stricter: asked every time
		{capability.Ruling{Risk: capability.DisplayOnly}, done},                              // never made looser; the grant holds
		{capability.Ruling{Risk: "nonsense"}, "rejected/policy"},                             // what is not understood is restricted
	} {
		ruling = c.ruling
		id := fmt.Sprint("r", i)
		before, asked := len(h.got()), len(h.Prompts())
		h.submit(call(id))
		if c.want == "" {
			if n := len(h.Prompts()); n != asked+1 {
				t.Errorf("%+v: not asked", c.ruling)
			}
			continue
		}
		h.result(before+1, id+" "+c.want)
	}
}

func TestGrantsThatCannotBeReadAsk(t *testing.T) {
	h := setup(t, nil, func(o *capability.Options, _ *host) { o.Grants = brokenGrants{o.Grants} })
	h.ask(call("c1"))
}

type brokenGrants struct{ capability.Grants }

func (brokenGrants) Match(context.Context, capability.AgentID, capability.Name, string) ([]capability.Grant, error) {
	return nil, errors.New("disk")
}

// Three refusals in a row, and what the agent still has or sends waits quietly.
func TestQuiet(t *testing.T) {
	h := setup(t, nil)
	quiet := func() (out []string) {
		for _, p := range h.Prompts() {
			out = append(out, fmt.Sprint(p.Call.ID, p.Quiet))
		}
		return out
	}
	p1, p2 := h.ask(call("c1")), h.ask(call("c2"))
	h.decide(p1, capability.Deny)
	h.decide(p2, capability.Deny)
	h.decide(h.ask(call("c3")), capability.Once) // a yes in between
	h.result(3, "c3 "+done)
	p4, p5, p6 := h.ask(call("c4")), h.ask(call("c5")), h.ask(call("c6"))
	h.ask(call("c7"))
	other := call("o1")
	other.Agent = "agent2"
	h.ask(other)
	h.decide(p4, capability.Deny)
	h.decide(p5, capability.Deny)
	if got := quiet(); !slices.Equal(got, []string{"c6false", "c7false", "o1false"}) {
		t.Errorf("after two: %v", got)
	}
	h.decide(p6, capability.Deny)
	p8 := h.ask(call("c8"))
	if got := quiet(); !slices.Equal(got, []string{"c7true", "o1false", "c8true"}) {
		t.Errorf("after three: %v", got)
	}
	h.decide(p8, capability.Once) // found in the inbox and allowed
	h.ask(call("c9"))
	h.until("c8 to be done", func() bool { return slices.Equal(quiet(), []string{"c7true", "o1false", "c9false"}) })
}

type checker func(context.Context) (bool, error)

func (c checker) Confirm(ctx context.Context, _ capability.Call, _ capability.Descriptor) (bool, error) {
	return c(ctx)
}

func TestIdentityCheck(t *testing.T) {
	type answer struct {
		yes bool
		err error
	}
	restricted := func(answers chan answer, asked *atomic.Int32) func(*capability.Options, *host) {
		return func(o *capability.Options, h *host) {
			h.do.risk = capability.Restricted
			o.IdentityCheck = checker(func(ctx context.Context) (bool, error) {
				asked.Add(1)
				select {
				case a := <-answers:
					if a.err != nil && a.err.Error() == "panic" {
						panic("identity")
					}
					return a.yes, a.err
				case <-ctx.Done():
					return true, nil // a check that says yes when it is called off
				}
			})
		}
	}
	t.Run("yes", func(t *testing.T) {
		answers, asked := make(chan answer, 1), new(atomic.Int32)
		h := setup(t, nil, restricted(answers, asked))
		p := h.ask(call("c1"))
		h.decide(p, capability.Once)
		if err := h.Decide(t.Context(), p.ID, capability.Once); !errors.Is(err, capability.ErrAnswered) {
			t.Errorf("a second answer: %v", err)
		}
		if q := h.Prompts(); len(q) != 1 || !q[0].Busy {
			t.Errorf("while it is checked: %+v", q)
		}
		h.untouched()
		answers <- answer{yes: true}
		h.result(1, "c1 "+done)
		h.ask(call("c2")) // every time
		if asked.Load() != 1 {
			t.Errorf("checked %d times", asked.Load())
		}
	})
	t.Run("no", func(t *testing.T) {
		answers, asked := make(chan answer, 1), new(atomic.Int32)
		h := setup(t, nil, restricted(answers, asked))
		answers <- answer{}
		h.decide(h.ask(call("c1")), capability.Once)
		h.result(1, "c1 rejected/user")
		h.untouched()
	})
	for _, err := range []error{errors.New("no agent"), errors.New("panic")} {
		t.Run("failed dialog: "+err.Error(), func(t *testing.T) {
			answers, asked := make(chan answer, 1), new(atomic.Int32)
			h := setup(t, nil, restricted(answers, asked))
			p := h.ask(call("c1"))
			answers <- answer{yes: true, err: err}
			h.decide(p, capability.Once)
			h.until("the prompt to wait again", func() bool { return asked.Load() == 1 && !h.Prompts()[0].Busy })
			h.untouched()
			answers <- answer{yes: true}
			h.decide(p, capability.Once)
			h.result(1, "c1 "+done)
		})
	}
	for name, end := range map[string]func(*host){
		"cancelled/withdrawn": func(h *host) { _ = h.Withdraw(h.t.Context(), "agent", "c1") },
		"unsupported/revoked": func(h *host) { _ = h.Revoke(h.t.Context(), "test.do") },
		"expired/expired":     func(h *host) { h.clock.Advance(time.Hour) },
	} {
		t.Run("meanwhile "+name, func(t *testing.T) {
			answers, asked := make(chan answer), new(atomic.Int32)
			h := setup(t, nil, restricted(answers, asked))
			c := call("c1")
			c.ExpiresAt = h.clock.Now().Add(time.Minute)
			h.decide(h.ask(c), capability.Once)
			h.until("the check", func() bool { return asked.Load() == 1 })
			end(h)
			h.result(1, "c1 "+name)
			h.Close() // the check has ended with a yes that came too late
			h.untouched()
		})
	}
}
