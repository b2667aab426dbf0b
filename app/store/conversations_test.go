package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"lineup/app/envelope"
)

func list(t *testing.T, s *Store, deleted bool) string {
	t.Helper()
	cs, err := s.Conversations(context.Background(), deleted)
	must(t, err)
	var names []string
	for _, c := range cs {
		names = append(names, string(c.ID))
	}
	return strings.Join(names, " ")
}

func TestConversationKeepsWhatIsSet(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a")
	want := Conversation{ID: "c", AgentID: "a", Title: "天气", Pinned: true, Draft: "half a th", CreatedAt: t0, UpdatedAt: t0.Add(time.Hour), ReadSeq: 3, Preview: "hi"}
	must(t, s.CreateConversation(ctx, want))
	got, ok, err := s.Conversation(ctx, "c")
	if fmt.Sprint(got) != fmt.Sprint(want) || !ok || err != nil {
		t.Errorf("got %v, %v, %v\nwant %v", got, ok, err, want)
	}
	must(t, s.SetTitle(ctx, "c", "Weather"))
	must(t, s.SetPinned(ctx, "c", false))
	must(t, s.SetDraft(ctx, "c", ""))
	must(t, s.SetReadSeq(ctx, "c", 9))
	must(t, s.SetReadSeq(ctx, "c", 4)) // a late call of another window
	must(t, s.SetPreview(ctx, "c", "sunny", t0.Add(2*time.Hour)))
	want = Conversation{ID: "c", AgentID: "a", Title: "Weather", CreatedAt: t0, UpdatedAt: t0.Add(2 * time.Hour), ReadSeq: 9, Preview: "sunny"}
	if got, _, _ = s.Conversation(ctx, "c"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if _, ok, err := s.Conversation(ctx, "d"); ok || err != nil {
		t.Errorf("one that is not there: %v, %v", ok, err)
	}
}

func TestConversationsAreListedPinnedThenNewest(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "1", "2", "3", "4")
	must(t, s.SetPinned(ctx, "2", true))
	must(t, s.SetPreview(ctx, "1", "new", t0.Add(time.Hour)))
	if got := list(t, s, false); got != "2 1 4 3" {
		t.Errorf("list = %q", got)
	}
	must(t, s.SetDeleted(ctx, "1", &t0))
	if got := list(t, s, false); got != "2 4 3" {
		t.Errorf("after delete: %q", got)
	}
	if got := list(t, s, true); got != "2 1 4 3" {
		t.Errorf("with deleted: %q", got)
	}
	must(t, s.SetDeleted(ctx, "1", nil))
	if got := list(t, s, false); got != "2 1 4 3" {
		t.Errorf("after undo: %q", got)
	}
}

func TestConversationRefusals(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c")
	for name, c := range map[string]struct{ got, want error }{
		"no id":            {s.CreateConversation(ctx, Conversation{AgentID: "a"}), ErrInvalid},
		"unknown agent":    {s.CreateConversation(ctx, Conversation{ID: "d", AgentID: "z"}), ErrNotFound},
		"taken":            {s.CreateConversation(ctx, Conversation{ID: "c", AgentID: "a"}), ErrExists},
		"title":            {s.SetTitle(ctx, "d", "x"), ErrNotFound},
		"pin":              {s.SetPinned(ctx, "d", true), ErrNotFound},
		"draft":            {s.SetDraft(ctx, "d", "x"), ErrNotFound},
		"delete":           {s.SetDeleted(ctx, "d", &t0), ErrNotFound},
		"read":             {s.SetReadSeq(ctx, "d", 1), ErrNotFound},
		"preview":          {s.SetPreview(ctx, "d", "x", t0), ErrNotFound},
		"fact":             {s.SetFact(ctx, "d", "k", "v"), ErrNotFound},
		"text":             {s.IndexText(ctx, "d", "i", "x", t0), ErrNotFound},
		"delete agent":     {s.DeleteAgent(ctx, "z"), ErrNotFound},
		"agent without id": {s.PutAgent(ctx, Agent{}), ErrInvalid},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}

func TestPurgeTakesEverythingOfAConversation(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "old", "young", "live")
	for _, c := range []envelope.ConversationID{"old", "young", "live"} {
		add(t, s, in(c, "1"), out(c, "1"))
		must(t, s.SetTitle(ctx, c, "title "+string(c)))
		must(t, s.IndexText(ctx, c, "i", "rain in "+string(c), t0))
		must(t, s.SetFact(ctx, c, "k", "v"))
		_, err := s.PutArtifact(ctx, Artifact{ID: "shared", Conversation: c, AgentID: "a"}, []byte("the same in all"), 100)
		must(t, err)
		_, err = s.PutArtifact(ctx, Artifact{ID: "own", Conversation: c, AgentID: "a"}, []byte("only in "+c), 100)
		must(t, err)
	}
	cut := t0.Add(24 * time.Hour)
	before, after := cut.Add(-time.Minute), cut.Add(time.Minute)
	must(t, s.SetDeleted(ctx, "old", &before))
	must(t, s.SetDeleted(ctx, "young", &after))
	n, err := s.PurgeDeleted(ctx, cut)
	if n != 1 || err != nil {
		t.Fatalf("purged %d, %v", n, err)
	}
	if got := list(t, s, true); got != "live young" {
		t.Errorf("left: %q", got)
	}
	for table, want := range map[string]int{"log": 4, "doc": 4, "fact": 2, "artifact": 4, "blob": 3} {
		var got int
		must(t, s.read.QueryRow("SELECT count(*) FROM "+table).Scan(&got))
		if got != want {
			t.Errorf("%s has %d rows, want %d", table, got, want)
		}
	}
	data, ok, err := s.ArtifactData(ctx, "a", "live", "shared")
	if string(data) != "the same in all" || !ok || err != nil {
		t.Errorf("a shared content: %q, %v, %v", data, ok, err)
	}
	must(t, s.Check(ctx))
}

