package store

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
)

func TestRevisionsGrowAndAreNeverReused(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "lineup.db")
	s, err := Open(ctx, path)
	must(t, err)
	last := int64(0)
	step := func(agent, content string, wantChanged bool) int64 {
		t.Helper()
		n, changed, err := s.NextRevision(ctx, agent, []byte(content))
		must(t, err)
		if changed != wantChanged || changed && n <= last {
			t.Errorf("%s %q: %d after %d, changed %v", agent, content, n, last, changed)
		}
		last = max(last, n)
		return n
	}
	a1 := step("a", "one", true)
	if step("a", "one", false) != a1 {
		t.Error("the same content has another number")
	}
	step("b", "one", true) // another agent, another number
	step("a", "two", true)
	step("a", "one", true) // as it was before is still a change
	b := step("b", "", true)
	must(t, s.Close())

	s = openAt(t, path)
	if step("b", "", false) != b {
		t.Error("a restart changed the number")
	}
	_, err = s.db.Exec(`DELETE FROM revision`) // even with the rows gone
	must(t, err)
	step("c", "x", true)
}

func TestRevisionsOfManyAtOnceDiffer(t *testing.T) {
	s := open(t)
	var mu sync.Mutex
	seen := map[int64]bool{}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			n, _, err := s.NextRevision(context.Background(), string(rune('a'+i)), nil)
			mu.Lock()
			defer mu.Unlock()
			if err != nil || seen[n] {
				t.Errorf("%d again, or %v", n, err)
			}
			seen[n] = true
		})
	}
	wg.Wait()
}

func TestKnownNamesAreNeverForgotten(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	must(t, s.RememberKnown(ctx, "a", "capability", "app.open_url", "clipboard.write"))
	must(t, s.RememberKnown(ctx, "a", "capability", "app.open_url"))
	must(t, s.RememberKnown(ctx, "a", "capability"))
	for _, c := range []struct {
		agent, kind, name string
		want              bool
	}{
		{"a", "capability", "app.open_url", true},
		{"a", "capability", "clipboard.write", true},
		{"a", "capability", "CLIPBOARD.write", false},
		{"a", "app", "app.open_url", false},
		{"b", "capability", "app.open_url", false},
	} {
		got, err := s.EverKnown(ctx, c.agent, c.kind, c.name)
		must(t, err)
		if got != c.want {
			t.Errorf("%v: %v", c, got)
		}
	}
}
