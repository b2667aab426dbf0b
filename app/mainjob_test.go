package app

import (
	"strings"
	"testing"

	"lineup/app/host"
	"lineup/app/uiapi"
)

// TestMainJob is the scenario of the window, over the UI socket: chat, a
// surface, its event, a patch, a prompt, both answers, and a restart.
func TestMainJob(t *testing.T) {
	dir := t.TempDir()
	c, sh := startCore(t, dir, "", host.PolicyAsk)
	p := dialPage(t, c, "")
	p.probe("")
	conv := p.create()
	p.say(conv, "weather")
	isOpen := func(it uiapi.Item) bool { return it.Surface.Status == "open" }
	p.until("the dashboard opens", func() bool { return p.find("surface", isOpen) != nil })
	p.mu.Lock()
	surface := *p.find("surface", isOpen)
	p.mu.Unlock()
	if surface.Surface.Name != "Weather dashboard" || surface.Surface.Mark != "unverified" {
		t.Fatalf("surface %+v", surface.Surface)
	}
	frame := p.mount(conv, surface.Surface.InstanceID)
	p.event(frame, "refresh", `{"unit":"c"}`)
	p.until("the surface gets the new state", func() bool {
		last := p.frames[frame][len(p.frames[frame])-1]
		return strings.Contains(last, `"type":"state"`)
	})
	p.until("the agent asks", func() bool { return len(p.prompts) == 1 })
	p.mu.Lock()
	prompt := p.prompts[0]
	p.mu.Unlock()
	if !strings.HasPrefix(prompt.Title, "LineUp Demo wants to ") || len(prompt.Arguments) == 0 || prompt.Reason.Text == "" {
		t.Fatalf("prompt %+v", prompt)
	}
	if got := sh.copied(); len(got) != 0 {
		t.Fatalf("copied before the user said yes: %q", got)
	}
	p.decide("once")
	p.until("the agent hears of it", func() bool {
		return p.find("message", func(it uiapi.Item) bool { return strings.Contains(text(it), "Copied") }) != nil
	})
	if got := sh.copied(); len(got) != 1 || !strings.HasPrefix(got[0], "Beijing: ") || got[0] != prompt.Arguments[0].Value.Text {
		t.Fatalf("clipboard %q, shown %q", got, prompt.Arguments[0].Value.Text)
	}

	// Declined.
	p.event(frame, "copy", `{}`)
	p.decide("deny")
	p.until("the agent hears the no", func() bool {
		return p.find("message", func(it uiapi.Item) bool { return strings.Contains(text(it), "not copied") }) != nil
	})
	if got := sh.copied(); len(got) != 1 {
		t.Fatalf("copied although declined: %q", got)
	}
	// A third request is left open.
	p.event(frame, "copy", `{}`)
	p.until("it asks again", func() bool { return len(p.prompts) == 1 })
	p.mu.Lock()
	state := p.frames[frame][len(p.frames[frame])-1]
	p.mu.Unlock()
	before := snapshotOf(p, conv)
	stopCore[c]()

	c, sh = startCore(t, dir, "", host.PolicyAsk)
	p = dialPage(t, c, "")
	p.probe("")
	p.until("the demo agent is back", func() bool { return len(p.agents) == 1 && p.agents[0].State == "connected" })
	if after := snapshotOf(p, conv); after != before {
		t.Fatalf("after the restart:\n%s\nbefore:\n%s", after, before)
	}
	p.open(conv)
	frame = p.mount(conv, surface.Surface.InstanceID)
	p.mu.Lock()
	restored := p.frames[frame][0]
	p.mu.Unlock()
	want := state[strings.Index(state, `"state":`) : len(state)-1]
	if !strings.Contains(restored, want) {
		t.Fatalf("restored %s\nwant %s", restored, want)
	}
	p.decide("once")
	p.until("the agent hears of the old request", func() bool {
		n := 0
		for _, id := range p.order {
			if it := p.items[id]; it.Kind == "message" && strings.Contains(text(it), "Copied") {
				n++
			}
		}
		return n == 2
	})
	if got := sh.copied(); len(got) != 1 {
		t.Fatalf("clipboard %q", got)
	}
	var log []uiapi.ActivityEntry
	p.must("activity.list", uiapi.ActivityParams{}, &log)
	count := map[string]int{}
	for _, e := range log {
		count[e.Event]++
	}
	if count["requested"] != 3 || count["executed"] != 2 || count["denied"] != 1 {
		t.Fatalf("audit %v", count)
	}
	if _, err := c.store.Audit(mustKey(t, c)).Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func mustKey(t *testing.T, c *core) []byte {
	t.Helper()
	key, err := c.dirs.auditKey()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// snapshotOf is what a conversation shows, as text.
func snapshotOf(p *testPage, conv string) string {
	p.t.Helper()
	p.open(conv)
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	for _, id := range p.order {
		it := p.items[id]
		b.WriteString(id + " " + it.Kind + " " + text(it))
		switch {
		case it.Surface != nil:
			b.WriteString(it.Surface.Status)
		case it.Call != nil:
			b.WriteString(it.Call.Status)
		}
		b.WriteString("\n")
	}
	return b.String()
}
