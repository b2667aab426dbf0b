package capability_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lineup/capability"
)

func opt(f func(*capability.Options, *host)) func(*capability.Options, *host) { return f }

type ruler func(capability.Call, capability.Descriptor, string) capability.Ruling

func (r ruler) Rule(c capability.Call, d capability.Descriptor, s string) capability.Ruling {
	return r(c, d, s)
}

func policy(e capability.Effect) func(*capability.Options, *host) {
	return func(o *capability.Options, _ *host) {
		o.Policy = ruler(func(capability.Call, capability.Descriptor, string) capability.Ruling {
			return capability.Ruling{Effect: e}
		})
	}
}

func with(change func(*capability.Call)) capability.Call {
	c := call("c1")
	change(&c)
	return c
}

func args(s string) capability.Call {
	return with(func(c *capability.Call) { c.Args = json.RawMessage(s) })
}

// The refusals that need no prompt: the exact result, the provider not called,
// the same again when asked again, and a line in the log.
func TestRefusedAtOnce(t *testing.T) {
	past := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	vis := func(v capability.Visibility) func(*capability.Options, *host) {
		return func(o *capability.Options, _ *host) {
			o.Visible = func(capability.AgentID, capability.Name) capability.Visibility { return v }
		}
	}
	for _, c := range []struct {
		name string
		call capability.Call
		tune func(*capability.Options, *host)
		want string
		log  string
	}{
		{"unknown", with(func(c *capability.Call) { c.Capability = "no.such" }), nil, "unsupported/unknown_capability", "unsupported"},
		{"visible but not provided", with(func(c *capability.Call) { c.Capability = "test.other" }), nil, "unsupported/unknown_capability", "unsupported"},
		{"no word on visibility", call("c1"), func(o *capability.Options, _ *host) { o.Visible = nil }, "unsupported/unknown_capability", "unsupported"},
		{"hostile name", with(func(c *capability.Call) { c.Capability = "\u202E../x" }), nil, "unsupported/unknown_capability", "unsupported"},
		{"revoked", call("c1"), vis(capability.Revoked), "unsupported/revoked", "unsupported"},
		{"missing argument", args(`{}`), nil, "failed/invalid_arguments", "failed"},
		{"no arguments", with(func(c *capability.Call) { c.Args = nil }), nil, "failed/invalid_arguments", "failed"},
		{"wrong type", args(`{"to":1}`), nil, "failed/invalid_arguments", "failed"},
		{"extra argument", args(`{"to":"x","then":"y"}`), nil, "failed/invalid_arguments", "failed"},
		{"one too long", args(`{"to":"` + strings.Repeat("x", 101) + `"}`), nil, "failed/invalid_arguments", "failed"},
		{"not an object", args(`["x"]`), nil, "failed/invalid_arguments", "failed"},
		{"not JSON", args(`{"to":`), nil, "failed/invalid_arguments", "failed"},
		{"two values", args(`{"to":"x"}{"to":"y"}`), nil, "failed/invalid_arguments", "failed"},
		{"same member twice", args(`{"to":"x","to":"y"}`), nil, "failed/invalid_arguments", "failed"},
		{"same member twice, escaped", args(`{"to":"x","t\u006f":"y"}`), nil, "failed/invalid_arguments", "failed"},
		{"not UTF-8", args("{\"to\":\"\xff\"}"), nil, "failed/invalid_arguments", "failed"},
		{"a number of a million digits", args(`{"to":1e999999999}`), nil, "failed/invalid_arguments", "failed"},
		{"too deep", args(strings.Repeat(`{"to":`, 70) + "1" + strings.Repeat("}", 70)), nil, "failed/invalid_arguments", "failed"},
		{"provider's own rule", args(`{"to":"forbidden"}`), nil, "failed/invalid_arguments", "failed"},
		{"provider's rule panics", args(`{"to":"panic in check"}`), nil, "failed/invalid_arguments", "failed"},
		{"expired, to the instant", with(func(c *capability.Call) { c.ExpiresAt = past }), nil, "expired/expired", "expired"},
		{"policy", call("c1"), policy(capability.Forbid), "rejected/policy", "denied"},
		{"restricted without identity check", call("c1"), func(o *capability.Options, h *host) { h.do.risk = capability.Restricted }, "rejected/policy", "denied"},
		{"raised to restricted by policy", call("c1"), func(o *capability.Options, _ *host) {
			o.Policy = ruler(func(capability.Call, capability.Descriptor, string) capability.Ruling {
				return capability.Ruling{Effect: capability.Allow, Risk: capability.Restricted}
			})
		}, "rejected/policy", "denied"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.tune == nil {
				c.tune = func(*capability.Options, *host) {}
			}
			h := setup(t, nil, c.tune)
			h.submit(c.call)
			h.result(1, "c1 "+c.want)
			h.submit(c.call)
			h.result(2, "c1 "+c.want)
			h.untouched()
			if n := len(h.Prompts()); n != 0 {
				t.Errorf("%d prompts", n)
			}
			var logged []string
			for _, r := range h.store.Records() {
				if r.Chain == "agent" {
					logged = append(logged, r.Event)
				}
			}
			if fmt.Sprint(logged) != "[requested "+c.log+"]" {
				t.Errorf("logged %v", logged)
			}
			h.intact()
		})
	}
}

