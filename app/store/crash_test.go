package store

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"lineup/app/envelope"
)

// helper re-runs this test binary as another process that runs only the test
// named and finds what to do in its environment.
func helper(t *testing.T, test string, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^"+test+"$", "-test.count=1")
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	return cmd
}

const (
	crashPath = "LINEUP_TEST_CRASH_PATH"
	crashFrom = "LINEUP_TEST_CRASH_FROM"
)

// TestCrashWriter is the process that TestKilledAtAnyPoint kills: it appends
// batches without end and prints each entry after Append returned.
func TestCrashWriter(t *testing.T) {
	path := os.Getenv(crashPath)
	if path == "" {
		t.Skip("runs only as the helper of TestKilledAtAnyPoint")
	}
	from, err := strconv.Atoi(os.Getenv(crashFrom))
	must(t, err)
	s, err := Open(context.Background(), path)
	must(t, err)
	for i := from; ; {
		var batch []Entry
		for range 1 + i%5 {
			batch = append(batch, out("c", fmt.Sprint(i)))
			i++
		}
		// Each batch carries its size, so that half of one can be told.
		for j := range batch {
			batch[j].Env = message("c", string(batch[j].Env.ID), fmt.Sprint(len(batch), " ", j))
		}
		for _, e := range add(t, s, batch...) {
			fmt.Println("ack", e.Env.ID, e.Seq)
		}
	}
}

func TestKilledAtAnyPoint(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "lineup.db")
	s, err := Open(ctx, path)
	must(t, err)
	seed(t, s, "a", "c")
	must(t, s.Close())
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	random := rand.New(rand.NewPCG(1, 2))
	acked := map[envelope.ID]int64{}
	next := 0
	for round := range rounds {
		// Start a little before the end: what is sent again must not be doubled.
		cmd := helper(t, "TestCrashWriter", crashPath+"="+path, fmt.Sprint(crashFrom, "=", max(next-7, 0)))
		pipe, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		lines := bufio.NewScanner(pipe)
		for left := 1 + random.IntN(120); lines.Scan(); {
			var id envelope.ID
			var seq int64
			if n, _ := fmt.Sscanf(lines.Text(), "ack %s %d", &id, &seq); n != 2 {
				t.Fatalf("helper said %q", lines.Text())
			}
			if old, ok := acked[id]; ok && old != seq {
				t.Errorf("%s was %d and is %d", id, old, seq)
			}
			acked[id] = seq
			if left--; left == 0 {
				must(t, cmd.Process.Kill()) // and go on reading what it still said
			}
		}
		cmd.Wait()

		s, err := Open(ctx, path)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		must(t, s.Check(ctx))
		got := map[envelope.ID]int64{}
		size, part := 0, 0 // of the batch that is being read
		for _, e := range whole(t, s, "c") {
			if _, twice := got[e.Env.ID]; twice {
				t.Errorf("round %d: %s is there twice", round, e.Env.ID)
			}
			got[e.Env.ID] = e.Seq
			m, err := envelope.Payload[envelope.Message](e.Env)
			must(t, err)
			var n, j int
			_, err = fmt.Sscan(m.Text, &n, &j)
			must(t, err)
			if part != size && (n != size || j != part) {
				t.Errorf("round %d: a batch of %d ends after %d", round, size, part)
			}
			size, part = n, j+1
		}
		if part != size {
			t.Errorf("round %d: the last batch of %d ends after %d", round, size, part)
		}
		for id, seq := range acked {
			if got[id] != seq {
				t.Errorf("round %d: %s was acknowledged as %d and is %d", round, id, seq, got[id])
			}
		}
		if n, err := s.CountQueued(ctx, "a"); err != nil || n != len(got) {
			t.Errorf("round %d: %d queued of %d, %v", round, n, len(got), err)
		}
		next = len(got)
		must(t, s.Close())
	}
	t.Logf("%d acknowledged, %d stored, %d kills", len(acked), next, rounds)
}
