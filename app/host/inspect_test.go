package host

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/uiapi"
	"lineup/surface"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func testInspector(on bool) *inspector {
	in := &inspector{now: func() time.Time { return noon }}
	in.set(on)
	return in
}

func up(t *testing.T, in *inspector, c *conv, item, message string) {
	t.Helper()
	u, err := surface.DecodeUplink(message)
	in.up(c, item, message, u, err)
	if err == nil && u.Type == surface.UplinkEvent {
		in.event(c, item, u, "")
	}
}

func uplinkOf(body string) string { return `{"namespace":"lineup.surface.v1",` + body + `}` }

func TestInspectorIsOffOutsideDeveloperMode(t *testing.T) {
	in, c := testInspector(false), &conv{id: "c1"}
	up(t, in, c, "i1", uplinkOf(`"type":"resize","height":10`))
	in.down(c, "i1", surface.StateMessage([]byte(`{}`)))
	in.happened(c, "i1", "mount")
	in.keep(c, "i1", conversation.Surface{App: surface.App{HTML: "<p>"}})
	if len(in.byKey) != 0 {
		t.Fatalf("recorded %d surfaces while off", len(in.byKey))
	}
	in.set(true)
	in.happened(c, "i1", "mount")
	if len(in.byKey) != 1 {
		t.Fatal("nothing recorded while on")
	}
	in.set(false)
	if len(in.byKey) != 0 {
		t.Fatal("switching off forgets nothing")
	}
}

func TestInspectorSaysWhy(t *testing.T) {
	in, c := testInspector(true), &conv{id: "c1"}
	for _, message := range []string{
		uplinkOf(`"type":"event","event":"pick","data":{"n":1}`),
		uplinkOf(`"type":"event","event":"close","data":{}`),
		`{"namespace":"other","type":"ready"}`,
		uplinkOf(`"type":"error","kind":"script","message":"TypeError: x is undefined (line 3)"`),
		uplinkOf(`"type":"error","kind":"violation","message":"img-src stopped https://example.com/a.png"`),
	} {
		up(t, in, c, "i1", message)
	}
	in.event(c, "i1", surface.Uplink{Type: "event", Event: "pick", Data: []byte(`{}`)}, "rate")
	want := []*uiapi.InspectProblem{
		nil,
		{Kind: "refused", Code: "bad_event", Field: "event", Text: `a name other than "close": a letter, then up to 63 of A-Z a-z 0-9 . _ : -`},
		{Kind: "refused", Code: "bad_uplink", Field: "namespace", Text: "lineup.surface.v1"},
		{Kind: "error", Code: "script", Text: "TypeError: x is undefined (line 3)"},
		{Kind: "violation", Code: "external_url", Directive: "img-src", Text: "https://example.com/a.png"},
		{Kind: "dropped", Code: "rate"},
	}
	r := in.byKey[inspectKey{"c1", "i1"}]
	got := r.since(0)
	if len(got) != len(want) {
		t.Fatalf("%d entries, want %d: %+v", len(got), len(want), got)
	}
	for i, e := range got {
		if (e.Problem == nil) != (want[i] == nil) || e.Problem != nil && *e.Problem != *want[i] {
			t.Errorf("entry %d: %+v, want %+v", i, e.Problem, want[i])
		}
		if e.Dir != "up" || e.At != noon.UnixMilli() || e.Seq != int64(i+1) {
			t.Errorf("entry %d: %+v", i, e)
		}
	}
	if got[0].Name != "pick" || got[0].Size != len(`{"n":1}`) || got[0].Body != `{"n":1}` {
		t.Errorf("the event: %+v", got[0])
	}
	words := worded(got, "zh-CN")[4].Problem
	if !strings.Contains(words.What, "https://example.com/a.png") || words.Fix == "" || r.since(0)[4].Problem.What != "" {
		t.Errorf("words: %+v", words)
	}
	for code, n := range map[string]int{"events": 1, "refused": 2, "errors": 1, "violations": 1, "dropped": 1} {
		if r.counts[code] != n {
			t.Errorf("%s = %d, want %d", code, r.counts[code], n)
		}
	}
}