func TestOrderOfChecks(t *testing.T) {
	// Everything is wrong at once; each step takes the first wrong thing away.
	vis, effect := capability.Unknown, capability.Forbid
	h := setup(t, nil, func(o *capability.Options, h *host) {
		o.Visible = func(capability.AgentID, capability.Name) capability.Visibility { return vis }
		o.Policy = ruler(func(capability.Call, capability.Descriptor, string) capability.Ruling {
			return capability.Ruling{Effect: effect}
		})
		o.MaxPending = 1
	})
	c := args(`{}`)
	c.ExpiresAt = h.clock.Now()
	steps := []struct {
		want string
		fix  func()
	}{
		{"unsupported/unknown_capability", func() { vis = capability.Revoked }},
		{"unsupported/revoked", func() { vis = capability.Available }},
		{"failed/invalid_arguments", func() { c.Args = json.RawMessage(`{"to":"x"}`) }},
		{"expired/expired", func() { c.ExpiresAt = time.Time{} }},
		{"rejected/policy", func() { effect = capability.NoOpinion }},
	}
	for i, s := range steps {
		c.ID = capability.CallID(fmt.Sprint("s", i))
		h.submit(c)
		h.result(i+1, fmt.Sprintf("s%d %s", i, s.want))
		s.fix()
	}
	h.ask(call("first"))
	h.submit(call("second"))
	h.result(len(steps)+1, "second failed/busy")
	h.untouched()
}

// What happens after the user was asked.
func TestAfterThePrompt(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func(*host, capability.Prompt)
		want string
		ran  bool
	}{
		{"allowed", func(h *host, p capability.Prompt) { h.decide(p, capability.Once) }, `completed/{"done":true}`, true},
		{"declined", func(h *host, p capability.Prompt) { h.decide(p, capability.Deny) }, "rejected/user", false},
		{"withdrawn", func(h *host, p capability.Prompt) { _ = h.Withdraw(h.t.Context(), "agent", "c1") }, "cancelled/withdrawn", false},
		{"stopped", func(h *host, p capability.Prompt) { _ = h.CancelConversation(h.t.Context(), "conv") }, "cancelled/stopped", false},
		{"conversation closed", func(h *host, p capability.Prompt) { _ = h.CloseConversation(h.t.Context(), "conv") }, "cancelled/stopped", false},
		{"agent removed", func(h *host, p capability.Prompt) { _ = h.ForgetAgent(h.t.Context(), "agent") }, "cancelled/stopped", false},
		{"revoked while open", func(h *host, p capability.Prompt) { _ = h.Revoke(h.t.Context(), "test.do") }, "unsupported/revoked", false},
		{"expired while open", func(h *host, p capability.Prompt) { h.clock.Advance(time.Minute) }, "expired/expired", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := setup(t, nil)
			ask := call("c1")
			ask.ExpiresAt = h.clock.Now().Add(time.Minute)
			p := h.ask(ask)
			c.run(h, p)
			h.result(1, "c1 "+c.want)
			if ran := len(h.do.calls()); ran != map[bool]int{true: 1}[c.ran] {
				t.Errorf("the provider was called %d times", ran)
			}
			if err := h.Decide(t.Context(), p.ID, capability.Once); !errors.Is(err, capability.ErrUnknownPrompt) {
				t.Errorf("answering again: %v", err)
			}
			h.submit(ask)
			h.result(2, "c1 "+c.want)
			if n := len(h.Prompts()); n != 0 || len(h.do.calls()) > 1 {
				t.Errorf("%d prompts, %d runs", n, len(h.do.calls()))
			}
			h.intact()
		})
	}
}

