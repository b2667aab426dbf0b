package markdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// FuzzStream streams a text in pieces of some size: at each point the blocks are
// clean, a reader that follows has the same ones, and in the end they are those of the one-shot render.
func FuzzStream(f *testing.F) {
	for _, text := range corpus(f) {
		f.Add(text, uint8(5))
	}
	for i, text := range attacks(f) {
		f.Add(text, uint8(i))
	}
	for _, text := range []string{
		"[a]: /u\n    text\n\nnext", "para\n    | a |\n|---|\n| b |", "- a\n*\n*b*\n", "[b]\n\n> [b]: https://e.com\n\n[b]",
		"1. a\n\n\n   b\n2) c", "```\na\n``\n````\nb", "a\n===\n\n---\n[x]:\nhttps://e.com\n'title\n", "\t- a\n\n\t\tb\n", "* * *\n*a*\n",
		"[x]: https://e.com\n===\n", "> a\nb\n> ---\n", "<div>\n\n*a*\n</div>\n", "| a |\n| - |\n\n| b |", "a\\\n\\", "&am", "**a `b**c", "text\n\n```go\ncode\n```\n\n```", "[a][b\n\n[b]: https://e.com",
	} {
		f.Add(text, uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, step uint8) {
		if len(text) > 4<<10 {
			t.Skip("slow, and no different")
		}
		n := int(step%16) + 1
		d := New(Options{})
		var page []string
		var rev int64
		for i := 0; i < len(text); i += n {
			d.Append(text[i:min(i+n, len(text))])
			if i/n%3 == 0 || len(text) < 64 {
				from, blocks, now := d.BlocksSince(rev)
				page, rev = append(page[:from:from], blocks...), now
				if !slices.Equal(page, d.Blocks()) {
					t.Fatalf("at %d the reader has\n%q, not\n%q", i, page, d.Blocks())
				}
				for k, b := range blocks {
					checkBlock(t, fmt.Sprintf("at %d block %d", i, from+k), b)
				}
			}
		}
		d.End(nil)
		if d.broken {
			t.Fatal("the parser failed")
		}
		from, blocks, _ := d.BlocksSince(rev)
		page = append(page[:from:from], blocks...)
		if !slices.Equal(page, d.Blocks()) {
			t.Fatalf("the reader ends with\n%q, not\n%q", page, d.Blocks())
		}
		if want := Render(text); !slices.Equal(page, want) {
			t.Fatalf("streamed\n%q\none-shot\n%q", page, want)
		}
		Plain(text)
		checkBlock(t, "highlight", Highlight(strings.TrimSpace(text[:min(10, len(text))]), text))
	})
}
