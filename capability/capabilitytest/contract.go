package capabilitytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lineup/capability"
)

// Store is the three faces of one store.
type Store struct {
	Ledger capability.Ledger
	Grants capability.Grants
	Audit  capability.Audit
}

func entry(id string) capability.Entry {
	return capability.Entry{
		Call: capability.Call{
			Agent: "agent", ID: capability.CallID(id), Conversation: "conv", Capability: "test.do", Reason: "because\n\u202E",
			ExpiresAt: start.Add(time.Hour), Args: json.RawMessage(`{"a":"b"}`), RequestedAt: start,
		},
		Hash: "hash-" + id, Phase: capability.Pending,
	}
}

func rec(event string) capability.Record {
	return capability.Record{Chain: "agent", At: start, Event: event, Call: "c"}
}

// Contract checks what package capability demands of a store. open returns an
// empty one at each call.
func Contract(t *testing.T, open func(t *testing.T) Store) {
	t.Run("begin once", func(t *testing.T) { beginOnce(t, open(t)) })
	t.Run("phases", func(t *testing.T) { phases(t, open(t)) })
	t.Run("unfinished", func(t *testing.T) { unfinished(t, open(t)) })
	t.Run("grants", func(t *testing.T) { grants(t, open(t)) })
	t.Run("audit", func(t *testing.T) { audit(t, open(t)) })
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, s Store, event string) (n int) {
	t.Helper()
	must(t, s.Audit.Each(t.Context(), 0, func(r capability.Record) error {
		if r.Event == event {
			n++
		}
		return nil
	}))
	return n
}

func beginOnce(t *testing.T, s Store) {
	e := entry("c1")
	var fresh atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			got, f, err := s.Ledger.Begin(t.Context(), e, capability.Also{Records: []capability.Record{rec("requested")}})
			if err != nil {
				t.Error(err)
			}
			if f {
				fresh.Add(1)
			}
			if !reflect.DeepEqual(got, e) {
				t.Errorf("stored %+v, want %+v", got, e)
			}
		})
	}
	wg.Wait()
	if fresh.Load() != 1 || count(t, s, "requested") != 1 {
		t.Errorf("stored %d times with %d records, want once", fresh.Load(), count(t, s, "requested"))
	}
	other := entry("c1")
	other.Hash, other.Call.Args = "other", json.RawMessage(`{}`)
	if got, f, err := s.Ledger.Begin(t.Context(), other, capability.Also{}); err != nil || f || got.Hash != e.Hash {
		t.Errorf("another call under the same id: %+v, %v, %v", got, f, err)
	}
	// The same id of another agent is another call.
	other.Call.Agent = "agent2"
	if _, f, err := s.Ledger.Begin(t.Context(), other, capability.Also{}); err != nil || !f {
		t.Errorf("another agent's call: %v, %v", f, err)
	}
	if _, ok, err := s.Ledger.Find(t.Context(), capability.Key{Agent: "agent3", ID: "c1"}); err != nil || ok {
		t.Errorf("found a call that is not there: %v, %v", ok, err)
	}
}

