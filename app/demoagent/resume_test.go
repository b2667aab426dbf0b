package demoagent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lineup/app/envelope"
)

func point1(conv, last string) envelope.ResumePoint {
	return envelope.ResumePoint{ConversationID: conv, LastID: last}
}

// A cancel in the middle of a stream ends the stream and the run at once, and
// stops what waits behind it.
func TestCancelMidStream(t *testing.T) {
	clock := &testClock{}
	p, _ := connect(t, serve(t, Options{Clock: clock}), "en")
	clock.hold()
	p.say("c1", "help")
	for range 3 {
		p.until(envelope.TypeMessageDelta)
		clock.step(t)
	}
	p.until(envelope.TypeMessageDelta)
	p.say("c1", "weather") // waits; the cancel is for it too
	p.got = nil
	p.send("c1", envelope.TypeCancel, envelope.Cancel{})
	end := content[envelope.MessageEnd](t, p.until(envelope.TypeMessageEnd))
	if end.Text != nil {
		t.Error("the end of a cut stream replaces what was streamed")
	}
	p.done()
	clock.free()
	p.say("c1", "table")
	p.until(envelope.TypeTable)
	for _, e := range p.got {
		if e.Type == envelope.TypeUIOpen || e.Type == envelope.TypeMessageDelta {
			t.Errorf("after cancel: %s", e.Type)
		}
	}
}

// A run with a tool under way leaves nothing that looks unfinished.
func TestCancelClosesWhatIsUnderWay(t *testing.T) {
	clock := &testClock{}
	p, _ := connect(t, serve(t, Options{Clock: clock}), "en")
	clock.hold()
	p.say("c1", "tool")
	p.until(envelope.TypeTool)
	p.send("c1", envelope.TypeCancel, envelope.Cancel{})
	if tool := content[envelope.Tool](t, p.until(envelope.TypeTool)); tool.State != "failed" {
		t.Errorf("tool state after cancel = %q", tool.State)
	}
	p.done()
}

// stream gives the ids and the joined deltas of what was got in conv.
func stream(t *testing.T, got []envelope.Envelope) (ids map[envelope.ID]int, text string) {
	ids = map[envelope.ID]int{}
	for _, e := range got {
		if e.ConversationID == "" {
			continue
		}
		ids[e.ID]++
		if e.Type == envelope.TypeMessageDelta && ids[e.ID] == 1 {
			text += content[envelope.MessageDelta](t, e).Delta
		}
	}
	return ids, text
}

// The connection breaks in the middle of a stream; the host names the last id
// it processed and gets exactly the rest.
func TestResumeMidStream(t *testing.T) {
	clock := &testClock{}
	s := serve(t, Options{Clock: clock})
	p, ready := connect(t, s, "en", point1("c0", ""))
	if ready.Conversations == nil {
		t.Error("a new agent names no list: what it never got would not be sent again")
	}
	p.untilMessage() // the greeting
	clock.hold()
	asked := p.sendAs("ask-1", "c1", envelope.TypeMessage, envelope.Message{Text: "help"})
	for range 4 {
		p.until(envelope.TypeMessageDelta)
		clock.step(t)
	}
	last := p.until(envelope.TypeMessageDelta)
	p.conn.Close()
	clock.free() // the agent goes on while nobody listens

	q, ready := connect(t, s, "en", point1("c1", string(last.ID)))
	if len(ready.Conversations) != 1 || ready.Conversations[0] != point1("c1", string(asked.ID)) {
		t.Errorf("resume points = %+v, want that of %s", ready.Conversations, asked.ID)
	}
	q.sendAs("ask-1", "c1", envelope.TypeMessage, envelope.Message{Text: "help"}) // the host is not sure either
	full := q.untilStreamed()
	q.say("c1", "table")
	q.until(envelope.TypeTable) // nothing of a second run came before it

	ids, text := stream(t, append(p.got, q.got...))
	if text != full {
		t.Errorf("streamed %q\nwhole %q", text, full)
	}
	for id, n := range ids {
		if n != 1 {
			t.Errorf("%s came %d times", id, n)
		}
	}
}

// A host that lost more than it knows gets the overlap again, under the same ids.
func TestResumeOverlapKeepsIDs(t *testing.T) {
	s := serve(t, Options{})
	p, _ := connect(t, s, "en")
	p.say("c1", "table")
	a := p.until(envelope.TypeTable)
	p.say("c1", "code")
	b := p.until(envelope.TypeCode)
	p.conn.Close()
	q, _ := connect(t, s, "en", point1("c1", ""))
	if again := q.until(envelope.TypeTable); again.ID != a.ID || string(again.Payload) != string(a.Payload) {
		t.Errorf("table again: %+v, was %+v", again, a)
	}
	if again := q.until(envelope.TypeCode); again.ID != b.ID {
		t.Errorf("code again: %s, was %s", again.ID, b.ID)
	}
}

// The agent's process ends in the middle of a stream. The next one, from the
// same file, finishes the very same message.
func TestRestartMidStream(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "demo.jsonl")
	clock := &testClock{}
	s := serve(t, Options{Clock: clock, StateFile: file})
	p, _ := connect(t, s, "en")
	clock.hold()
	p.sendAs("ask-1", "c1", envelope.TypeMessage, envelope.Message{Text: "weather"})
	p.until(envelope.TypeStatus)
	clock.step(t)
	for range 4 {
		p.until(envelope.TypeMessageDelta)
		clock.step(t)
	}
	last := p.until(envelope.TypeMessageDelta)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	q, ready := connect(t, serve(t, Options{StateFile: file}), "en", point1("c1", string(last.ID)))
	if len(ready.Conversations) != 1 || ready.Conversations[0].LastID != "ask-1" {
		t.Errorf("resume points = %+v", ready.Conversations)
	}
	full := q.untilStreamed()
	open := content[envelope.UIOpen](t, q.until(envelope.TypeUIOpen))
	q.done()
	ids, text := stream(t, append(p.got, q.got...))
	if text != full || !strings.Contains(full, "Beijing") {
		t.Errorf("streamed %q\nwhole %q", text, full)
	}
	for id, n := range ids {
		if n != 1 {
			t.Errorf("%s came %d times", id, n)
		}
	}
	refresh(q, open.InstanceID)
	q.until(envelope.TypeAppCall)
}

