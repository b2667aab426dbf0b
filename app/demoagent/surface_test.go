package demoagent

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"lineup/app/envelope"
)

// apply keeps a surface's state as a host does.
func apply(t *testing.T, state []byte, e envelope.Envelope) []byte {
	t.Helper()
	u := content[envelope.UIPatch](t, e)
	if u.State != nil {
		out, err := jsonpatch.MergePatch(state, u.State)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	p, err := jsonpatch.DecodePatch(u.JSONPatch)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Apply(state)
	if err != nil {
		t.Fatalf("patch %s onto %s: %v", u.JSONPatch, state, err)
	}
	return out
}

func (p *peer) event(instance, name, data string) {
	p.t.Helper()
	p.send("c1", envelope.TypeUIEvent, envelope.UIEvent{InstanceID: instance, Event: name, Data: json.RawMessage(data)})
}

func opened(t *testing.T, p *peer, ask string) (id string, state []byte) {
	t.Helper()
	p.say("c1", ask)
	o := content[envelope.UIOpen](t, p.until(envelope.TypeUIOpen))
	if bad := wellFormed(o); bad != "" {
		t.Fatal(bad)
	}
	return o.InstanceID, o.State
}

func TestCanvas(t *testing.T) {
	p, _ := connect(t, serve(t, Options{}), "en")
	id, state := opened(t, p, "canvas")
	strokes := func() int {
		var s struct{ Strokes []stroke }
		if err := json.Unmarshal(state, &s); err != nil || s.Strokes == nil {
			t.Fatalf("state %s: %v", state, err)
		}
		return len(s.Strokes)
	}
	do := func(data string, want int) {
		t.Helper()
		p.event(id, "draw", data)
		state = apply(t, state, p.until(envelope.TypeUIPatch))
		if got := strokes(); got != want {
			t.Errorf("after %.60s: %d strokes, want %d", data, got, want)
		}
	}
	good := `{"op":"stroke","stroke":{"color":"#1c211f","width":6,"points":[[1,2],[300.5,400]]}}`
	p.event(id, "snapshot", `{}`)
	if got := p.untilMessage(); !strings.Contains(got, "empty") {
		t.Errorf("snapshot of nothing: %q", got)
	}
	do(good, 1)
	do(good, 2)
	do(`{"op":"undo"}`, 1)
	for _, bad := range []string{
		`{"op":"stroke","stroke":{"color":"red\"/><script>","width":6,"points":[[1,2]]}}`,
		`{"op":"stroke","stroke":{"color":"#1c211f","width":6,"points":[[1,2000]]}}`,
		`{"op":"stroke","stroke":{"color":"#1c211f","width":0,"points":[[1,2]]}}`,
		`{"op":"stroke","stroke":{"color":"#1c211f","width":6,"points":[]}}`,
		`{"op":7}`, `{}`,
	} {
		do(bad, 1)
	}
	p.event(id, "resize", `{"width":640,"height":384}`)
	state = apply(t, state, p.until(envelope.TypeUIPatch))
	if !strings.Contains(string(state), `"size":{"height":384,"width":640}`) {
		t.Errorf("after resize: %s", state)
	}
	p.event(id, "snapshot", `{}`)
	c := content[envelope.AppCall](t, p.until(envelope.TypeAppCall))
	if c.Capability != "artifact.save" || !strings.Contains(string(c.Arguments), "300.5,400") || strings.Contains(string(c.Arguments), "script") {
		t.Errorf("call = %s %s", c.Capability, c.Arguments)
	}
	do(`{"op":"clear"}`, 0)
	do(`{"op":"undo"}`, 0)
	for i := range maxStrokes + 3 {
		do(good, min(i+1, maxStrokes))
	}
}

func TestChartRunsStopsAndStarts(t *testing.T) {
	clock := &testClock{}
	p, _ := connect(t, serve(t, Options{Clock: clock}), "en")
	id, state := opened(t, p, "chart")
	tick := func() (int, bool, int) {
		var s struct {
			Tick    int
			Running bool
			Points  []float64
		}
		json.Unmarshal(state, &s)
		return s.Tick, s.Running, len(s.Points)
	}
	// To its end by itself.
	for running := true; running; _, running, _ = tick() {
		state = apply(t, state, p.until(envelope.TypeUIPatch))
	}
	if n, _, points := tick(); n != chartTicks || points != chartWindow {
		t.Errorf("at the end: tick %d, %d points", n, points)
	}
	// Again, stopped by the button.
	clock.hold()
	p.event(id, "start", `{}`)
	state = apply(t, state, p.until(envelope.TypeUIPatch))
	for range 3 {
		clock.step(t)
		state = apply(t, state, p.until(envelope.TypeUIPatch))
	}
	p.event(id, "stop", `{}`)
	state = apply(t, state, p.until(envelope.TypeUIPatch))
	if n, running, _ := tick(); n != chartTicks+3 || running {
		t.Errorf("after stop: tick %d, running %v", n, running)
	}
	// And once more: it goes on where it was; closing it ends the patches.
	p.event(id, "start", `{}`)
	p.until(envelope.TypeUIPatch)
	clock.step(t)
	state = apply(t, state, p.until(envelope.TypeUIPatch))
	if n, _, _ := tick(); n != chartTicks+4 {
		t.Errorf("goes on at tick %d", n)
	}
	p.event(id, "close", `{}`)
	p.say("c1", "table")
	p.until(envelope.TypeTable)
	clock.free()
	p.say("c1", "code")
	for {
		e := p.next()
		if e.Type == envelope.TypeUIPatch {
			t.Fatal("a closed chart is patched")
		}
		if e.Type == envelope.TypeCode {
			break
		}
	}
}

// Stop in the chat stops the chart as well.
func TestCancelStopsTheChart(t *testing.T) {
	clock := &testClock{}
	p, _ := connect(t, serve(t, Options{Clock: clock}), "en")
	id, state := opened(t, p, "chart")
	p.until(envelope.TypeUIPatch)
	p.send("c1", envelope.TypeCancel, envelope.Cancel{})
	for !strings.Contains(string(state), `"running":false`) {
		state = apply(t, state, p.until(envelope.TypeUIPatch))
	}
	_ = id
	p.until(envelope.TypeStatus)
}

// A chart that runs when the agent's process ends goes on in the next, without
// a point twice.
func TestChartAcrossRestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "demo.jsonl")
	clock := &testClock{}
	s := serve(t, Options{Clock: clock, StateFile: file})
	p, _ := connect(t, s, "en")
	_, state := opened(t, p, "chart")
	var last envelope.Envelope
	for range 5 {
		last = p.until(envelope.TypeUIPatch)
	}
	clock.hold()
	s.Close()
	q, _ := connect(t, serve(t, Options{StateFile: file}), "en", point1("c1", string(last.ID)))
	seen := map[string]bool{}
	want := 6
	for !strings.Contains(string(state), `"running":false`) {
		e := q.until(envelope.TypeUIPatch)
		if seen[string(e.ID)] {
			t.Fatalf("%s came twice", e.ID)
		}
		seen[string(e.ID)] = true
		state = apply(t, state, e)
		if want <= chartTicks && !strings.Contains(string(state), fmt.Sprintf(`"tick":%d,`, want)) && !strings.Contains(string(state), fmt.Sprintf(`"tick":%d}`, want)) {
			t.Fatalf("want tick %d: %s", want, state)
		}
		want++
	}
	if want != chartTicks+2 {
		t.Errorf("the last patch was number %d", want-1)
	}
}