func TestInspectorNamesWhatIsSentDown(t *testing.T) {
	in, c := testInspector(true), &conv{id: "c1"}
	look := surface.Theme{Name: "dark"}
	for _, m := range []string{
		surface.InitMessage("a", []byte(`{"type":"not this"}`), look, "en"), surface.StateMessage([]byte(`{"type":"nor this"}`)),
		surface.ThemeMessage(look, "en"),
	} {
		in.down(c, "i1", m)
	}
	var types []string
	for _, e := range in.byKey[inspectKey{"c1", "i1"}].since(0) {
		types = append(types, e.Dir+" "+e.Type)
	}
	if got := strings.Join(types, ", "); got != "down init, down state, down theme" {
		t.Error(got)
	}
}

func TestRecordingIsBounded(t *testing.T) {
	r := &recording{}
	problem := &uiapi.InspectProblem{Kind: "error", Code: "script", Text: "the first"}
	r.add(noon, seen{dir: "up", typ: "error", text: "{}", problem: problem})
	long := strings.Repeat("é", maxBody) // two bytes each
	for i := range 3 * maxRecorded {
		r.add(noon, seen{dir: "down", typ: "state", text: fmt.Sprint(i%10, long)})
	}
	if len(r.list) > maxRecorded || r.bytes > maxRecBytes {
		t.Fatalf("%d entries of %d bytes", len(r.list), r.bytes)
	}
	if r.list[0].Problem == nil || r.list[0].Problem.Text != "the first" {
		t.Error("a flood of messages pushed the problem out")
	}
	last := r.list[len(r.list)-1]
	if last.Seq != 3*maxRecorded+1 || last.Size != 1+2*maxBody || !last.Cut || len(last.Body) > maxBody || !utf8.ValidString(last.Body) {
		t.Errorf("the last: seq %d, size %d, cut %v, body of %d bytes", last.Seq, last.Size, last.Cut, len(last.Body))
	}
	for i := range 3 * maxProblems {
		r.add(noon, seen{dir: "up", typ: "error", text: "{}", problem: &uiapi.InspectProblem{Kind: "error", Code: "script", Text: fmt.Sprint(i)}})
	}
	bytes, problems := 0, 0
	for i := range r.list {
		bytes += r.list[i].cost()
		if r.list[i].Problem != nil {
			problems++
		}
	}
	if problems != maxProblems || r.problems != problems || r.bytes != bytes {
		t.Errorf("problems %d, counted %d; bytes %d, counted %d", problems, r.problems, bytes, r.bytes)
	}
	for _, e := range r.since(0) {
		if e.Seq > 1 && r.list[0].Seq > e.Seq {
			t.Fatal("out of order")
		}
	}
}

// Problems alone may fill the bytes: then the oldest of them goes.
func TestRecordingOfLongProblems(t *testing.T) {
	r := &recording{}
	for i := range maxProblems {
		r.add(noon, seen{dir: "up", typ: "error", text: strings.Repeat("x", 4*maxBody),
			problem: &uiapi.InspectProblem{Kind: "error", Text: strings.Repeat("y", 2<<10), Code: fmt.Sprint(i)}})
	}
	if r.bytes > maxRecBytes || len(r.list) == 0 || r.list[len(r.list)-1].Problem.Code != fmt.Sprint(maxProblems-1) {
		t.Errorf("%d bytes, %d entries", r.bytes, len(r.list))
	}
}