func TestOtherPromptsStay(t *testing.T) {
	h := setup(t, nil)
	h.ask(call("c1"))
	other := call("c2")
	other.Agent, other.Conversation = "agent2", "conv2"
	h.ask(other)
	_ = h.Withdraw(t.Context(), "agent2", "c1") // another agent's call of that id
	_ = h.CancelConversation(t.Context(), "conv3")
	_ = h.Revoke(t.Context(), "test.other")
	if n := len(h.Prompts()); n != 2 {
		t.Errorf("%d prompts, want 2", n)
	}
	_ = h.CancelConversation(t.Context(), "conv2")
	h.result(1, "c2 cancelled/stopped")
	if p := h.Prompts(); len(p) != 1 || p[0].Call.ID != "c1" {
		t.Errorf("got %+v", p)
	}
}

// What the world turned into while the prompt was open decides, not what it was.
func TestJudgedAgainWhenAllowed(t *testing.T) {
	t.Run("inventory", func(t *testing.T) {
		var gone atomic.Bool
		h := setup(t, nil, func(o *capability.Options, _ *host) {
			o.Visible = func(capability.AgentID, capability.Name) capability.Visibility {
				if gone.Load() {
					return capability.Revoked
				}
				return capability.Available
			}
		})
		p := h.ask(call("c1"))
		gone.Store(true)
		if err := h.Decide(t.Context(), p.ID, capability.Once); !errors.Is(err, capability.ErrRevoked) {
			t.Errorf("got %v", err)
		}
		h.result(1, "c1 unsupported/revoked")
		h.untouched()
	})
	t.Run("policy", func(t *testing.T) {
		var forbid atomic.Bool
		h := setup(t, nil, func(o *capability.Options, _ *host) {
			o.Policy = ruler(func(capability.Call, capability.Descriptor, string) (r capability.Ruling) {
				if forbid.Load() {
					r.Effect = capability.Forbid
				}
				return r
			})
		})
		p := h.ask(call("c1"))
		h.ask(call("c2"))
		forbid.Store(true)
		if err := h.Decide(t.Context(), p.ID, capability.Once); !errors.Is(err, capability.ErrForbidden) {
			t.Errorf("got %v", err)
		}
		h.result(1, "c1 rejected/policy")
		if err := h.Recheck(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.result(2, "c2 rejected/policy")
		h.untouched()
	})
	t.Run("time, before the timer", func(t *testing.T) {
		var skew atomic.Int64
		h := setup(t, nil, func(o *capability.Options, h *host) { o.Clock = skewed{h, &skew} })
		c := call("c1")
		c.ExpiresAt = h.clock.Now().Add(time.Second)
		p := h.ask(c)
		skew.Store(int64(time.Second))
		if err := h.Decide(t.Context(), p.ID, capability.Once); !errors.Is(err, capability.ErrExpired) {
			t.Errorf("got %v", err)
		}
		h.result(1, "c1 expired/expired")
		h.untouched()
	})
}

type skewed struct {
	h    *host
	skew *atomic.Int64
}

func (s skewed) Now() time.Time { return s.h.clock.Now().Add(time.Duration(s.skew.Load())) }
func (s skewed) AfterFunc(d time.Duration, f func()) func() bool {
	return s.h.clock.AfterFunc(d, f)
}

// How a provider can go wrong, and what the agent hears of it: our words only.
func TestProviderFailures(t *testing.T) {
	type out = json.RawMessage
	for name, c := range map[string]struct {
		invoke func(context.Context, capability.Call) (out, error)
		want   string
	}{
		"error": {func(context.Context, capability.Call) (out, error) {
			return nil, errors.New("open /home/u/.ssh: denied")
		}, "failed/provider_error"},
		"panic":           {func(context.Context, capability.Call) (out, error) { panic("secret") }, "failed/provider_error"},
		"nil dereference": {func(context.Context, capability.Call) (out, error) { var p *capability.Call; return p.Args, nil }, "failed/provider_error"},
		"own words": {func(context.Context, capability.Call) (out, error) {
			return nil, &capability.ProviderError{Code: "disk_full", Message: "the disk is full"}
		}, "failed/disk_full"},
		"wrapped words": {func(context.Context, capability.Call) (out, error) {
			return nil, fmt.Errorf("x: %w", &capability.ProviderError{Code: "disk_full"})
		}, "failed/disk_full"},
		"bad code": {func(context.Context, capability.Call) (out, error) {
			return nil, &capability.ProviderError{Code: "Bad Code!"}
		}, "failed/provider_error"},
		"wrong output":     {func(context.Context, capability.Call) (out, error) { return out(`{"done":false}`), nil }, "failed/invalid_output"},
		"no output":        {func(context.Context, capability.Call) (out, error) { return nil, nil }, "failed/invalid_output"},
		"broken output":    {func(context.Context, capability.Call) (out, error) { return out(`{"done":tr`), nil }, "failed/invalid_output"},
		"output and more":  {func(context.Context, capability.Call) (out, error) { return out(`{"done":true} {}`), nil }, "failed/invalid_output"},
		"ambiguous output": {func(context.Context, capability.Call) (out, error) { return out(`{"done":true,"done":true}`), nil }, "failed/invalid_output"},
	} {
		t.Run(name, func(t *testing.T) {
			var said string
			h := setup(t, nil, func(o *capability.Options, h *host) {
				h.do.invoke = c.invoke
				f := o.OnResult
				o.OnResult = func(c capability.Call, r capability.Result) error { said = r.Message; return f(c, r) }
			})
			h.decide(h.ask(call("c1")), capability.Once)
			h.result(1, "c1 "+c.want)
			if strings.Contains(said, "/") || strings.Contains(said, "secret") {
				t.Errorf("the agent hears %q", said)
			}
			h.submit(call("c1"))
			h.result(2, "c1 "+c.want)
			if n := len(h.do.calls()); n != 1 {
				t.Errorf("called %d times", n)
			}
			h.decide(h.ask(call("c2")), capability.Once) // the broker lives on
			h.result(3, "c2 "+c.want)
		})
	}
}

// A provider that panics while it describes a call must not hide the call.
func TestPanicsOutsideInvoke(t *testing.T) {
	h := setup(t, nil)
	p := h.ask(args(`{"to":"panic in present"}`))
	got := p.Present("en")
	if got.Title != "do it" || len(got.Args) != 1 || got.Args[0].Value != `{"to":"panic in present"}` {
		t.Errorf("shown: %+v", got)
	}
	c := args(`{"to":"panic in scope"}`)
	c.ID = "c2"
	if p := h.ask(c); len(p.Remember) != 0 || p.Rule("en") != "" {
		t.Errorf("rememberable without a scope: %+v", p.Remember)
	}
}