func phases(t *testing.T, s Store) {
	e := entry("c1")
	k := e.Call.Key()
	r := capability.Result{Status: capability.Completed, Value: json.RawMessage(`{"done":true}`)}
	_, _, err := s.Ledger.Begin(t.Context(), e, capability.Also{})
	must(t, err)
	advance := func(from, to capability.Phase) error {
		return s.Ledger.Advance(t.Context(), k, from, to, r, start, capability.Also{Records: []capability.Record{rec(string(from) + ">" + string(to))}})
	}
	if err := advance(capability.Executing, capability.Settled); !errors.Is(err, capability.ErrConflict) {
		t.Errorf("pending is not executing, but got %v", err)
	}
	must(t, s.Ledger.Advance(t.Context(), k, capability.Pending, capability.Executing, capability.Result{}, start, capability.Also{}))
	if err := advance(capability.Pending, capability.Executing); !errors.Is(err, capability.ErrConflict) {
		t.Errorf("executing is not pending, but got %v", err)
	}
	must(t, advance(capability.Executing, capability.Settled))
	for _, from := range []capability.Phase{capability.Pending, capability.Executing} {
		if err := advance(from, capability.Settled); !errors.Is(err, capability.ErrConflict) {
			t.Errorf("settled is the end, but got %v", err)
		}
	}
	got, ok, err := s.Ledger.Find(t.Context(), k)
	if err != nil || !ok || got.Phase != capability.Settled || !reflect.DeepEqual(got.Result, r) || !reflect.DeepEqual(got.Call, e.Call) {
		t.Errorf("found %+v, %v, %v", got, ok, err)
	}
	if n := count(t, s, "pending>executing") + count(t, s, "pending>settled"); n != 0 {
		t.Errorf("%d records of transitions that did not happen", n)
	}
	if count(t, s, "executing>settled") != 1 {
		t.Error("no record of the transition that happened")
	}
	if err := s.Ledger.Advance(t.Context(), capability.Key{Agent: "agent", ID: "none"}, capability.Pending, capability.Settled, r, start, capability.Also{}); !errors.Is(err, capability.ErrConflict) {
		t.Errorf("a call that is not there: %v", err)
	}
}

func unfinished(t *testing.T, s Store) {
	for i := range 4 {
		_, _, err := s.Ledger.Begin(t.Context(), entry(fmt.Sprint("c", i)), capability.Also{})
		must(t, err)
	}
	key := func(i int) capability.Key { return entry(fmt.Sprint("c", i)).Call.Key() }
	r := capability.Result{Status: capability.Rejected, Code: capability.CodeUser, Message: "no"}
	must(t, s.Ledger.Advance(t.Context(), key(0), capability.Pending, capability.Settled, r, start, capability.Also{}))
	must(t, s.Ledger.Advance(t.Context(), key(1), capability.Pending, capability.Settled, r, start, capability.Also{}))
	must(t, s.Ledger.Advance(t.Context(), key(2), capability.Pending, capability.Executing, capability.Result{}, start, capability.Also{}))
	must(t, s.Ledger.Reported(t.Context(), key(0)))
	must(t, s.Ledger.Reported(t.Context(), key(3))) // pending: nothing to report
	list, err := s.Ledger.Unfinished(t.Context())
	must(t, err)
	var got []string
	for _, e := range list {
		got = append(got, fmt.Sprint(e.Call.ID, " ", e.Phase))
	}
	if want := "[c1 settled c2 executing c3 pending]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func grants(t *testing.T, s Store) {
	e := entry("c1")
	_, _, err := s.Ledger.Begin(t.Context(), e, capability.Also{})
	must(t, err)
	g := capability.Grant{ID: "g1", Agent: "agent", Fingerprint: "fp", Capability: "test.do", Scope: "x", Duration: capability.Always,
		Effect: capability.Allow, Rules: map[string]string{"en": "do x", "zh-CN": "做 x"}, CreatedAt: start, LastUsedAt: start}
	must(t, s.Ledger.Advance(t.Context(), e.Call.Key(), capability.Pending, capability.Executing, capability.Result{}, start, capability.Also{Remember: &g}))
	got, err := s.Grants.Match(t.Context(), "agent", "test.do", "x")
	if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], g) {
		t.Fatalf("got %+v, %v; want %+v", got, err, g)
	}
	for _, q := range [][3]string{{"other", "test.do", "x"}, {"agent", "test.other", "x"}, {"agent", "test.do", "y"}} {
		if got, err := s.Grants.Match(t.Context(), capability.AgentID(q[0]), capability.Name(q[1]), q[2]); err != nil || len(got) != 0 {
			t.Errorf("%v matches %+v, %v", q, got, err)
		}
	}
	used := start.Add(time.Hour)
	_, _, err = s.Ledger.Begin(t.Context(), entry("c2"), capability.Also{UsedID: "g1", UsedAt: used})
	must(t, err)
	// A grant whose transition fails is not there.
	bad := g
	bad.ID, bad.Scope = "g2", "z"
	if err := s.Ledger.Advance(t.Context(), e.Call.Key(), capability.Pending, capability.Executing, capability.Result{}, start, capability.Also{Remember: &bad}); !errors.Is(err, capability.ErrConflict) {
		t.Fatal(err)
	}
	conv := g
	conv.ID, conv.Scope, conv.Duration, conv.Conversation = "g3", "y", capability.Conversation, "conv"
	must(t, s.Ledger.Advance(t.Context(), entry("c2").Call.Key(), capability.Pending, capability.Executing, capability.Result{}, start, capability.Also{Remember: &conv}))
	all, err := s.Grants.List(t.Context())
	if err != nil || len(all) != 2 {
		t.Fatalf("list: %+v, %v", all, err)
	}
	for _, x := range all {
		if x.ID == "g1" && !x.LastUsedAt.Equal(used) {
			t.Errorf("last used %v, want %v", x.LastUsedAt, used)
		}
	}
	must(t, s.Grants.ForgetConversation(t.Context(), "conv", start))
	if got, _ := s.Grants.List(t.Context()); len(got) != 1 || got[0].ID != "g1" {
		t.Errorf("after forgetting the conversation: %+v", got)
	}
	for i, want := range []bool{true, false} {
		if had, err := s.Grants.Revoke(t.Context(), "g1", rec("revoked")); err != nil || had != want {
			t.Errorf("revoke %d: %v, %v", i, had, err)
		}
	}
	if count(t, s, "revoked") != 1 {
		t.Error("the revocation is not in the log once")
	}
	must(t, s.Ledger.Advance(t.Context(), entry("c2").Call.Key(), capability.Executing, capability.Settled, capability.Result{Status: capability.Failed}, start, capability.Also{Remember: &g}))
	must(t, s.Grants.ForgetAgent(t.Context(), "agent", start))
	if got, _ := s.Grants.List(t.Context()); len(got) != 0 {
		t.Errorf("after forgetting the agent: %+v", got)
	}
}