func TestRepetitionsAreCounted(t *testing.T) {
	in, c := testInspector(true), &conv{id: "c1"}
	for range 1000 {
		in.event(c, "i1", surface.Uplink{Type: "event", Event: "move", Data: []byte(`{}`)}, "rate")
	}
	r := in.byKey[inspectKey{"c1", "i1"}]
	if got := r.since(0); len(got) != 1 || got[0].Count != 1000 {
		t.Fatalf("%d entries, first %+v", len(got), got[0])
	}
	rev := r.rev
	if got := r.since(rev); len(got) != 0 {
		t.Fatalf("nothing is new, got %+v", got)
	}
	in.event(c, "i1", surface.Uplink{Type: "event", Event: "move", Data: []byte(`{}`)}, "rate")
	if got := r.since(rev); len(got) != 1 || got[0].Count != 1001 || got[0].Seq != 1 {
		t.Fatalf("the counted one is news: %+v", got)
	}
	// Events that were sent on mean something each.
	for range 3 {
		in.event(c, "i1", surface.Uplink{Type: "event", Event: "move", Data: []byte(`{}`)}, "")
	}
	if got := r.since(0); len(got) != 4 {
		t.Fatalf("%d entries, want 4", len(got))
	}
}

func TestRecordingsOfUnusedSurfacesGo(t *testing.T) {
	in, c := testInspector(true), &conv{id: "c1"}
	for i := range maxRecordings + 10 {
		in.happened(c, "first", "mount") // is used all the time
		in.happened(c, fmt.Sprint("i", i), "mount")
	}
	if len(in.byKey) != maxRecordings || in.byKey[inspectKey{"c1", "first"}] == nil || in.byKey[inspectKey{"c1", "i0"}] != nil {
		t.Errorf("%d recordings", len(in.byKey))
	}
	in.happened(&conv{id: "c2"}, "i", "mount")
	in.forget("c1")
	if len(in.byKey) != 1 {
		t.Errorf("%d recordings after the conversation went", len(in.byKey))
	}
}

func TestRateMeter(t *testing.T) {
	var m rateMeter
	for i := range 30 {
		m.add(noon.Add(time.Duration(i) * 50 * time.Millisecond)) // 20 a second
	}
	end := noon.Add(29 * 50 * time.Millisecond)
	if got := m.perSecond(end); got < 18 || got > 20 {
		t.Errorf("%d a second, want about 20", got)
	}
	if got := m.perSecond(end.Add(time.Second)); got != 0 {
		t.Errorf("%d a second after a second of nothing", got)
	}
	if got := m.perSecond(noon.Add(-time.Hour)); got != 0 {
		t.Errorf("%d a second when the clock was set back", got)
	}
}

// A closed surface can be looked at still; a meter of it shows what it was.
func TestInspectorKeepsTheBundle(t *testing.T) {
	in, c := testInspector(true), &conv{id: "c1"}
	su := conversation.Surface{App: surface.App{ID: "a.b", HTML: "<p>", CSS: "p{}"}, State: []byte(`{"a":1}`)}
	in.keep(c, "i1", su)
	closed := conversation.Surface{App: surface.App{ID: "a.b"}, Status: conversation.SurfaceClosed}
	in.keep(c, "i1", closed) // does not overwrite it
	r := in.byKey[inspectKey{envelope.ConversationID("c1"), "i1"}]
	if got := r.whole(closed); got.App.HTML != "<p>" || string(got.State) != `{"a":1}` {
		t.Errorf("%+v", got)
	}
	for _, m := range r.meters(noon, inspected{su: closed}, surface.EventBurst, 1) {
		if m.Code == "bundle_bytes" && (m.Value != 6 || m.Max != surface.MaxBundle) {
			t.Errorf("%+v", m)
		}
	}
}

func FuzzInspectorUp(f *testing.F) {
	f.Add(uplinkOf(`"type":"error","kind":"violation","message":"img-src stopped x"`))
	f.Fuzz(func(t *testing.T, message string) {
		in, c := testInspector(true), &conv{id: "c1"}
		up(t, in, c, "i1", message)
		for _, e := range worded(in.byKey[inspectKey{"c1", "i1"}].since(0), "en") {
			if len(e.Body) > 3*maxBody || !utf8.ValidString(e.Body) {
				t.Errorf("body of %d bytes", len(e.Body))
			}
		}
	})
}
