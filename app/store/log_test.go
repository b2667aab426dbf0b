package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"lineup/app/envelope"
)

func TestAppendGivesGrowingSeqsAndKeepsTheOrder(t *testing.T) {
	s := open(t)
	seed(t, s, "a", "c", "d")
	got := add(t, s, in("c", "1"), out("d", "1"), local("c", "2"), in("c", "3"))
	for i := 1; i < len(got); i++ {
		if got[i].Seq <= got[i-1].Seq {
			t.Fatalf("seqs do not grow: %v", got)
		}
	}
	if got := ids(whole(t, s, "c")); got != "in:1 local:2 in:3" {
		t.Errorf("c = %q", got)
	}
	if got := ids(whole(t, s, "d")); got != "out:1" {
		t.Errorf("d = %q", got)
	}
	c, _, err := s.Conversation(context.Background(), "c")
	must(t, err)
	if c.LastSeq != got[3].Seq {
		t.Errorf("LastSeq = %d, want %d", c.LastSeq, got[3].Seq)
	}
}

func TestAppendKnowsWhatItHas(t *testing.T) {
	s := open(t)
	seed(t, s, "a", "c", "d")
	first := add(t, s, in("c", "1"))[0]
	changed := in("c", "1")
	changed.Env = message("c", "1", "other words")
	got := add(t, s, changed, in("c", "2"), in("c", "2"), out("c", "1"), local("c", "1"), in("d", "1"))
	want := []bool{true, false, true, false, false, false}
	for i, e := range got {
		if e.Duplicate != want[i] {
			t.Errorf("entry %d: duplicate = %v, want %v", i, e.Duplicate, want[i])
		}
	}
	if got[0].Seq != first.Seq || got[2].Seq != got[1].Seq {
		t.Errorf("a duplicate has not the old seq: %v", got)
	}
	if got := ids(whole(t, s, "c")); got != "in:1 in:2 out:1 local:1" {
		t.Errorf("log = %q", got)
	}
	e, ok, err := s.Entry(context.Background(), "c", "1", In)
	must(t, err)
	if !ok || e.Seq != first.Seq || !reflect.DeepEqual(e.Env, first.Env) {
		t.Errorf("the first was replaced: %+v", e)
	}
	if _, ok, err := s.Entry(context.Background(), "c", "3", In); ok || err != nil {
		t.Errorf("an entry that is not there: %v, %v", ok, err)
	}
}

