package store

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"lineup/app/envelope"
)

// t0 is the time at which tests begin.
var t0 = time.Date(2026, 8, 2, 12, 0, 0, 0, time.UTC)

func open(t testing.TB) *Store {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "data", "lineup.db"))
}

func openAt(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// must fails the test on an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// seed adds an agent and its conversations.
func seed(t testing.TB, s *Store, agent string, convs ...envelope.ConversationID) {
	t.Helper()
	ctx := context.Background()
	must(t, s.PutAgent(ctx, Agent{ID: agent, Name: "Agent " + agent, URL: "ws://127.0.0.1:1", CreatedAt: t0}))
	for i, c := range convs {
		must(t, s.CreateConversation(ctx, Conversation{ID: c, AgentID: agent, CreatedAt: t0.Add(time.Duration(i) * time.Second)}))
	}
}

func message(conv envelope.ConversationID, id, text string) envelope.Envelope {
	p, err := json.Marshal(envelope.Message{Text: text})
	if err != nil {
		panic(err)
	}
	return envelope.Envelope{V: 1, ID: envelope.ID(id), Type: envelope.TypeMessage, ConversationID: conv,
		Sender: envelope.Party{Kind: envelope.KindAgent, ID: "wire"}, Payload: p}
}

func in(conv envelope.ConversationID, id string) Entry {
	return Entry{Dir: In, At: t0, Env: message(conv, id, "text of "+id)}
}

func out(conv envelope.ConversationID, id string) Entry {
	e := in(conv, id)
	e.Dir = Out
	return e
}

func local(conv envelope.ConversationID, id string) Entry {
	e := in(conv, id)
	e.Dir = Local
	return e
}

// add appends and fails on an error.
func add(t testing.TB, s *Store, batch ...Entry) []Entry {
	t.Helper()
	got, err := s.Append(context.Background(), batch)
	must(t, err)
	return got
}

// ids renders entries as "dir id" words.
func ids(entries []Entry) string {
	words := ""
	for i, e := range entries {
		if i > 0 {
			words += " "
		}
		words += fmt.Sprint([]string{"in:", "out:", "local:"}[e.Dir], e.Env.ID)
	}
	return words
}

// whole reads a log to its end.
func whole(t testing.TB, s *Store, conv envelope.ConversationID) []Entry {
	t.Helper()
	var got []Entry
	must(t, s.Log(context.Background(), conv, 0, func(e Entry) error { got = append(got, e); return nil }))
	return got
}
