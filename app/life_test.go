package app

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"lineup/app/host"
	"lineup/app/uiapi"
	"lineup/surface"
)

// lifeStage is a host with a raw agent, a probed page and an open conversation.
func lifeStage(t *testing.T, cfg config) (*rawAgent, *testShell, *core, *testPage, string) {
	t.Helper()
	agent := startRawAgent(t)
	cfg.agentURL = agent.url()
	if cfg.data == "" {
		cfg.data = t.TempDir()
	}
	if cfg.policy == "" {
		cfg.policy = host.PolicyAnySandboxed
	}
	c, sh := startTuned(t, cfg)
	p := dialPage(t, c, "")
	p.probe("")
	conv := p.create()
	p.say(conv, "hello")
	agent.count(p, "lineup.v1.message", 1)
	return agent, sh, c, p, conv
}

// opens has the agent open surfaces i0 … and waits until all are open.
func (a *rawAgent) opens(p *testPage, conv string, n int) {
	a.t.Helper()
	for i := range n {
		a.say(conv, fmt.Sprintf("open%d", i), "ui.open", fmt.Sprintf(inline, fmt.Sprintf("i%d", i), ""))
	}
	for i := range n {
		if got := a.reply(p, fmt.Sprintf("open%d", i)); got["status"] != "ok" {
			a.t.Fatalf("surface %d: %v", i, got)
		}
	}
}

func (p *testPage) status(item, want, reason string) {
	p.t.Helper()
	p.until(fmt.Sprintf("the surface is %s (%s)", want, reason), func() bool {
		s := p.items[item].Surface
		return s != nil && s.Status == want && s.Reason == reason
	})
}

func (p *testPage) framed() (n int) {
	for _, s := range p.slots {
		if surface.Phase(s.Phase).Framed() {
			n++
		}
	}
	return n
}

func TestFrameThatNeverSaysReadyIsStopped(t *testing.T) {
	agent, _, _, p, conv := lifeStage(t, config{readyWithin: 50 * time.Millisecond})
	agent.opens(p, conv, 1)
	item := p.show(conv, "i0")
	if got := p.phase(item, surface.PhaseStopped); got.Reason != "not_ready" || got.FrameID != "" {
		t.Errorf("%+v", got)
	}
	// The user's wish gives it another frame.
	p.must("surface.wake", uiapi.SlotParams{ItemID: item}, nil)
	p.phase(item, surface.PhaseOpening)
}

func TestEightFramesRunAndTheRestSleeps(t *testing.T) {
	agent, _, _, p, conv := lifeStage(t, config{})
	agent.opens(p, conv, 10)
	var items []string
	for i := range 10 {
		item := p.show(conv, fmt.Sprintf("i%d", i))
		items = append(items, item)
		if i < 8 {
			p.ready(item)
			p.phase(item, surface.PhaseLive)
		}
	}
	p.phase(items[8], surface.PhaseAsleep)
	p.phase(items[9], surface.PhaseAsleep)

	// One that nobody sees gives its place to one that comes into view.
	p.must("surface.show", uiapi.ShowParams{ConversationID: conv, ItemID: items[3]}, nil)
	p.phase(items[3], surface.PhaseAsleep)
	p.phase(items[8], surface.PhaseOpening)
	p.ready(items[8])

	// The user's click takes the place of the oldest, but not of one that is pinned.
	p.must("surface.show", uiapi.ShowParams{ConversationID: conv, ItemID: items[0], InView: true, Pinned: true}, nil)
	p.must("surface.wake", uiapi.SlotParams{ItemID: items[9]}, nil)
	p.phase(items[9], surface.PhaseOpening)
	p.phase(items[1], surface.PhaseAsleep)
	p.phase(items[0], surface.PhaseLive)

	// It wakes with the state it has by then.
	agent.say(conv, "p", "ui.patch", `{"instance_id":"i1","state":{"n":7}}`)
	agent.reply(p, "p")
	p.must("surface.wake", uiapi.SlotParams{ItemID: items[1]}, nil)
	frame := p.ready(items[1])
	p.mu.Lock()
	init := p.frames[frame][0]
	n := p.framed()
	p.mu.Unlock()
	if !strings.Contains(init, `"state":{"n":7}`) {
		t.Errorf("woke with %s", init)
	}
	if n != 8 {
		t.Errorf("%d frames run", n)
	}
}

