package host

import (
	"sync"
	"time"

	"lineup/app/uiapi"
	"lineup/surface"
	"lineup/weak"
)

// sandbox is what is known about whether surfaces may be shown here.
type sandbox struct {
	mu     sync.Mutex
	state  uiapi.Sandbox
	nonce  string
	sealed func() (bool, string) // the shell's own word; nil: a browser, which seals nothing
	canary func() int64          // connections that nobody but an escaped frame makes
	before int64
	native func(nonce string) bool // a message that carried the nonce reached Go
	done   chan struct{}
	once   sync.Once
}

func (s *sandbox) view() uiapi.Sandbox {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.state
	if v.Leaks == nil {
		v.Leaks = []string{}
	}
	return v
}

func (s *sandbox) failed() bool { return s.view().State == "failed" }

// allowed says whether a frame may be mounted now.
func (s *sandbox) allowed() bool {
	st := s.view().State
	return st == "sealed" || st == "preview"
}

// mountProbe gives a page the probe's frame.
func (h *Host) mountProbe(client *uiapi.Client) (uiapi.ProbeMount, error) {
	nonce := uiapi.Secret()
	doc, head := surface.BuildProbe(surface.ProbeIn{
		Nonce: nonce, HostOrigin: h.hostOrigin, UIURL: h.uiURL, CanaryURL: h.canaryURL, Ancestors: h.ancestors,
	})
	h.sandbox.mu.Lock()
	h.sandbox.nonce = nonce
	if h.sandbox.canary != nil {
		h.sandbox.before = h.sandbox.canary()
	}
	h.sandbox.mu.Unlock()
	f := &frame{client: client, probe: true}
	h.frames.mu.Lock()
	defer h.frames.mu.Unlock()
	if !h.frames.add(f, doc, head) {
		return uiapi.ProbeMount{}, uiapi.Fail(uiapi.Busy)
	}
	return uiapi.ProbeMount{FrameID: f.id, URL: f.url, TimeoutMS: surface.ProbeTimeoutMS}, nil
}

// probeReport judges a report, after a moment for the canary to sing.
func (h *Host) probeReport(f *frame, raw string) {
	r, err := surface.DecodeProbeReport(raw)
	h.sandbox.mu.Lock()
	ok := err == nil && r.Nonce == h.sandbox.nonce && h.sandbox.nonce != ""
	if ok {
		h.sandbox.nonce = ""
	}
	h.sandbox.mu.Unlock()
	if !ok {
		h.log.Warn("a probe's report was refused", "err", err)
		return
	}
	time.AfterFunc(canaryPause, func() {
		h.judge(r)
		h.frames.forgetAll(func(o *frame) bool { return o == f })
	})
}

// canaryPause is how long after the report a stray connection may still come.
const canaryPause = 300 * time.Millisecond

func (h *Host) judge(r surface.ProbeReport) {
	leaks := r.Leaks()
	s := &h.sandbox
	s.mu.Lock()
	if s.canary != nil && s.canary() != s.before {
		leaks = append(leaks, "canary_connection")
	}
	if s.native != nil && s.native(r.Nonce) {
		leaks = append(leaks, "native_message")
	}
	s.state.Checked = len(r.Attempts) + 2
	s.state.Leaks = leaks
	s.state.State = "preview" // a browser: for development, see SECURITY.md
	if s.sealed != nil {
		s.state.State = "sealed"
		if ok, why := s.sealed(); !ok {
			s.state.Leaks = append(s.state.Leaks, "not_sealed:"+why)
		}
	}
	if len(s.state.Leaks) > 0 && !weak.Verdict {
		s.state.State = "failed"
	}
	s.mu.Unlock()
	h.settleSandbox()
}

// failProbe fails closed: a page that had a probe and never reported.
func (h *Host) failProbe(why string) {
	h.sandbox.mu.Lock()
	h.sandbox.state.State = "failed"
	h.sandbox.state.Leaks = []string{why}
	h.sandbox.mu.Unlock()
	h.settleSandbox()
}

func (h *Host) settleSandbox() {
	v := h.sandbox.view()
	h.log.Info("sandbox probe", "state", v.State, "checked", v.Checked, "leaks", v.Leaks)
	h.hub.Mark(keySandbox)
	h.sandbox.once.Do(func() { close(h.sandbox.done) })
	h.resettle()
}

// resettle brings every card on every page to where the present verdict wants it.
func (h *Host) resettle() {
	if !h.sandbox.allowed() {
		h.frames.forgetAll(func(f *frame) bool { return !f.probe }) // spares and orphans
	}
	for _, client := range h.hub.Clients() {
		h.settle(client)
	}
}

// Reprobe forgets the verdict: the web process is another one, and until it has
// been probed no surface is shown.
func (h *Host) Reprobe() {
	h.sandbox.mu.Lock()
	h.sandbox.state.State, h.sandbox.state.Leaks, h.sandbox.nonce = "probing", nil, ""
	h.sandbox.mu.Unlock()
	h.frames.forgetAll(func(*frame) bool { return true })
	h.hub.Mark(keySandbox)
	h.resettle()
}