func audit(t *testing.T, s Store) {
	if n, err := s.Audit.Verify(t.Context()); n != 0 || err != nil {
		t.Errorf("an empty log: %d, %v", n, err)
	}
	for i := range 5 {
		chain := capability.AgentID([]string{"", "a", "b"}[i%3])
		r, err := s.Audit.Append(t.Context(), capability.Record{Chain: chain, At: start.Add(time.Duration(i)*time.Second + 1234567), Event: fmt.Sprint("e", i), Summary: "字"})
		must(t, err)
		if r.Hash != r.Sum() || r.Row == 0 || r.Seq == 0 {
			t.Errorf("appended %+v", r)
		}
	}
	var rows []capability.Record
	must(t, s.Audit.Each(t.Context(), 0, func(r capability.Record) error { rows = append(rows, r); return nil }))
	if len(rows) != 7 { // two chains were opened
		t.Fatalf("%d rows, want 7", len(rows))
	}
	page, err := s.Audit.Page(t.Context(), 0, 3)
	must(t, err)
	if len(page) != 3 || !reflect.DeepEqual(page[0], rows[6]) || !reflect.DeepEqual(page[2], rows[4]) {
		t.Errorf("newest page: %+v", page)
	}
	if page, err = s.Audit.Page(t.Context(), rows[2].Row, 10); err != nil || len(page) != 2 || page[0].Row != rows[1].Row {
		t.Errorf("an older page: %+v, %v", page, err)
	}
	rows = nil
	must(t, s.Audit.Each(t.Context(), page[0].Row, func(r capability.Record) error { rows = append(rows, r); return nil }))
	if len(rows) != 5 {
		t.Errorf("%d rows after the second, want 5", len(rows))
	}
	if n, err := s.Audit.Verify(t.Context()); n != 7 || err != nil {
		t.Errorf("verify: %d, %v", n, err)
	}
}
