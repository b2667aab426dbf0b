package store

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"lineup/app/envelope"
)

// body is an envelope of about 1 kB.
func body(conv envelope.ConversationID, id string, dir Direction) Entry {
	return Entry{Dir: dir, At: t0, Env: message(conv, id, strings.Repeat("some words ", 75))}
}

func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{1, 16, 256} {
		b.Run(fmt.Sprint("batch=", size), func(b *testing.B) {
			s := open(b)
			seed(b, s, "a", "c")
			n := 0
			for b.Loop() {
				batch := make([]Entry, size)
				for i := range batch {
					batch[i] = body("c", fmt.Sprint(n), In)
					n++
				}
				add(b, s, batch...)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/entry")
		})
	}
}

// filled is a store with n entries of 1 kB in one conversation.
func filled(b *testing.B, n int, dir Direction) *Store {
	s := open(b)
	seed(b, s, "a", "c")
	for i := 0; i < n; {
		var batch []Entry
		for ; i < n && len(batch) < 500; i++ {
			batch = append(batch, body("c", fmt.Sprint(i), dir))
		}
		add(b, s, batch...)
	}
	return s
}

func BenchmarkReplay10000(b *testing.B) {
	s := filled(b, 10_000, In)
	for b.Loop() {
		n := 0
		must(b, s.Log(context.Background(), "c", 0, func(Entry) error { n++; return nil }))
		if n != 10_000 {
			b.Fatal(n)
		}
	}
}

// What a link asks when it is woken: nothing, or one new entry, after 10,000 sent
// ones, with bounds for 300 conversations.
func BenchmarkPendingNothing(b *testing.B) {
	ctx := context.Background()
	s := filled(b, 10_000, Out)
	c, _, err := s.Conversation(ctx, "c")
	must(b, err)
	must(b, s.MarkSent(ctx, "c", c.LastSeq))
	from := bounds{"c": c.LastSeq}
	for i := range 300 {
		id := envelope.ConversationID(fmt.Sprint("other", i))
		seed(b, s, "a", id)
		from[id] = 0
	}
	for b.Loop() {
		got, err := s.Pending(ctx, "a", from, c.LastSeq, 64)
		if err != nil || len(got) != 0 {
			b.Fatal(len(got), err)
		}
	}
}

// The whole queue of 10,000 entries in pages of 64.
func BenchmarkPendingAll10000(b *testing.B) {
	ctx := context.Background()
	s := filled(b, 10_000, Out)
	for b.Loop() {
		n := 0
		for after := int64(0); ; {
			page, err := s.Pending(ctx, "a", nil, after, 64)
			must(b, err)
			if len(page) == 0 {
				break
			}
			n, after = n+len(page), page[len(page)-1].Seq
		}
		if n != 10_000 {
			b.Fatal(n)
		}
	}
}

func BenchmarkSearch100000(b *testing.B) {
	ctx := context.Background()
	s := open(b)
	seed(b, s, "a", "c")
	nouns := strings.Fields("rain 天气 surface button agent 下雨 window 文件 message umbrella 伞 clipboard")
	t, err := s.db.Begin()
	must(b, err)
	for i := range 100_000 {
		text := fmt.Sprint("message ", i, " about ", nouns[i%len(nouns)], strings.Repeat(" and more words of it", 8), " 结束 ", i*7919%100_003)
		must(b, index(ctx, t, "c", fmt.Sprint("m", i), text, toDB(t0.Add(time.Duration(i)*time.Second))))
	}
	must(b, t.Commit())
	for name, q := range map[string]string{"rare": "41287", "common": "message", "chinese3": "结束 1", "chinese2": "下雨", "short-absent": "龘", "absent": "zzzzz"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Search(ctx, q, 50); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkIndexText(b *testing.B) {
	for _, kb := range []int{1, 256} {
		b.Run(fmt.Sprint(kb, "kB"), func(b *testing.B) {
			s := open(b)
			seed(b, s, "a", "c")
			n := 0
			for b.Loop() {
				n++
				must(b, s.IndexText(context.Background(), "c", fmt.Sprint(n), strings.Repeat(fmt.Sprint("word", n%977, " "), kb*128), t0))
			}
		})
	}
}