func TestOutOfSightFallsAsleepAndWakes(t *testing.T) {
	agent, _, _, p, conv := lifeStage(t, config{idleAfter: 300 * time.Millisecond})
	agent.opens(p, conv, 2)
	seen, unseen := p.show(conv, "i0"), p.show(conv, "i1")
	p.ready(seen)
	p.ready(unseen)
	p.must("surface.show", uiapi.ShowParams{ConversationID: conv, ItemID: unseen}, nil)
	p.phase(unseen, surface.PhaseAsleep)
	p.phase(seen, surface.PhaseLive)
	// A hidden page sees nothing; back in sight, what is in view runs again by itself.
	p.must("ui.visible", uiapi.VisibleParams{}, nil)
	p.phase(seen, surface.PhaseAsleep)
	p.must("ui.visible", uiapi.VisibleParams{Visible: true}, nil)
	p.phase(seen, surface.PhaseOpening)
	p.mu.Lock()
	defer p.mu.Unlock()
	if got := p.slots[unseen].Phase; got != "asleep" {
		t.Errorf("the one out of view is %s", got)
	}
}

func TestSpareFrameIsFilledOnce(t *testing.T) {
	agent, _, _, p, conv := lifeStage(t, config{})
	var spare uiapi.Mount
	p.must("surface.spare", struct{}{}, &spare)
	p.uplink(spare.FrameID, `"type":"event","event":"x","data":{}`) // a spare has one word
	p.uplink(spare.FrameID, `"type":"ready"`)
	agent.say(conv, "o", "ui.open", fmt.Sprintf(inline, "i", `,"js":"spare"`))
	agent.reply(p, "o")
	item := p.show(conv, "i") // without the spare: a frame of its own
	own := p.phase(item, surface.PhaseOpening)
	if own.URL == "" || own.FrameID == spare.FrameID {
		t.Fatalf("%+v", own)
	}
	p.must("surface.gone", uiapi.SlotParams{ItemID: item}, nil)
	show := uiapi.ShowParams{ConversationID: conv, ItemID: item, InView: true, FrameID: spare.FrameID}
	p.must("surface.show", show, nil)
	p.until("the spare is filled", func() bool { return len(p.frames[spare.FrameID]) == 2 })
	p.mu.Lock()
	fill, init := p.frames[spare.FrameID][0], p.frames[spare.FrameID][1]
	p.mu.Unlock()
	if !strings.Contains(fill, `"type":"fill"`) || !strings.Contains(fill, "spare") || !strings.Contains(init, `"type":"init"`) {
		t.Errorf("sent %s\n%s", fill, init)
	}
	// Ready is what the filled document says; the empty one's word counts for nothing.
	p.uplink(spare.FrameID, `"type":"ready"`)
	p.phase(item, surface.PhaseOpening)
	p.uplink(spare.FrameID, `"type":"filled"`)
	p.phase(item, surface.PhaseLive)

	// Never again: another surface that names it gets a frame of its own.
	agent.say(conv, "o2", "ui.open", fmt.Sprintf(inline, "j", ""))
	agent.reply(p, "o2")
	var other string
	p.until("the other card", func() bool {
		it := p.find("surface", func(it uiapi.Item) bool { return it.Surface.InstanceID == "j" })
		if it != nil {
			other = it.ID
		}
		return it != nil
	})
	p.must("surface.show", uiapi.ShowParams{ConversationID: conv, ItemID: other, InView: true, FrameID: spare.FrameID}, nil)
	if got := p.phase(other, surface.PhaseOpening); got.FrameID == spare.FrameID || got.URL == "" {
		t.Errorf("%+v", got)
	}
}

func TestFrameOutlivesItsSocket(t *testing.T) {
	agent, _, c, p, conv := lifeStage(t, config{})
	agent.opens(p, conv, 1)
	item := p.show(conv, "i0")
	frame := p.ready(item)
	p.conn.Close()
	p.until("the socket is gone", func() bool { return p.gone })
	agent.say(conv, "p", "ui.patch", `{"instance_id":"i0","state":{"missed":true}}`)
	agent.reply(p, "p")

	// A page that does not know the frame's id does not get it.
	other := dialPage(t, c, "")
	other.open(conv)
	if got := other.phase(other.show(conv, "i0"), surface.PhaseOpening); got.FrameID == frame {
		t.Error("another page got the frame")
	}
	same := dialPage(t, c, p.snap.Token)
	same.open(conv)
	same.must("surface.show", uiapi.ShowParams{ConversationID: conv, ItemID: item, InView: true, FrameID: frame}, nil)
	if got := same.phase(item, surface.PhaseLive); got.FrameID != frame {
		t.Errorf("%+v", got)
	}
	same.until("it gets what it missed", func() bool {
		for _, m := range same.frames[frame] {
			if strings.Contains(m, `"missed":true`) {
				return true
			}
		}
		return false
	})
	same.event(frame, "again", `{}`)
	agent.count(same, "lineup.v1.ui.event", 1)
}

