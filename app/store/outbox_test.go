package store

import (
	"context"
	"fmt"
	"testing"

	"lineup/app/envelope"
)

type bounds = map[envelope.ConversationID]int64

func pending(t *testing.T, s *Store, agent string, from bounds, after int64, limit int) []Entry {
	t.Helper()
	got, err := s.Pending(context.Background(), agent, from, after, limit)
	must(t, err)
	return got
}

func queued(t *testing.T, s *Store, agent string) int {
	t.Helper()
	n, err := s.CountQueued(context.Background(), agent)
	must(t, err)
	return n
}

func TestPendingIsWhatTheAgentLacksInOrder(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c", "d")
	seed(t, s, "b", "x")
	e := add(t, s, out("c", "1"), out("d", "1"), in("c", "1"), local("c", "2"), out("x", "1"), out("c", "2"), out("d", "2"), out("c", "3"))
	if got := ids(pending(t, s, "a", nil, 0, 10)); got != "out:1 out:1 out:2 out:2 out:3" {
		t.Errorf("all: %q", got)
	}
	must(t, s.MarkSent(ctx, "c", e[5].Seq)) // c: 1 and 2
	for name, c := range map[string]struct {
		from  bounds
		after int64
		want  []int64
	}{
		"unsent":                           {nil, 0, []int64{e[1].Seq, e[6].Seq, e[7].Seq}},
		"unsent after":                     {nil, e[1].Seq, []int64{e[6].Seq, e[7].Seq}},
		"c again from its start":           {bounds{"c": 0}, 0, []int64{e[0].Seq, e[1].Seq, e[5].Seq, e[6].Seq, e[7].Seq}},
		"c again after its first":          {bounds{"c": e[0].Seq}, 0, []int64{e[1].Seq, e[5].Seq, e[6].Seq, e[7].Seq}},
		"d was processed":                  {bounds{"d": e[6].Seq}, 0, []int64{e[7].Seq}},
		"a bound beyond the end":           {bounds{"c": 1 << 60, "d": 1 << 60}, 0, nil},
		"another agent's is not given":     {bounds{"x": 0, "nowhere": 0, "c": e[7].Seq}, 0, []int64{e[1].Seq, e[6].Seq}},
		"an own bound does not beat after": {bounds{"c": 0}, e[6].Seq, []int64{e[7].Seq}},
	} {
		t.Run(name, func(t *testing.T) {
			got := pending(t, s, "a", c.from, c.after, 10)
			seqs := []int64(nil)
			for _, g := range got {
				seqs = append(seqs, g.Seq)
			}
			if fmt.Sprint(seqs) != fmt.Sprint(c.want) {
				t.Errorf("got %v, want %v", seqs, c.want)
			}
			// The same, page by page.
			var paged []int64
			for after := c.after; ; {
				page := pending(t, s, "a", c.from, after, 2)
				if len(page) == 0 {
					break
				}
				for _, g := range page {
					paged, after = append(paged, g.Seq), g.Seq
				}
			}
			if fmt.Sprint(paged) != fmt.Sprint(c.want) {
				t.Errorf("in pages %v, want %v", paged, c.want)
			}
		})
	}
	box, err := s.Outbox(ctx, "a", e[0].Seq, 3)
	must(t, err)
	if got := ids(box); got != "out:1 out:2 out:2" {
		t.Errorf("outbox: %q", got)
	}
}