func TestAgentsComeAndGo(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	first := Agent{ID: "a", Name: "Demo", URL: "ws://127.0.0.1:9", Demo: true, CreatedAt: t0}
	must(t, s.PutAgent(ctx, first))
	must(t, s.PutAgent(ctx, Agent{ID: "b", Name: "Other", URL: "wss://b.example", WireID: "w", Version: "1", CreatedAt: t0.Add(1e9)}))
	must(t, s.SetAgentWire(ctx, "a", "agent_demo", "0.1"))
	first.WireID, first.Version = "agent_demo", "0.1"
	got, err := s.Agents(ctx)
	must(t, err)
	if len(got) != 2 || fmt.Sprint(got[0]) != fmt.Sprint(first) || got[1].ID != "b" {
		t.Errorf("agents: %v", got)
	}

	must(t, s.CreateConversation(ctx, Conversation{ID: "c", AgentID: "a", CreatedAt: t0}))
	add(t, s, in("c", "1"))
	must(t, s.DeleteAgent(ctx, "a"))
	if got, _ := s.Agents(ctx); len(got) != 1 || got[0].ID != "b" {
		t.Errorf("after delete: %v", got)
	}
	if a, ok, err := s.Agent(ctx, "a"); !ok || err != nil || a.DeletedAt == nil || a.Name != "Demo" {
		t.Errorf("the deleted one: %+v, %v, %v", a, ok, err)
	}
	if list(t, s, false) != "c" || ids(whole(t, s, "c")) != "in:1" {
		t.Error("its conversation is not readable any more")
	}
	if err := s.SetAgentWire(ctx, "a", "x", "2"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a late ready of a deleted agent: %v", err)
	}
	first.Name = "Again"
	must(t, s.PutAgent(ctx, first))
	if got, _ := s.Agents(ctx); len(got) != 2 || got[0].Name != "Again" {
		t.Errorf("after it came back: %v", got)
	}
}

func TestSettingsAndFacts(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c", "d")
	if _, ok, err := s.Setting(ctx, "theme"); ok || err != nil {
		t.Errorf("never set: %v, %v", ok, err)
	}
	must(t, s.SetSetting(ctx, "theme", "dark"))
	must(t, s.SetSetting(ctx, "theme", ""))
	if v, ok, err := s.Setting(ctx, "theme"); v != "" || !ok || err != nil {
		t.Errorf("set to empty: %q, %v, %v", v, ok, err)
	}
	must(t, s.SetFact(ctx, "c", "k", "1"))
	must(t, s.SetFact(ctx, "c", "k", "2"))
	if v, ok, err := s.Fact(ctx, "c", "k"); v != "2" || !ok || err != nil {
		t.Errorf("fact: %q, %v, %v", v, ok, err)
	}
	if _, ok, err := s.Fact(ctx, "d", "k"); ok || err != nil {
		t.Errorf("another conversation's: %v, %v", ok, err)
	}
}