func TestHangStopsAllAndBlamesNobody(t *testing.T) {
	agent, sh, _, p, conv := lifeStage(t, config{})
	agent.opens(p, conv, 2)
	a, b := p.show(conv, "i0"), p.show(conv, "i1")
	p.ready(a)
	p.ready(b)
	p.mu.Lock()
	p.mute = true
	p.mu.Unlock()
	ended(t, sh)
	for _, item := range []string{a, b} {
		p.status(item, "stopped", "hung")
		p.phase(item, surface.PhaseStopped)
		p.mu.Lock()
		if n := p.items[item].Surface.Strikes; n != 0 {
			t.Errorf("%d strikes for one of two", n)
		}
		p.mu.Unlock()
	}
	p.mu.Lock()
	p.mute = false
	p.mu.Unlock()
	p.must("surface.restart", uiapi.InstanceParams{ConversationID: conv, InstanceID: "i0"}, nil)
	p.ready(a)
	p.status(a, "open", "")
	p.status(b, "stopped", "hung")
}

func ended(t *testing.T, sh *testShell) {
	t.Helper()
	select {
	case <-sh.ended:
	case <-time.After(deadline):
		t.Fatal("the page was not ended")
	}
}

func TestHiddenPageIsNotAHang(t *testing.T) {
	_, sh, _, p, _ := lifeStage(t, config{})
	p.must("ui.visible", uiapi.VisibleParams{}, nil)
	p.mu.Lock()
	p.mute = true
	p.mu.Unlock()
	select {
	case <-sh.ended:
		t.Error("a hidden page was ended")
	case <-time.After(5 * time.Second): // longer than a visible one is given
	}
}

func TestThreeStrikesAskBeforeOpening(t *testing.T) {
	agent, _, _, p, conv := lifeStage(t, config{})
	agent.opens(p, conv, 1)
	item := p.show(conv, "i0")
	for n := 1; n <= 3; n++ {
		frame := p.ready(item)
		p.must("surface.silent", uiapi.SilentParams{FrameIDs: []string{frame}}, nil)
		p.status(item, "stopped", "hung_alone")
		p.mu.Lock()
		if got := p.items[item].Surface.Strikes; got != n {
			t.Errorf("%d strikes after %d hangs", got, n)
		}
		p.mu.Unlock()
		if n < 3 {
			p.must("surface.restart", uiapi.InstanceParams{ConversationID: conv, InstanceID: "i0"}, nil)
		}
	}
	agent.say(conv, "again", "ui.open", fmt.Sprintf(inline, "second", ""))
	p.until("it asks", func() bool {
		return len(p.prompts) == 1 && strings.Contains(p.prompts[0].Title, "stopped responding 3 times")
	})
	p.decide("deny")
	if got := agent.reply(p, "again"); got["status"] != "refused" || got["code"] != "user" {
		t.Errorf("%v", got)
	}
	// A yes holds until the next hang alone.
	agent.say(conv, "once", "ui.open", fmt.Sprintf(inline, "third", ""))
	p.decide("once")
	if got := agent.reply(p, "once"); got["status"] != "ok" {
		t.Errorf("%v", got)
	}
	agent.say(conv, "more", "ui.open", fmt.Sprintf(inline, "fourth", ""))
	if got := agent.reply(p, "more"); got["status"] != "ok" {
		t.Errorf("%v", got)
	}
	p.must("surface.silent", uiapi.SilentParams{FrameIDs: []string{p.ready(p.show(conv, "third"))}}, nil)
	agent.say(conv, "last", "ui.open", fmt.Sprintf(inline, "fifth", ""))
	p.until("it asks again", func() bool { return len(p.prompts) == 1 })
}

func TestCrashStopsWhatRan(t *testing.T) {
	agent, _, c, p, conv := lifeStage(t, config{})
	agent.opens(p, conv, 3)
	a, b := p.show(conv, "i0"), p.show(conv, "i1")
	p.ready(a)
	p.ready(b)
	c.host.ProcessGone("memory")
	p.status(a, "stopped", "memory")
	p.status(b, "stopped", "memory")
	p.until("it is probed again", func() bool { return p.sandbox.State == "probing" })
	p.probe("")
	// One that did not run was not the cause: it opens.
	p.ready(p.show(conv, "i2"))
}

