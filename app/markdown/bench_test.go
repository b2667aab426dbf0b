package markdown

import (
	"strings"
	"testing"
)

// long is about a megabyte of each kind of block.
var long = map[string]string{
	"chat":      "", // filled below from the corpus
	"fence":     "```go\n" + strings.Repeat("\tx := f(1, \"two\") // three\n", 39_000) + "```\n",
	"list":      strings.Repeat("- an item with **bold** and `code` in it\n", 25_000),
	"table":     "| a | b |\n|---|---|\n" + strings.Repeat("| cell **one** | `two` |\n", 41_000),
	"paragraph": strings.Repeat("plain words with *some* emphasis and a little `code`, ", 19_000),
}

func chat(t testing.TB, size int) string {
	var b strings.Builder
	for b.Len() < size {
		for _, name := range []string{"kitchen.md", "reply.md"} {
			b.WriteString(corpus(t)[name] + "\n\n")
		}
	}
	return b.String()[:size]
}

// BenchmarkAppend is the cost of one delta of 40 bytes, with the page asking for
// what changed, early in a message and in a megabyte: ns/op should be about the same.
func BenchmarkAppend(b *testing.B) {
	for name, text := range long {
		if name == "chat" {
			text = chat(b, MaxText)
		}
		for at, label := range map[int]string{16 << 10: "16KiB", 900 << 10: "900KiB"} {
			b.Run(name+"/"+label, func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					d := New(Options{})
					d.Append(text[:at])
					_, _, rev := d.BlocksSince(0)
					b.StartTimer()
					for i := range 100 {
						d.Append(text[at+40*i : at+40*i+40])
						_, _, rev = d.BlocksSince(rev)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/delta")
			})
		}
	}
}

func BenchmarkRender(b *testing.B) {
	text := chat(b, 64<<10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Render(text)
	}
}

// TestLongMessageStaysCheap streams long messages in small deltas. If the work of a
// delta grew with the message this would take most of an hour.
func TestLongMessageStaysCheap(t *testing.T) {
	for name, text := range long {
		if name == "chat" {
			text = chat(t, MaxText)
		}
		text = text[:300<<10]
		d := New(Options{})
		for i := 0; i < len(text); i += 40 {
			d.Append(text[i:min(i+40, len(text))])
		}
		d.End(nil)
		if len(d.Blocks()) == 0 || d.Truncated() {
			t.Errorf("%s: not rendered", name)
		}
	}
}
