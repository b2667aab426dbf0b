package app

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"lineup/app/uiapi"
)

// watched collects what the inspector says, as its panel does.
func (p *testPage) inspect(conv, item string) {
	p.t.Helper()
	var v uiapi.InspectView
	p.must("inspect.open", uiapi.InspectParams{ConversationID: conv, ItemID: item}, &v)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inspected == nil || p.inspected.ItemID != item {
		p.inspected = &v
		return
	}
	p.takeInspect(v) // an update may already have followed
}

func (p *testPage) takeInspect(v uiapi.InspectView) {
	if p.inspected != nil && p.inspected.ItemID == v.ItemID {
		for _, old := range p.inspected.Entries {
			if !slices.ContainsFunc(v.Entries, func(e uiapi.InspectEntry) bool { return e.Seq == old.Seq }) {
				v.Entries = append(v.Entries, old)
			}
		}
	}
	p.inspected = &v
}

// notify is a call whose answer nobody waits for.
func (p *testPage) notify(method string, params any) {
	p.t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		p.t.Fatal(err)
	}
	msg, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": method, "params": json.RawMessage(raw)})
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.conn.WriteMessage(websocket.TextMessage, msg); err != nil {
		p.t.Fatal(err)
	}
}

// noted waits for an entry.
func (p *testPage) noted(what string, ok func(e uiapi.InspectEntry) bool) (found uiapi.InspectEntry) {
	p.t.Helper()
	p.until("the inspector has "+what, func() bool {
		if p.inspected == nil {
			return false
		}
		i := slices.IndexFunc(p.inspected.Entries, ok)
		if i >= 0 {
			found = p.inspected.Entries[i]
		}
		return i >= 0
	})
	return found
}

func (p *testPage) meter(code string) uiapi.InspectMeter {
	for _, m := range p.inspected.Meters {
		if m.Code == code {
			return m
		}
	}
	return uiapi.InspectMeter{}
}

func TestInspectorFollowsASurface(t *testing.T) {
	agent, _, _, p, conv := lifeStage(t, config{dev: true})
	agent.say(conv, "open", "ui.open", `{"instance_id":"i0","state":{"a":1},"app":{"id":"com.example.w","name":"W","version":"1.0.0","html":"<p>","css":"p{}","js":"1","events":["pick"]}}`)
	agent.reply(p, "open")
	item := p.show(conv, "i0")
	frame := p.ready(item)
	p.inspect(conv, item)

	// What was said before it was opened is there.
	p.noted("the agent's open", func(e uiapi.InspectEntry) bool { return e.Dir == "in" && e.Type == "ui.open" && e.Size > 100 })
	p.noted("the mount", func(e uiapi.InspectEntry) bool { return e.Dir == "host" && e.Type == "mount" })
	p.noted("ready", func(e uiapi.InspectEntry) bool { return e.Dir == "up" && e.Type == "ready" })
	if e := p.noted("init", func(e uiapi.InspectEntry) bool { return e.Dir == "down" && e.Type == "init" }); !strings.Contains(e.Body, `"state":{"a":1}`) {
		t.Errorf("init: %+v", e)
	}

	p.event(frame, "pick", `{"n":1}`)
	p.event(frame, "other", `{}`)
	p.event(frame, "close", `{}`)
	p.uplink(frame, `"type":"resize","height":321`)
	p.uplink(frame, `"type":"error","kind":"violation","message":"connect-src stopped https://api.example.com"`)
	p.noted("the event", func(e uiapi.InspectEntry) bool {
		return e.Dir == "up" && e.Name == "pick" && e.Size == 7 && e.Problem == nil
	})
	p.noted("the event to the agent", func(e uiapi.InspectEntry) bool { return e.Dir == "out" && e.Type == "ui.event" })
	p.noted("the undeclared one", func(e uiapi.InspectEntry) bool {
		return e.Name == "other" && e.Problem != nil && e.Problem.Code == "undeclared"
	})
	if e := p.noted("the refused one", func(e uiapi.InspectEntry) bool { return e.Problem != nil && e.Problem.Code == "bad_event" }); e.Problem.Field != "event" || e.Problem.Text == "" {
		t.Errorf("refused: %+v", e.Problem)
	}
	if e := p.noted("the violation", func(e uiapi.InspectEntry) bool { return e.Problem != nil && e.Problem.Kind == "violation" }); e.Problem.Code != "network" || !strings.Contains(e.Problem.What, "https://api.example.com") || e.Problem.Fix == "" {
		t.Errorf("violation: %+v", e.Problem)
	}

	// A patch that is refused names the reason; one that is not changes the state.
	agent.say(conv, "bad", "ui.patch", `{"instance_id":"i0","json_patch":[{"op":"remove","path":"/none"}]}`)
	agent.say(conv, "good", "ui.patch", `{"instance_id":"i0","state":{"b":"two"}}`)
	agent.reply(p, "good")
	if e := p.noted("the refused patch", func(e uiapi.InspectEntry) bool {
		return e.Dir == "out" && e.Type == "ui.result" && e.Problem != nil
	}); e.Problem.Code != "bad_patch" || e.Problem.Text == "" {
		t.Errorf("patch: %+v", e.Problem)
	}
	p.until("the meters say it all", func() bool {
		return p.meter("height").Value == 321 && p.meter("state_bytes").Value == len(`{"a":1,"b":"two"}`) &&
			p.meter("bundle_bytes").Value == 7 && p.meter("live_frames").Value == 1 && p.meter("live_frames").Max == 8 &&
			p.meter("dropped").Value == 1 && p.meter("refused").Value == 2 && p.meter("violations").Value == 1
	})
	var st uiapi.InspectState
	p.must("inspect.state", uiapi.InspectParams{ConversationID: conv, ItemID: item}, &st)
	if st.JSON.Text != "{\n  \"a\": 1,\n  \"b\": \"two\"\n}" || st.Bytes != len(`{"a":1,"b":"two"}`) {
		t.Errorf("state: %+v", st)
	}
	var doc uiapi.InspectDocument
	p.must("inspect.document", uiapi.InspectParams{ConversationID: conv, ItemID: item}, &doc)
	if doc.HTML.Text != "<p>" || doc.CSS.Bytes != 3 || doc.JS.Text != "1" || doc.Bytes < 1000 || !slices.Contains(doc.CSP, "connect-src 'none'") || len(doc.Headers) < 5 {
		t.Errorf("document: %+v", doc)
	}

	// Closed, it can be looked at still.
	p.must("surface.close", uiapi.InstanceParams{ConversationID: conv, InstanceID: "i0"}, nil)
	p.until("it is closed", func() bool { return p.inspected.Surface.Status == "closed" })
	p.must("inspect.document", uiapi.InspectParams{ConversationID: conv, ItemID: item}, &doc)
	if doc.HTML.Text != "<p>" {
		t.Errorf("the document of a closed surface: %+v", doc)
	}
}