func TestStoppedSurfaceStaysStoppedUntilRestart(t *testing.T) {
	agent, _, _, p, conv := lifeStage(t, config{})
	agent.opens(p, conv, 1)
	item := p.show(conv, "i0")
	frame := p.ready(item)
	p.must("surface.navigated", uiapi.FrameParams{FrameID: frame}, nil)
	p.status(item, "stopped", "navigated")
	p.must("surface.wake", uiapi.SlotParams{ItemID: item}, nil)
	p.must("surface.gone", uiapi.SlotParams{ItemID: item}, nil)
	p.must("surface.show", uiapi.ShowParams{ConversationID: conv, ItemID: item, InView: true}, nil)
	if got := p.phase(item, surface.PhaseStopped); got.Reason != "navigated" {
		t.Errorf("%+v", got)
	}
	p.event(frame, "late", `{}`) // its words count for nothing
	agent.say(conv, "p", "ui.patch", `{"instance_id":"i0","state":{"kept":1}}`)
	if got := agent.reply(p, "p"); got["status"] != "ok" {
		t.Errorf("a patch of a stopped surface: %v", got)
	}
	p.must("surface.restart", uiapi.InstanceParams{ConversationID: conv, InstanceID: "i0"}, nil)
	frame = p.ready(item)
	p.mu.Lock()
	init := p.frames[frame][0]
	p.mu.Unlock()
	if !strings.Contains(init, `"kept":1`) {
		t.Errorf("started again with %s", init)
	}
	if n := agent.have("lineup.v1.ui.event"); n != 0 {
		t.Errorf("%d events of a frame that was torn down", n)
	}
}

func TestReplaceAndClose(t *testing.T) {
	agent, _, _, p, conv := lifeStage(t, config{})
	agent.opens(p, conv, 1)
	first := p.show(conv, "i0")
	frame := p.ready(first)
	agent.say(conv, "o2", "ui.open", fmt.Sprintf(inline, "i0", ""))
	agent.reply(p, "o2")
	p.status(first, "closed", "replaced")
	p.phase(first, surface.PhaseClosed)
	p.event(frame, "late", `{}`)
	second := p.show(conv, "i0")
	if second == first {
		t.Fatal("the replacement has no card of its own")
	}
	p.ready(second)
	for range 3 { // a second click on a slow button
		_ = p.call("surface.close", uiapi.InstanceParams{ConversationID: conv, InstanceID: "i0"}, nil)
	}
	p.phase(second, surface.PhaseClosed)
	agent.say(conv, "p", "ui.patch", `{"instance_id":"i0","state":{}}`)
	if got := agent.reply(p, "p"); got["status"] != "unknown_instance" {
		t.Errorf("%v", got)
	}
	agent.mu.Lock()
	defer agent.mu.Unlock()
	var events []string
	for _, e := range agent.got {
		if e["type"] == "lineup.v1.ui.event" {
			events = append(events, fmt.Sprint(e["payload"].(map[string]any)["event"]))
		}
	}
	if len(events) != 1 || events[0] != "close" {
		t.Errorf("the agent heard %v, expected one close", events)
	}
}

func TestFortyAtOnceThirtyTwoKept(t *testing.T) {
	agent, _, _, p, conv := lifeStage(t, config{})
	for i := range 40 {
		agent.say(conv, fmt.Sprintf("open%d", i), "ui.open", fmt.Sprintf(inline, fmt.Sprintf("i%d", i), ""))
	}
	ok, refused := 0, 0
	for i := range 40 {
		switch got := agent.reply(p, fmt.Sprintf("open%d", i)); {
		case got["status"] == "ok":
			ok++
		case got["status"] == "refused" && got["code"] == "too_many":
			refused++
		default:
			t.Errorf("%d: %v", i, got)
		}
	}
	if ok != 32 || refused != 8 {
		t.Errorf("%d kept and %d refused by name, expected 32 and 8", ok, refused)
	}
}

func TestReadingPlaceIsKept(t *testing.T) {
	_, _, c, p, conv := lifeStage(t, config{})
	p.must("ui.reading", uiapi.Reading{ConversationID: conv, ItemID: "a:1", Offset: -12.5}, nil)
	again := dialPage(t, c, "")
	if got := again.snap.Reading; got.ItemID != "a:1" || got.Offset != -12.5 || got.ConversationID != conv {
		t.Errorf("%+v", got)
	}
	for _, bad := range []string{`{"conversation_id":"none"}`, fmt.Sprintf(`{"conversation_id":%q,"item_id":%q}`, conv, strings.Repeat("x", 300))} {
		if err := p.call("ui.reading", json.RawMessage(bad), nil); err == nil {
			t.Errorf("taken: %s", bad)
		}
	}
}
