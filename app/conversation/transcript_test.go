package conversation

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"lineup/app/envelope"
)

var update = flag.Bool("update", false, "write what the transcripts give")

// Each testdata/transcripts/*.txtar is a conversation. In its file "log" a line
// is "< TYPE ID PAYLOAD" (the agent), "> TYPE ID REPLY_TO PAYLOAD" (the host; "-" for no reply_to) or
// "= TYPE ID PAYLOAD" (the host's own fact). The file "state" is what people and the agent
// are left with.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txtar")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			ar := txtar.Parse(raw)
			entries := parseLog(t, string(section(ar, "log")))
			s := New("conv_1")
			for _, e := range entries {
				s.Apply(e)
			}
			got := dump(s)

			// The fold of a replayed log is the same, and a repeated entry changes nothing.
			again := New("conv_1")
			for _, e := range entries {
				again.Apply(e)
				again.Apply(e)
			}
			if d := dump(again); d != got {
				t.Errorf("replay differs:\n%s\nfirst:\n%s", d, got)
			}
			if *update {
				for i := range ar.Files {
					if ar.Files[i].Name == "state" {
						ar.Files[i].Data = []byte(got)
					}
				}
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := string(section(ar, "state")); got != want {
				t.Errorf("state:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func section(ar *txtar.Archive, name string) []byte {
	for _, f := range ar.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func parseLog(t *testing.T, log string) (out []Entry) {
	t.Helper()
	at := time.Date(2026, 8, 2, 12, 0, 0, 0, time.UTC)
	sc := bufio.NewScanner(strings.NewReader(log))
	sc.Buffer(nil, 1<<21)
	for n := int64(1); sc.Scan(); {
		line := strings.TrimSpace(sc.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		dir, rest, _ := strings.Cut(line, " ")
		typ, rest, _ := strings.Cut(rest, " ")
		id, rest, _ := strings.Cut(rest, " ")
		e := Entry{Seq: n, At: at.Add(time.Duration(n) * time.Second)}
		e.Env = envelope.Envelope{V: 1, ID: envelope.ID(id), Type: envelope.Type(envelope.Prefix + typ), ConversationID: "conv_1"}
		switch dir {
		case "<":
			e.Dir, e.Env.Sender = In, envelope.Party{Kind: "agent", ID: "a"}
		case ">":
			reply, payload, _ := strings.Cut(rest, " ")
			if reply != "-" {
				e.Env.ReplyTo = envelope.ID(reply)
			}
			rest, e.Dir, e.Env.Sender = payload, Out, envelope.Party{Kind: "client", ID: "desktop"}
		case "=":
			e.Dir, e.Env.Type = Local, envelope.Type(typ)
		default:
			t.Fatalf("line %q", line)
		}
		if !json.Valid([]byte(rest)) {
			t.Fatalf("payload of %s: %s", id, rest)
		}
		e.Env.Payload = json.RawMessage(rest)
		if dir == "<" { // what the agent sends must be what the wire lets through
			raw, err := e.Env.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, bad := envelope.Decode(raw); bad != nil {
				t.Fatalf("%s would be refused: %v", id, bad)
			}
		}
		out = append(out, e)
		n++
	}
	return out
}

func dump(s *State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s waiting=%d open=%d\n", s.Activity(), s.WaitingCount(), s.OpenSurfaces(""))
	items, _ := s.Items(0, 1000)
	for _, it := range items {
		fmt.Fprintf(&b, "%s %s %s %s\n", it.ID, it.Kind, it.From, describe(it))
	}
	for _, ef := range s.Owed() {
		fmt.Fprintf(&b, "owed %s %s\n", ef.Cause, effect(ef))
	}
	return b.String()
}

func describe(it *Item) string {
	switch d := it.Data.(type) {
	case *Message:
		s := fmt.Sprintf("%q", d.Text())
		if d.Streaming {
			s += " streaming"
		}
		return s
	case *Choice:
		return answered(d.Prompt, d.Answer)
	case *Confirm:
		return answered(d.Prompt, d.Answer)
	case *Input:
		return answered(d.Prompt, d.Answer)
	case *Surface:
		return strings.TrimSpace(fmt.Sprintf("%s %s %s %s", d.Instance, d.Status, d.Reason, d.State))
	case *Call:
		return strings.TrimSpace(fmt.Sprintf("%s %s %s", d.Capability, d.Status, d.Code))
	case *Notice:
		return fmt.Sprintf("%s %s %s x%d", d.Code, d.Type, d.Field, d.Count)
	}
	b, _ := json.Marshal(it.Data)
	return string(b)
}

func answered(prompt string, a Answer) string {
	if a.Status == "" {
		return prompt + " (open)"
	}
	return fmt.Sprintf("%s %s %s", prompt, a.Status, a.Value)
}

func effect(e Effect) string {
	switch {
	case e.Reply != nil:
		b, _ := json.Marshal(e.Reply.Payload)
		return string(e.Reply.Type) + " " + string(b)
	case e.Open != nil:
		return "open " + e.Open.Open.InstanceID
	case e.Call != nil:
		return "call " + e.Call.CallID
	}
	return "?"
}

func TestItemsPages(t *testing.T) {
	s := New("c")
	for i := range int64(250) {
		s.Apply(Entry{Seq: i + 1, Dir: In, Env: envelope.Envelope{ID: envelope.ID(fmt.Sprint(i)), Type: envelope.TypeMessage, Payload: []byte(`{"text":"x"}`)}})
	}
	var seen []int64
	before := int64(0)
	for {
		page, more := s.Items(before, 100)
		for i := len(page) - 1; i >= 0; i-- {
			seen = append(seen, page[i].Pos)
		}
		if !more {
			break
		}
		before = page[0].Pos
	}
	if len(seen) != 250 || !sort.SliceIsSorted(seen, func(i, j int) bool { return seen[i] > seen[j] }) {
		t.Fatalf("%d items, or not in order", len(seen))
	}
}

func TestMessageStopsGrowingAtItsLimit(t *testing.T) {
	s := New("c")
	payload, _ := json.Marshal(envelope.MessageDelta{MessageID: "m", Delta: strings.Repeat("x", 600<<10)})
	for i := range int64(3) {
		s.Apply(Entry{Seq: i + 1, Dir: In, Env: envelope.Envelope{ID: envelope.ID(fmt.Sprint(i)), Type: envelope.TypeMessageDelta, Payload: payload}})
	}
	if n := s.Item("m:m").Data.(*Message).Len(); n != 600<<10 {
		t.Fatalf("%d bytes", n)
	}
	if owed := s.Owed(); len(owed) != 2 || owed[0].Reply.Payload.(envelope.ErrorPayload).Code != "too_large" {
		t.Fatalf("owed %v", owed)
	}
}

func TestOwedListDoesNotGrow(t *testing.T) {
	s := New("c")
	open := Entry{Seq: 1, Dir: In, Env: envelope.Envelope{ID: "o", Type: envelope.TypeUIOpen,
		Payload: []byte(`{"instance_id":"i","app":{"id":"a.b","version":"1.0.0","html":"x"}}`)}}
	s.Apply(open)
	for i := range int64(5000) {
		id := envelope.ID(fmt.Sprint("p", i))
		s.Apply(Entry{Seq: 2 * (i + 1), Dir: In, Env: envelope.Envelope{ID: id, Type: envelope.TypeUIPatch, Payload: []byte(`{"instance_id":"i","state":{"n":1}}`)}})
		s.Apply(Entry{Seq: 2*(i+1) + 1, Dir: Out, Env: envelope.Envelope{ID: "r" + id, Type: envelope.TypeUIResult, ReplyTo: id, Payload: []byte(`{"instance_id":"i","op":"patch","status":"ok"}`)}})
	}
	if len(s.owedOrder) > 200 || len(s.Owed()) != 1 {
		t.Fatalf("%d in order, %d owed", len(s.owedOrder), len(s.Owed()))
	}
}

func TestAnswersAreChecked(t *testing.T) {
	two := 2
	choice := &Item{Data: &Choice{Choice: envelope.Choice{Multiple: true, Max: &two, Options: []envelope.ChoiceOption{
		{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d", Disabled: true}}}}}
	one := &Item{Data: &Choice{Choice: envelope.Choice{Options: []envelope.ChoiceOption{{ID: "a"}, {ID: "b"}}}}}
	confirm := &Item{Data: &Confirm{}}
	text := &Item{Data: &Input{}}
	form := &Item{Data: &Input{Input: envelope.Input{Schema: []byte(`{"type":"object","required":["n"],"properties":{"n":{"type":"integer","minimum":3}}}`)}}}
	done := &Item{Data: &Confirm{Answer: Answer{Status: "answered"}}}
	for _, c := range []struct {
		name, status, value string
		it                  *Item
		ok                  bool
	}{
		{"one", "answered", `["a"]`, one, true},
		{"none", "answered", `[]`, one, false},
		{"two of a single", "answered", `["a","b"]`, one, false},
		{"two", "answered", `["a","b"]`, choice, true},
		{"too many", "answered", `["a","b","c"]`, choice, false},
		{"twice the same", "answered", `["a","a"]`, choice, false},
		{"unknown", "answered", `["z"]`, choice, false},
		{"disabled", "answered", `["d"]`, choice, false},
		{"not a list", "answered", `"a"`, choice, false},
		{"yes", "answered", `true`, confirm, true},
		{"not a boolean", "answered", `"yes"`, confirm, false},
		{"text", "answered", `{"text":"hi"}`, text, true},
		{"no text", "answered", `{}`, text, false},
		{"form", "answered", `{"n":3}`, form, true},
		{"form below minimum", "answered", `{"n":2}`, form, false},
		{"form without", "answered", `{}`, form, false},
		{"cancelled", "cancelled", ``, form, true},
		{"bad status", "expired", ``, form, false},
		{"answered already", "answered", `true`, done, false},
		{"not a component", "answered", `true`, &Item{Data: &Message{}}, false},
		{"nothing", "answered", `true`, nil, false},
	} {
		err := CheckAnswer(c.it, c.status, json.RawMessage(c.value))
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func BenchmarkApplyDelta(b *testing.B) {
	for _, size := range []int{1 << 10, 900 << 10} {
		b.Run(fmt.Sprintf("message=%d", size), func(b *testing.B) {
			s := New("c")
			first, _ := json.Marshal(envelope.MessageDelta{MessageID: "m", Delta: strings.Repeat("x", size)})
			s.Apply(Entry{Seq: 1, Dir: In, Env: envelope.Envelope{ID: "0", Type: envelope.TypeMessageDelta, Payload: first}})
			d, _ := json.Marshal(envelope.MessageDelta{MessageID: "m", Delta: "x"})
			for i := 0; b.Loop(); i++ {
				if i%100000 == 99999 {
					s.Item("m:m").Data.(*Message).text = s.Item("m:m").Data.(*Message).text[:size]
				}
				s.Apply(Entry{Seq: int64(i + 2), Dir: In, Env: envelope.Envelope{ID: "1", Type: envelope.TypeMessageDelta, Payload: d}})
			}
		})
	}
}