func TestRefusedSurfacesAreTold(t *testing.T) {
	for _, tc := range []struct{ ask, op, status, code, want string }{
		{"weather", "open", "refused", "integrity", "did not open the weather dashboard (`integrity`)"},
		{"canvas", "patch", "refused", "state_too_large", "refused a change that I made to the SVG canvas"},
		{"图表", "open", "refused", "", "没有打开实时图表。"},
		{"weather", "patch", "revoked", "revoked", "withdrawn the weather dashboard"},
	} {
		p, _ := connect(t, serve(t, Options{}), "en")
		id, _ := opened(t, p, tc.ask)
		res := envelope.UIResult{InstanceID: id, Op: tc.op, Status: tc.status, Code: tc.code, Message: "do not repeat this"}
		p.send("c1", envelope.TypeUIResult, res)
		if got := p.untilMessage(); !strings.Contains(got, tc.want) || strings.Contains(got, "repeat") {
			t.Errorf("%s %s %s: %q", tc.ask, tc.op, tc.status, got)
		}
	}
}

// Ten refusals a second are told once; a patch that came after the close not at all.
func TestRefusalsAreToldOnce(t *testing.T) {
	p, _ := connect(t, serve(t, Options{}), "en")
	id, _ := opened(t, p, "canvas")
	for range 5 {
		p.send("c1", envelope.TypeUIResult, envelope.UIResult{InstanceID: id, Op: "patch", Status: "refused", Code: "x"})
	}
	p.send("c1", envelope.TypeUIResult, envelope.UIResult{InstanceID: id, Op: "patch", Status: "unknown_instance"})
	p.say("c1", "table")
	p.until(envelope.TypeTable)
	told := 0
	for _, e := range p.got {
		if e.Type == envelope.TypeMessage {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}