func TestAppendIsAllOrNothing(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c")
	nameless := in("c", "")
	dirless := in("c", "3")
	dirless.Dir = 7
	huge := in("c", "4")
	huge.Env = message("c", "4", strings.Repeat("x", envelope.MaxSize))
	for name, c := range map[string]struct {
		bad  Entry
		want error
	}{
		"unknown conversation": {in("nowhere", "2"), ErrNotFound},
		"no conversation":      {in("", "2"), ErrInvalid},
		"no id":                {nameless, ErrInvalid},
		"no direction":         {dirless, ErrInvalid},
		"too large":            {huge, ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := s.Append(ctx, []Entry{in("c", "1"), c.bad}); !errors.Is(err, c.want) {
				t.Errorf("err = %v, want %v", err, c.want)
			}
			if got := whole(t, s, "c"); len(got) != 0 {
				t.Errorf("stored %q", ids(got))
			}
		})
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Append(done, []Entry{in("c", "1")}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if got, err := s.Append(ctx, nil); len(got) != 0 || err != nil {
		t.Errorf("nothing: %v, %v", got, err)
	}
}

// The folds of a live and of a replayed conversation must see the same.
func TestALogReadsAsItWasWritten(t *testing.T) {
	s := open(t)
	seed(t, s, "a", "c")
	at := time.Date(2026, 8, 2, 12, 0, 0, 123456789, time.FixedZone("CST", 8*3600))
	full, bad := envelope.Decode([]byte(`{"v":1,"id":"m","type":"lineup.v1.message","conversation_id":"c",
		"sender":{"kind":"agent","id":"w"},"target":{"kind":"client","id":"desktop"},"created_at":"2026-08-02T12:00:00.5+08:00",
		"reply_to":"r","payload":{"text":"<b>& 你好 \u2028 \ud83d\ude00"},
		"trace":{"a":[1,2.50]},"ID":"x","Payload":{"text":"other"},"SENDER":null}`))
	if bad != nil {
		t.Fatal(bad)
	}
	got := add(t, s, Entry{Dir: In, At: at, Env: full}, Entry{Dir: Out, Env: message("c", "m", "no time")})
	read := whole(t, s, "c")
	for i := range read {
		a, b := got[i], read[i]
		if a.Seq != b.Seq || a.Dir != b.Dir || !a.At.Equal(b.At) || a.At.IsZero() != b.At.IsZero() {
			t.Errorf("entry %d: wrote %v, read %v", i, a, b)
		}
		x, errx := a.Env.Encode()
		y, erry := b.Env.Encode()
		if errx != nil || erry != nil || string(x) != string(y) {
			t.Errorf("envelope %d\nwrote %s\nread  %s", i, x, y)
		}
	}
	if e := read[0].Env; e.ID != "m" || e.Sender.ID != "w" || string(e.Extra["ID"]) != `"x"` || len(e.Extra) != 4 {
		t.Errorf("a field of the peer's own got into ours: %+v", e)
	}
}

func TestLogIsReadInPagesAndOnlyToItsEnd(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c")
	const n = 2*logPage + 1
	var batch []Entry
	for i := range n {
		batch = append(batch, in("c", fmt.Sprint(i)))
	}
	seqs := add(t, s, batch...)

	// The callback may use the store; what it appends is for the next reader.
	seen := 0
	must(t, s.Log(ctx, "c", 0, func(e Entry) error {
		if e.Env.ID != envelope.ID(fmt.Sprint(seen)) {
			return fmt.Errorf("entry %d is %s", seen, e.Env.ID)
		}
		seen++
		_, err := s.Append(ctx, []Entry{local("c", fmt.Sprint(e.Env.ID))})
		return err
	}))
	if seen != n {
		t.Errorf("saw %d of %d", seen, n)
	}

	var after []Entry
	must(t, s.Log(ctx, "c", seqs[n-2].Seq, func(e Entry) error { after = append(after, e); return nil }))
	if len(after) != n+1 || after[0].Seq != seqs[n-1].Seq {
		t.Errorf("after the last but one: %d entries", len(after))
	}
	stop := errors.New("enough")
	calls := 0
	if err := s.Log(ctx, "c", 0, func(Entry) error { calls++; return stop }); err != stop || calls != 1 {
		t.Errorf("err = %v after %d calls", err, calls)
	}
	must(t, s.Log(ctx, "nowhere", 0, func(Entry) error { t.Error("an entry from nowhere"); return nil }))
}

func TestManyAppendAtOnce(t *testing.T) {
	s := open(t)
	const writers, each = 8, 40
	var convs []envelope.ConversationID
	for w := range writers {
		convs = append(convs, envelope.ConversationID(fmt.Sprint("c", w)))
	}
	seed(t, s, "a", convs...)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				// Its own conversation, and one that all of them write the same ids to.
				_, err := s.Append(context.Background(), []Entry{out(convs[w], fmt.Sprint(i)), in("c0", fmt.Sprint(i))})
				if err != nil {
					t.Error(err)
					return
				}
				if err := s.Log(context.Background(), convs[w], 0, func(Entry) error { return nil }); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	seqs := map[int64]bool{}
	for w, c := range convs {
		n, next := 0, map[Direction]int{}
		for _, e := range whole(t, s, c) {
			if want := envelope.ID(fmt.Sprint(next[e.Dir])); e.Dir == Out && e.Env.ID != want {
				t.Errorf("%s: out entry %s, want %s", c, e.Env.ID, want)
			}
			next[e.Dir]++
			if seqs[e.Seq] {
				t.Errorf("seq %d twice", e.Seq)
			}
			seqs[e.Seq] = true
			n++
		}
		if want := map[bool]int{true: 2 * each, false: each}[w == 0]; n != want {
			t.Errorf("%s has %d entries, want %d", c, n, want)
		}
	}
	must(t, s.Check(context.Background()))
}

func TestASeqIsNeverGivenTwice(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c", "d")
	last := add(t, s, in("c", "1"), in("d", "1"))[1].Seq
	must(t, s.SetDeleted(ctx, "d", &t0))
	if n, err := s.PurgeDeleted(ctx, t0.Add(1)); n != 0 || err != nil {
		t.Fatalf("purged %d, %v: not older than a microsecond", n, err)
	}
	n, err := s.PurgeDeleted(ctx, t0.Add(time.Second))
	must(t, err)
	if got := add(t, s, in("c", "2"))[0].Seq; n != 1 || got <= last {
		t.Errorf("purged %d, then seq %d after %d", n, got, last)
	}
}

func TestALogEntryThatCannotBeReadIsNamed(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c")
	e := add(t, s, in("c", "1"))[0]
	_, err := s.db.Exec(`UPDATE log SET body = ?`, []byte(`{"v":`))
	must(t, err)
	err = s.Log(ctx, "c", 0, func(Entry) error { return nil })
	if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), fmt.Sprint("entry ", e.Seq)) {
		t.Errorf("err = %v", err)
	}
}

func FuzzStoredEnvelope(f *testing.F) {
	f.Add([]byte(`{"v":1,"id":"m","type":"lineup.v1.message","conversation_id":"c","sender":{"kind":"agent","id":"w"},"payload":{"text":"x"}}`))
	f.Add([]byte(`{"v":1,"id":"m","type":"lineup.v1.status","conversation_id":"c","sender":{"kind":"agent","id":"w"},"payload":{"text":"x"},"ID":"y","V":2,"x":null}`))
	f.Add([]byte(`{"v":1,"id":"m","type":"lineup.v1.x","conversation_id":"c","sender":{"kind":"agent","id":"w","ID":"y"},"created_at":"2026-08-02T12:00:00Z","payload":{"<":1e400}}`))
	f.Add([]byte(`{}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		decode(data, false) // whatever a damaged file holds: no panic
		decode(data, true)
		e, bad := envelope.Decode(data)
		if bad != nil {
			return
		}
		b, err := encode(e)
		if err != nil {
			t.Fatalf("an accepted envelope cannot be stored: %v", err)
		}
		got, err := decode(b, len(e.Extra) > 0)
		if err != nil {
			t.Fatalf("a stored envelope cannot be read: %v\n%s", err, b)
		}
		again, err := encode(got)
		if err != nil || string(again) != string(b) || got.ID != e.ID || got.Sender != e.Sender || !json.Valid(got.Payload) {
			t.Fatalf("stored %s\nread   %s (%v)", b, again, err)
		}
	})
}