func TestWatermarksNeverGoBack(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c", "d")
	e := add(t, s, out("c", "1"), out("c", "2"), in("c", "9"), out("c", "3"))
	if n := queued(t, s, "a"); n != 3 {
		t.Errorf("queued %d, want 3", n)
	}
	must(t, s.MarkSent(ctx, "c", e[1].Seq))
	must(t, s.MarkSent(ctx, "c", e[0].Seq))
	if n := queued(t, s, "a"); n != 1 {
		t.Errorf("queued %d after two were sent, want 1", n)
	}
	processed := func(id envelope.ID, wantSeq int64, wantKnown bool) {
		t.Helper()
		seq, known, err := s.MarkProcessed(ctx, "c", id)
		if seq != wantSeq || known != wantKnown || err != nil {
			t.Errorf("processed %s: %d, %v, %v, want %d, %v", id, seq, known, err, wantSeq, wantKnown)
		}
	}
	processed("2", e[1].Seq, true)
	processed("1", e[0].Seq, true) // an agent that lost its memory gets 2 again, but what it had is known
	processed("9", 0, false)       // an id of its own
	processed("never", 0, false)
	processed("3", e[3].Seq, true) // more than we thought was sent: it was
	marks, err := s.Watermarks(ctx, "a")
	must(t, err)
	want := []Watermark{{"d", 0, 0}, {"c", e[3].Seq, e[3].Seq}}
	if fmt.Sprint(marks) != fmt.Sprint(want) {
		t.Errorf("watermarks %v, want %v", marks, want)
	}
	if n := queued(t, s, "a"); n != 0 {
		t.Errorf("queued %d at the end", n)
	}
	if err := s.MarkSent(ctx, "nowhere", 1); err == nil {
		t.Error("marked what is not there")
	}
	if _, known, err := s.MarkProcessed(ctx, "nowhere", "1"); known || err != nil {
		t.Errorf("processed nowhere: %v, %v", known, err)
	}
}

// What the user queued and deleted stays here; an undo loses nothing and keeps
// the order.
func TestADeletedConversationHoldsWhatWasNotSent(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c")
	add(t, s, out("c", "typed offline"))
	must(t, s.SetDeleted(ctx, "c", &t0))
	add(t, s, out("c", "settled"))
	later := t0.Add(1e9)
	must(t, s.SetDeleted(ctx, "c", &later)) // deleting again changes nothing about it
	box, err := s.Outbox(ctx, "a", 0, 10)
	must(t, err)
	if got := append(pending(t, s, "a", bounds{"c": 0}, 0, 10), append(pending(t, s, "a", nil, 0, 10), box...)...); len(got) != 0 {
		t.Errorf("goes out: %q", ids(got))
	}
	if n := queued(t, s, "a"); n != 0 {
		t.Errorf("%d count as queued", n)
	}
	must(t, s.SetDeleted(ctx, "c", nil))
	if got := ids(pending(t, s, "a", nil, 0, 10)); got != "out:typed offline out:settled" {
		t.Errorf("after undo: %q", got)
	}
}

// A conversation that was deleted with nothing waiting can still settle what was
// open, so that an agent does not wait for ever.
func TestADeletedConversationStillSettles(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c")
	e := add(t, s, out("c", "sent"))
	must(t, s.MarkSent(ctx, "c", e[0].Seq))
	must(t, s.SetDeleted(ctx, "c", &t0))
	add(t, s, out("c", "cancelled"))
	later := t0.Add(1e9)
	must(t, s.SetDeleted(ctx, "c", &later)) // a second click holds back nothing
	if got := ids(pending(t, s, "a", nil, 0, 10)); got != "out:cancelled" {
		t.Errorf("pending: %q", got)
	}
	if n := queued(t, s, "a"); n != 1 {
		t.Errorf("queued %d", n)
	}
}

func TestResumePointsNameTheLastWeHave(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c", "quiet", "gone")
	seed(t, s, "b", "x")
	add(t, s, in("c", "1"), in("c", "2"), out("c", "3"), local("c", "4"), out("quiet", "1"), in("gone", "1"), in("x", "7"))
	add(t, s, in("c", "1")) // comes again: is not the last
	add(t, s, out("c", "5"))
	add(t, s, local("c", "6"))
	if n := queued(t, s, "a"); n != 3 {
		t.Errorf("queued %d, want 3", n)
	}
	must(t, s.SetDeleted(ctx, "gone", &t0))
	got, err := s.ResumePoints(ctx, "a")
	must(t, err)
	if fmt.Sprint(got) != fmt.Sprint([]envelope.ResumePoint{{ConversationID: "c", LastID: "2"}}) {
		t.Errorf("points: %v", got)
	}
	var convs []envelope.ConversationID
	var batch []Entry
	for i := range resumePoints + 50 {
		c := envelope.ConversationID(fmt.Sprint("m", i))
		convs = append(convs, c)
		batch = append(batch, in(c, "1"))
	}
	seed(t, s, "m", convs...)
	add(t, s, batch...)
	got, err = s.ResumePoints(ctx, "m")
	must(t, err)
	if len(got) != resumePoints || got[0].ConversationID != string(convs[len(convs)-1]) {
		t.Errorf("%d points, first %v", len(got), got[0])
	}
}