// After a restart the agent still knows the surface, the count and what was
// answered, and does not answer twice.
func TestRestartKeepsTheSurface(t *testing.T) {
	file := filepath.Join(t.TempDir(), "demo.jsonl")
	s := serve(t, Options{StateFile: file})
	p, _ := connect(t, s, "en")
	p.say("c1", "weather in new york please")
	open := content[envelope.UIOpen](t, p.until(envelope.TypeUIOpen))
	p.done()
	refresh(p, open.InstanceID)
	call := content[envelope.AppCall](t, p.until(envelope.TypeAppCall))
	last := p.got[len(p.got)-1]
	s.Close()

	// A torn last line is what a crash leaves.
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"c":"c1","out":{"v":1,"id":"torn`)
	f.Close()

	q, _ := connect(t, serve(t, Options{StateFile: file}), "en", point1("c1", string(last.ID)))
	*q.n = *p.n
	q.send("c1", envelope.TypeAppResult, envelope.AppResult{CallID: call.CallID, Status: "completed"})
	if got := q.untilMessage(); !strings.Contains(got, "Copied") {
		t.Errorf("after completed: %q", got)
	}
	q.send("c1", envelope.TypeAppResult, envelope.AppResult{CallID: call.CallID, Status: "completed"})
	refresh(q, open.InstanceID)
	e := q.next()
	if e.Type != envelope.TypeUIPatch {
		t.Fatalf("after the second result and a refresh: %s %s", e.Type, e.Payload)
	}
	var state struct {
		City    string
		Updated int
	}
	json.Unmarshal(content[envelope.UIPatch](t, e).State, &state)
	if state.City != "New York" || state.Updated != 2 {
		t.Errorf("state = %+v", state)
	}
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("state file: %v %v", st.Mode(), err)
	}
}

// An agent that forgot everything still understands its own surface's events.
func TestEventsWithoutMemory(t *testing.T) {
	p, _ := connect(t, serve(t, Options{}), "en")
	refresh(p, "weather.zh.0123456789abcdef0123")
	if patch := content[envelope.UIPatch](t, p.until(envelope.TypeUIPatch)); !strings.Contains(string(patch.State), "北京") {
		t.Errorf("patch = %s", patch.State)
	}
	p.until(envelope.TypeAppCall)
}

// The journal may grow past its limits; what is kept is the newest, and the
// file is written anew.
func TestJournalIsBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "demo.jsonl")
	j, err := openJournal(file)
	if err != nil {
		t.Fatal(err)
	}
	j.limit = 64 << 10
	for i := range 3 * maxSent {
		id := "e" + strings.Repeat("x", i%50) + "." + derive("", string(rune('a'+i%26)), strings.Repeat("y", i/26))
		j.add("c", id, []byte(`{"id":"`+id+`"}`))
		j.finish("c", id+".in", nil)
	}
	j.finish("c", "last", map[string]json.RawMessage{"k": json.RawMessage(`1`)})
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	if n := len(j.talks["c"].sent); n != maxSent {
		t.Errorf("%d envelopes are kept, want %d", n, maxSent)
	}
	k, err := openJournal(file)
	if err != nil {
		t.Fatal(err)
	}
	defer k.close()
	if n, m := len(k.talks["c"].sent), len(k.talks["c"].seen); n != maxSent || m != maxSeen {
		t.Errorf("read again: %d envelopes, %d ids", n, m)
	}
	if pts := k.points([]envelope.ResumePoint{point1("c", "")}); len(pts) != 1 || pts[0].LastID != "last" {
		t.Errorf("resume point = %+v", pts)
	}
	if string(k.facts("c")["k"]) != "1" {
		t.Error("a fact was lost")
	}
	if st, _ := os.Stat(file); st.Size() > 2<<20 {
		t.Errorf("the file has %d bytes", st.Size())
	}
}

// Accepted and unhandled envelopes keep their place among the seen ones when
// the file is compacted.
func TestCompactionKeepsPending(t *testing.T) {
	file := filepath.Join(t.TempDir(), "demo.jsonl")
	j, err := openJournal(file)
	if err != nil {
		t.Fatal(err)
	}
	raws := map[string][]byte{}
	for _, id := range []string{"a", "b", "c"} {
		e, _ := envelope.New(envelope.TypeMessage, "c1", envelope.Party{Kind: "client", ID: "x"}, envelope.Message{Text: id})
		e.ID = envelope.ID(id)
		raws[id], _ = e.Encode()
		if !j.accept(e, raws[id]) {
			t.Fatal("refused")
		}
	}
	j.finish("c1", "b", nil)
	if err := j.compact(); err != nil {
		t.Fatal(err)
	}
	j.close()
	k, err := openJournal(file)
	if err != nil {
		t.Fatal(err)
	}
	defer k.close()
	todo := k.unfinished()["c1"]
	if len(todo) != 2 || todo[0].ID != "a" || todo[1].ID != "c" {
		t.Errorf("unfinished = %+v", todo)
	}
	if pts := k.points([]envelope.ResumePoint{point1("c1", "")}); len(pts) != 1 || pts[0].LastID != "c" {
		t.Errorf("resume point = %+v", pts)
	}
}
