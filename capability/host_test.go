package capability_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"lineup/capability"
	"lineup/capability/capabilitytest"
)

const patience = 20 * time.Second

// effect is a provider whose effect is counted.
type effect struct {
	name   capability.Name
	risk   capability.Risk
	invoke func(context.Context, capability.Call) (json.RawMessage, error)

	mu   sync.Mutex
	args []string // of each Invoke
}

func (e *effect) Descriptor() capability.Descriptor {
	return capability.Descriptor{Name: e.name, Version: "1.0", Risk: e.risk,
		InputSchema:  json.RawMessage(`{"type":"object","properties":{"to":{"type":"string","maxLength":100}},"required":["to"],"additionalProperties":false}`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"done":{"const":true}},"required":["done"],"additionalProperties":false}`)}
}

func (e *effect) Title(lang string) string {
	if lang == "zh-CN" {
		return "做"
	}
	return "do it"
}

func (e *effect) to(args json.RawMessage) string {
	var a struct{ To string }
	_ = json.Unmarshal(args, &a)
	return a.To
}

func (e *effect) Present(args json.RawMessage, lang string) capability.Presentation {
	if e.to(args) == "panic in present" {
		panic("present")
	}
	return capability.Presentation{Summary: "to " + strings.ToUpper(e.to(args)), Args: []capability.Arg{{Name: "to", Label: "to", Value: e.to(args)}}}
}

func (e *effect) Scope(args json.RawMessage) (string, func(string) string) {
	to := e.to(args)
	if to == "panic in scope" {
		panic("scope")
	}
	return to, func(lang string) string { return lang + ": do it to " + to }
}

func (e *effect) Check(args json.RawMessage) error {
	switch e.to(args) {
	case "forbidden":
		return fmt.Errorf("to: not there")
	case "panic in check":
		panic("check")
	}
	return nil
}

func (e *effect) Invoke(ctx context.Context, c capability.Call) (json.RawMessage, error) {
	e.mu.Lock()
	e.args = append(e.args, string(c.Args))
	e.mu.Unlock()
	if e.invoke != nil {
		return e.invoke(ctx, c)
	}
	return json.RawMessage(`{"done":true}`), nil
}

func (e *effect) calls() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.args...)
}

// host is a broker with all its seams.
type host struct {
	*capability.Broker
	t     *testing.T
	store *capabilitytest.Memory
	clock *capabilitytest.Clock
	do    *effect

	mu      sync.Mutex
	results []string // "call status/code"
	states  []string // "call phase"
	changed chan struct{}
}

// setup makes a host over store (nil: a new one); tune may change the options.
func setup(t *testing.T, store *capabilitytest.Memory, tune ...func(*capability.Options, *host)) *host {
	t.Helper()
	if store == nil {
		store = capabilitytest.NewMemory([]byte("key"))
	}
	h := &host{t: t, store: store, clock: &capabilitytest.Clock{}, changed: make(chan struct{}, 1),
		do: &effect{name: "test.do", risk: capability.UserConfirmation}}
	opt := capability.Options{
		Ledger: store.Ledger(), Grants: store.Grants(), Audit: store.Audit(), Clock: h.clock,
		Visible: func(_ capability.AgentID, n capability.Name) capability.Visibility {
			if strings.HasPrefix(string(n), "test.") {
				return capability.Available
			}
			return capability.Unknown
		},
		Identify: func(capability.AgentID) capability.Identity {
			return capability.Identity{Fingerprint: "fp", MayAlways: true}
		},
		OnResult: func(c capability.Call, r capability.Result) error {
			h.note(&h.results, fmt.Sprintf("%s %s/%s%s", c.ID, r.Status, r.Code, r.Value))
			return nil
		},
		OnState: func(c capability.Call, p capability.Phase, _ capability.Result) {
			h.note(&h.states, fmt.Sprint(c.ID, " ", p))
		},
		OnPromptsChanged: func() { h.note(nil, "") },
	}
	for _, f := range tune {
		f(&opt, h)
	}
	if opt.Providers == nil {
		opt.Providers = []capability.Provider{h.do}
	}
	var err error
	if h.Broker, err = capability.NewBroker(opt); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

func (h *host) note(list *[]string, s string) {
	h.mu.Lock()
	if list != nil {
		*list = append(*list, s)
	}
	h.mu.Unlock()
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// until waits for something that a callback brings about.
func (h *host) until(what string, ok func() bool) {
	h.t.Helper()
	deadline := time.After(patience)
	again := time.NewTicker(5 * time.Millisecond) // for what no callback tells
	defer again.Stop()
	for !ok() {
		select {
		case <-h.changed:
		case <-again.C:
		case <-deadline:
			h.mu.Lock()
			defer h.mu.Unlock()
			h.t.Fatalf("waited for %s in vain; results %q, states %q", what, h.results, h.states)
		}
	}
}

func (h *host) got() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.results...)
}

// result waits for the nth result (from 1) and compares it.
func (h *host) result(n int, want string) {
	h.t.Helper()
	h.until(want, func() bool { return len(h.got()) >= n })
	if got := h.got()[n-1]; got != want {
		h.t.Errorf("result %d is %q, want %q", n, got, want)
	}
}

func (h *host) untouched() {
	h.t.Helper()
	if calls := h.do.calls(); len(calls) != 0 {
		h.t.Errorf("the provider was called: %q", calls)
	}
}

func call(id string) capability.Call {
	return capability.Call{Agent: "agent", ID: capability.CallID(id), Conversation: "conv", Capability: "test.do", Reason: "because", Args: json.RawMessage(`{"to":"x"}`)}
}

func (h *host) submit(c capability.Call) {
	h.t.Helper()
	if err := h.Submit(h.t.Context(), c); err != nil {
		h.t.Fatal(err)
	}
}

// ask submits and returns the prompt.
func (h *host) ask(c capability.Call) capability.Prompt {
	h.t.Helper()
	h.submit(c)
	for _, p := range h.Prompts() {
		if p.Call.Key() == c.Key() {
			return p
		}
	}
	h.t.Fatalf("no prompt for %s; results %q", c.ID, h.got())
	return capability.Prompt{}
}

func (h *host) decide(p capability.Prompt, d capability.Decision) {
	h.t.Helper()
	if err := h.Decide(h.t.Context(), p.ID, d); err != nil {
		h.t.Fatal(err)
	}
}

// events is the audit log as "chain event decision code".
func (h *host) events() []string {
	var out []string
	for _, r := range h.store.Records() {
		out = append(out, strings.TrimRight(fmt.Sprintf("%s %s %s %s", r.Chain, r.Event, r.Decision, r.Code), " "))
	}
	return out
}

func (h *host) intact() {
	h.t.Helper()
	if _, err := h.store.Audit().Verify(context.Background()); err != nil {
		h.t.Error(err)
	}
}