// A flood costs the panel a handful of updates, and what was dropped is counted.
func TestInspectorInAFlood(t *testing.T) {
	agent, _, _, p, conv := lifeStage(t, config{dev: true})
	agent.opens(p, conv, 1)
	item := p.show(conv, "i0")
	frame := p.ready(item)
	p.inspect(conv, item)
	const sent = 2000
	for range sent {
		p.notify("surface.uplink", uiapi.UplinkParams{FrameID: frame, Message: `{"namespace":"lineup.surface.v1","type":"event","event":"move","data":{}}`})
	}
	p.until("all were counted", func() bool { return p.meter("events").Value+p.meter("dropped").Value == sent })
	p.mu.Lock()
	got, entries := p.inspectUpdates, len(p.inspected.Entries)
	p.mu.Unlock()
	if got > 200 {
		t.Errorf("%d updates for %d events", got, sent)
	}
	if p.meter("dropped").Value == 0 {
		t.Error("nothing was dropped")
	}
	t.Logf("%d events: %d updates, %d entries", sent, got, entries)
	// The burst fills again, and the panel is told although nothing happens.
	p.until("the burst is whole again", func() bool {
		return p.meter("burst_left").Value == 120 && p.meter("events_per_second").Value == 0
	})
}

func TestInspectorIsForDevelopers(t *testing.T) {
	agent, _, _, p, conv := lifeStage(t, config{})
	agent.opens(p, conv, 1)
	item := p.show(conv, "i0")
	params := uiapi.InspectParams{ConversationID: conv, ItemID: item}
	for _, method := range []string{"inspect.open", "inspect.document", "inspect.state"} {
		var e *uiapi.Error
		if err := p.call(method, params, nil); !errors.As(err, &e) || e.Code != uiapi.RefusedCode {
			t.Errorf("%s outside developer mode: %v", method, err)
		}
	}
	set := p.snap.Settings
	set.DevMode = true
	p.must("settings.set", set, nil)
	p.inspect(conv, item)
	frame := p.ready(item)
	p.noted("what happens from now on", func(e uiapi.InspectEntry) bool { return e.Type == "ready" })
	if err := p.call("inspect.open", uiapi.InspectParams{ConversationID: conv, ItemID: "u:none"}, nil); err == nil {
		t.Error("an item that is not there was opened")
	}
	// Off again, it forgets.
	set.DevMode = false
	p.must("settings.set", set, nil)
	set.DevMode = true
	p.must("settings.set", set, nil)
	p.mu.Lock()
	p.inspected = nil
	p.mu.Unlock()
	p.inspect(conv, item)
	p.event(frame, "pick", `{}`)
	p.noted("the event", func(e uiapi.InspectEntry) bool { return e.Dir == "up" && e.Name == "pick" })
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.ContainsFunc(p.inspected.Entries, func(e uiapi.InspectEntry) bool { return e.Type == "ready" }) {
		t.Error("what was recorded before is still there")
	}
}
