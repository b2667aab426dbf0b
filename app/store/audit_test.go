package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"lineup/capability"
)

// fill writes an audit log of two agents and the host and returns its file.
func fill(t testing.TB, key []byte, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.tx(t.Context(), func(tx *sql.Tx) error {
		for i := range n {
			chain := capability.AgentID([]string{"", "alpha", "beta"}[i%3])
			r := capability.Record{Chain: chain, At: time.UnixMilli(int64(i)), Event: "executed", Call: capability.CallID(fmt.Sprint("c", i)), Capability: "test.do"}
			if _, err := appendAudit(t.Context(), tx, key, r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// tamper does to the file what someone with an SQLite shell could.
func tamper(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn(path, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range append([]string{`DROP TRIGGER audit_append_only_update`, `DROP TRIGGER audit_append_only_delete`}, statements...) {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

func verify(t *testing.T, path string, key []byte) error {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, err = s.Audit(key).Verify(t.Context())
	return err
}

// Rows in the order written: 1 host 1; 2 host 2 (opens alpha), 3 alpha 1; 4 host 3
// (opens beta), 5 beta 1; 6 host 4; 7 alpha 2; 8 beta 2; 9 host 5; … 14 beta 4.
func TestVerifyNamesTheFirstBadEntry(t *testing.T) {
	for name, c := range map[string]struct {
		do    []string
		chain capability.AgentID
		seq   int64
		why   string
	}{
		"an event":               {[]string{`UPDATE audit SET event = 'denied' WHERE n = 7`}, "alpha", 2, "changed"},
		"a summary":              {[]string{`UPDATE audit SET summary = 'x' WHERE n = 5`}, "beta", 1, "changed"},
		"a time":                 {[]string{`UPDATE audit SET at = at + 1 WHERE n = 8`}, "beta", 2, "changed"},
		"a conversation":         {[]string{`UPDATE audit SET conv = 'other' WHERE n = 7`}, "alpha", 2, "changed"},
		"moved between fields":   {[]string{`UPDATE audit SET decision = 'x', code = '' WHERE n = 7`}, "alpha", 2, "changed"},
		"two, the first counts":  {[]string{`UPDATE audit SET event = 'x' WHERE n IN (7, 12)`}, "alpha", 2, "changed"},
		"one in the middle gone": {[]string{`DELETE FROM audit WHERE n = 7`}, "alpha", 2, "missing"},
		"the first gone":         {[]string{`DELETE FROM audit WHERE n = 3`}, "alpha", 1, "missing"},
		"the newest gone":        {[]string{`DELETE FROM audit WHERE n = 14`}, "beta", 4, "cut_off"},
		"the newest three gone":  {[]string{`DELETE FROM audit WHERE n > 11`}, "", 6, "cut_off"},
		"cut off, head put back": {[]string{`DELETE FROM audit WHERE n = 14`,
			`UPDATE audit_head SET seq = 3, hash = (SELECT hash FROM audit WHERE chain = 'beta' AND seq = 3) WHERE chain = 'beta'`}, "beta", 3, "head_forged"},
		"head gone":        {[]string{`DELETE FROM audit_head WHERE chain = 'alpha'`}, "alpha", 4, "head_missing"},
		"a chain gone":     {[]string{`DELETE FROM audit WHERE chain = 'beta'`, `DELETE FROM audit_head WHERE chain = 'beta'`}, "beta", 1, "chain_missing"},
		"only its rows":    {[]string{`DELETE FROM audit WHERE chain = 'beta'`}, "beta", 1, "cut_off"},
		"the host's chain": {[]string{`DELETE FROM audit WHERE chain = ''`, `DELETE FROM audit_head WHERE chain = ''`}, "", 1, "chain_missing"},
		"everything":       {[]string{`DELETE FROM audit`}, "", 1, "cut_off"},
		"swapped order":    {[]string{`UPDATE audit SET n = 100 WHERE n = 7`}, "alpha", 2, "missing"},
		"a chain renamed":  {[]string{`UPDATE audit SET chain = 'gamma' WHERE chain = 'beta'`, `UPDATE audit_head SET chain = 'gamma' WHERE chain = 'beta'`}, "gamma", 1, "changed"},
		"a row put in twice": {[]string{`INSERT INTO audit SELECT 50, chain, seq + 10, at, event, call_id, conv, capability, decision, code, summary, prev, hash
			FROM audit WHERE n = 14`}, "beta", 5, "missing"},
		"head of another chain": {[]string{`UPDATE audit_head SET mac = (SELECT mac FROM audit_head WHERE chain = 'beta') WHERE chain = 'alpha'`}, "alpha", 4, "head_forged"},
	} {
		t.Run(name, func(t *testing.T) {
			key := []byte("a key")
			path := fill(t, key, 12)
			if err := verify(t, path, key); err != nil {
				t.Fatalf("before: %v", err)
			}
			tamper(t, path, c.do...)
			var bad *capability.BadRecord
			if err := verify(t, path, key); !errors.As(err, &bad) {
				t.Fatalf("not noticed: %v", err)
			}
			if *bad != (capability.BadRecord{Chain: c.chain, Seq: c.seq, Why: c.why}) {
				t.Errorf("named %+v, want entry %d of %q: %s", *bad, c.seq, c.chain, c.why)
			}
		})
	}
}

// Someone who rewrites a whole chain, hashes and all, lacks the key.
func TestVerifyNeedsTheKey(t *testing.T) {
	path := fill(t, []byte("the attacker's key"), 12)
	var bad *capability.BadRecord
	if err := verify(t, path, []byte("our key")); !errors.As(err, &bad) || bad.Why != "head_forged" {
		t.Errorf("got %v", err)
	}
}

func TestAuditIsAppendOnlyForUs(t *testing.T) {
	s, c := capabilityStore(t)
	if _, err := c.Audit.Append(t.Context(), capability.Record{Event: "e"}); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{`UPDATE audit SET event = 'x'`, `DELETE FROM audit`} {
		if _, err := s.db.ExecContext(t.Context(), q); err == nil {
			t.Errorf("%s went through", q)
		}
	}
}

func BenchmarkAuditVerify(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			key := []byte("a key")
			s, err := Open(b.Context(), fill(b, key, n))
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			a := s.Audit(key)
			b.Run("verify", func(b *testing.B) {
				for b.Loop() {
					if _, err := a.Verify(context.Background()); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("page", func(b *testing.B) {
				for b.Loop() {
					if _, err := a.Page(context.Background(), int64(n/2), 100); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
