package preview

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestPoll: where the system tells nothing, saves are seen all the same.
func TestPoll(t *testing.T) {
	f := folder(t)
	f.save("bundle.json", "{}")
	for _, path := range []string{f.dir, filepath.Join(f.dir, "bundle.json")} {
		s, err := Find(path)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		told := make(chan struct{}, 10)
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.poll(ctx, func() { told <- struct{}{} })
		}()
		next := func(what string) {
			t.Helper()
			select {
			case <-told:
			case <-time.After(patience):
				t.Fatalf("%s: %s was not seen", s.Kind, what)
			}
		}
		next("the beginning")
		before := s.stamp()
		f.save("bundle.json", `{"a":1}`)
		if s.stamp() == before {
			t.Fatalf("%s: a save leaves no mark", s.Kind)
		}
		next("a save")
		if err := os.Remove(filepath.Join(f.dir, "bundle.json")); err != nil {
			t.Fatal(err)
		}
		next("that it went")
		f.save("bundle.json", "{}")
		next("that it came back")
		stop()
		<-done
	}
}
