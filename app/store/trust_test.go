package store

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"lineup/capability"
)

func TestTrust(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lineup.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	trust := s.Trust([]byte("a key"))
	at := time.Date(2026, 8, 2, 12, 0, 0, 0, time.UTC)
	rec := func(chain capability.AgentID, event string) capability.Record {
		return capability.Record{Chain: chain, At: at, Event: event}
	}
	add := func(key, name string) bool {
		t.Helper()
		ok, err := trust.AddKey(t.Context(), PublisherKey{Key: key, Name: name, AddedAt: at}, rec("", "granted"))
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if !add("RWb", "Beta") || !add("RWa", "Alpha") || add("RWa", "Other") || add("RWc", "Beta") {
		t.Error("a key and a name are there once")
	}
	b := AllowedBundle{AgentID: "a1", Digest: "sha256-x", Fingerprint: "f", AppID: "a.b", Name: "N", AddedAt: at}
	for _, name := range []string{"N", "Newer"} {
		b.Name = name
		if err := trust.Allow(t.Context(), b, rec("a1", "granted")); err != nil {
			t.Fatal(err)
		}
	}
	other := b
	other.AgentID = "a2"
	if err := trust.Allow(t.Context(), other, rec("a2", "granted")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	if s, err = Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	trust = s.Trust([]byte("a key"))
	keys, err := trust.Keys(t.Context())
	if want := []PublisherKey{{"RWa", "Alpha", at}, {"RWb", "Beta", at}}; err != nil || !reflect.DeepEqual(keys, want) {
		t.Errorf("keys %v %v", keys, err)
	}
	allowed, err := trust.Allowed(t.Context())
	if want := []AllowedBundle{b, other}; err != nil || !reflect.DeepEqual(allowed, want) {
		t.Errorf("allowed %v %v", allowed, err)
	}
	for _, c := range []struct {
		what string
		do   func() (bool, error)
		want bool
	}{
		{"a key", func() (bool, error) { return trust.RemoveKey(t.Context(), "RWa", rec("", "grant_revoked")) }, true},
		{"it again", func() (bool, error) { return trust.RemoveKey(t.Context(), "RWa", rec("", "grant_revoked")) }, false},
		{"another's", func() (bool, error) {
			return trust.Disallow(t.Context(), "a3", "sha256-x", rec("a3", "grant_revoked"))
		}, false},
		{"its own", func() (bool, error) {
			return trust.Disallow(t.Context(), "a1", "sha256-x", rec("a1", "grant_revoked"))
		}, true},
	} {
		if got, err := c.do(); err != nil || got != c.want {
			t.Errorf("%s: %v %v", c.what, got, err)
		}
	}
	if err := trust.ForgetAgent(t.Context(), "a2", rec("a2", "grant_revoked")); err != nil {
		t.Error(err)
	}
	if err := trust.ForgetAgent(t.Context(), "a2", rec("a2", "grant_revoked")); err != nil {
		t.Error(err)
	}
	if allowed, err = trust.Allowed(t.Context()); err != nil || len(allowed) != 0 {
		t.Errorf("left %v %v", allowed, err)
	}
	// What changed something is in the audit log, and what did not is not.
	records, err := s.Audit([]byte("a key")).Page(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, r := range records {
		count[string(r.Chain)+" "+r.Event]++
	}
	want := map[string]int{" granted": 2, " grant_revoked": 1, " chain_opened": 2, "a1 granted": 2, "a1 grant_revoked": 1, "a2 granted": 1, "a2 grant_revoked": 1}
	if !reflect.DeepEqual(count, want) {
		t.Errorf("audit %v, want %v", count, want)
	}
}
