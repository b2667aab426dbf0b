package markdown

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"
)

func corpus(t testing.TB) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, name := range []string{"kitchen.md", "reply.md"} {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(b)
	}
	return texts
}

// shown is what a reader sees of a block outside code.
func shown(t testing.TB, block string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(block))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode && (n.Data == "code" || n.Data == "pre") {
			return
		}
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return b.String()
}

// TestEveryPrefixIsQuiet streams each text byte by byte: no prefix shows a mark that
// the whole text does not, and no block is shown as two.
func TestEveryPrefixIsQuiet(t *testing.T) {
	stray := regexp.MustCompile("[*`]|~~|\\*\\*|__|\\]\\(")
	for name, text := range corpus(t) {
		whole := strings.Join(Render(text), "\n")
		d := New(Options{})
		for i := range len(text) {
			d.Append(text[i : i+1])
			blocks := d.Blocks()
			all := strings.Join(blocks, "\n")
			if !utf8.ValidString(all) || strings.ContainsRune(all, utf8.RuneError) {
				t.Fatalf("%s at %d: broken text", name, i)
			}
			for _, tag := range []string{"<table", "<pre", "<blockquote", "<h1", "<h2", "<hr"} {
				if strings.Count(all, tag) > strings.Count(whole, tag) {
					t.Errorf("%s at %d: more %s> than in the whole", name, i, tag)
				}
			}
			// The literal * of the reply stands in its last paragraph.
			if s := shown(t, blocks0(blocks)); stray.MatchString(strings.NewReplacer("a*b", "", "a*", "", "2 * 3", "", "2 *", "").Replace(s)) {
				t.Errorf("%s at %d, after %q: stray marks in %q", name, i, text[max(0, i-20):i+1], s)
			}
		}
		d.End(nil)
		if got := strings.Join(d.Blocks(), "\n"); got != whole {
			t.Errorf("%s: the streamed text ends as\n%s\nthe one-shot render is\n%s", name, got, whole)
		}
	}
}

func blocks0(blocks []string) string {
	if len(blocks) == 0 {
		return ""
	}
	return blocks[len(blocks)-1]
}

// TestReaderFollowing plays a page that keeps its blocks and takes only what changed.
func TestReaderFollowing(t *testing.T) {
	for name, text := range corpus(t) {
		for _, step := range []int{1, 3, 7, 64} {
			d := New(Options{})
			var page []string
			var rev int64
			follow := func() {
				from, blocks, now := d.BlocksSince(rev)
				if from > len(page) {
					t.Fatalf("%s: told to keep %d of %d blocks", name, from, len(page))
				}
				if now == rev && len(blocks) > 0 {
					t.Fatalf("%s: blocks without a new revision", name)
				}
				page, rev = append(page[:from:from], blocks...), now
			}
			for i := 0; i < len(text); i += step {
				d.Append(text[i:min(i+step, len(text))])
				if i%2 == 0 {
					follow()
					if !slices.Equal(page, d.Blocks()) {
						t.Fatalf("%s at %d: the page differs", name, i)
					}
				}
			}
			d.End(nil)
			follow()
			if !slices.Equal(page, Render(text)) {
				t.Errorf("%s step %d: the page ends different from the one-shot render", name, step)
			}
		}
	}
}

// TestBlocksAreTheWhole compares with rendering the text in one piece, without our cutting.
func TestBlocksAreTheWhole(t *testing.T) {
	for name, text := range corpus(t) {
		d := New(Options{})
		var want []string
		for n := d.parse([]byte(text)).FirstChild(); n != nil; n = n.NextSibling() {
			if !isDefinition(n) {
				want = append(want, d.html(n, []byte(text)))
			}
		}
		if got := Render(text); !slices.Equal(got, want) {
			t.Errorf("%s: got\n%q\nwant\n%q", name, got, want)
		}
	}
}

func TestFinishedBlocksStay(t *testing.T) {
	for name, text := range corpus(t) {
		d := New(Options{})
		for i := range len(text) {
			d.Append(text[i : i+1])
		}
		// Only a late reference may touch a block that was finished.
		before := len(d.blocks)
		if before < 3 {
			t.Fatalf("%s: only %d finished blocks", name, before)
		}
		d.Append("\n\nmore *text* here")
		if d.ChangedFrom() < before-1 {
			t.Errorf("%s: block %d of %d changed", name, d.ChangedFrom(), before)
		}
	}
}

func TestLateReferenceCompletesEarlierBlocks(t *testing.T) {
	d := New(Options{})
	d.Append("see [the docs]\n\nother\n\n")
	_, _, rev := d.BlocksSince(0)
	d.Append("[the docs]: https://example.com/\n\nnext\n\nlast")
	from, blocks, _ := d.BlocksSince(rev)
	if from != 0 || !strings.Contains(blocks[0], `href="https://example.com/"`) {
		t.Errorf("from %d: %q", from, blocks)
	}
}

func TestEndWithWholeText(t *testing.T) {
	d := New(Options{})
	d.Append("one\n\ntwo")
	_, _, rev := d.BlocksSince(0)
	whole := "one\n\ntwo and a half\n\nthree"
	d.End(&whole)
	from, blocks, _ := d.BlocksSince(rev)
	if from != 1 || len(blocks) != 2 || !slices.Equal(d.Blocks(), Render(whole)) {
		t.Errorf("from %d: %q", from, blocks)
	}
	d.Append("late")
	d.End(nil)
	if !slices.Equal(d.Blocks(), Render(whole)) {
		t.Error("changed after the end")
	}

	short := ""
	d = New(Options{})
	d.Append("one\n\ntwo")
	_, _, rev = d.BlocksSince(0)
	d.End(&short)
	if from, blocks, now := d.BlocksSince(rev); from != 0 || len(blocks) != 0 || now == rev {
		t.Errorf("emptied: from %d %q rev %d→%d", from, blocks, rev, now)
	}
}

func TestBrokenBytesAreNeverShown(t *testing.T) {
	for _, text := range []string{"a\xffb", "\xf0\x9f\x98", "x\xc3", "\xed\xa0\xbd\xed\xb8\x80", "\ufffd", "a\x00b", "\xe4\xb8"} {
		d := New(Options{})
		for i := range len(text) {
			d.Append(text[i : i+1])
			if s := strings.Join(d.Blocks(), ""); !utf8.ValidString(s) || strings.Contains(s, "\ufffd") {
				t.Errorf("%q at %d: %q", text, i, s)
			}
		}
		d.End(nil)
		if s := strings.Join(d.Blocks(), ""); !utf8.ValidString(s) || strings.Contains(s, "\ufffd") {
			t.Errorf("%q: %q", text, s)
		}
	}
	d := New(Options{})
	for _, b := range []byte("👩‍👩‍👧 ok\r\nline") {
		d.Append(string([]byte{b}))
	}
	d.End(nil)
	if got := d.Text(); got != "👩‍👩‍👧 ok\nline" {
		t.Errorf("%q", got)
	}
}

func TestLongMessageIsCutAtTheLimit(t *testing.T) {
	d := New(Options{})
	for range 20 {
		d.Append(strings.Repeat("word 中文\n\n", MaxText/200))
	}
	if !d.Truncated() || len(d.Text()) > MaxText || len(d.Text()) < MaxText-4 {
		t.Errorf("truncated %v at %d", d.Truncated(), len(d.Text()))
	}
}

// TestLongBlockIsShownInTime: a long open block is not rendered for each delta, but is soon.
func TestLongBlockIsShownInTime(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	d := New(Options{})
	d.now = func() time.Time { now = now.Add(5 * time.Millisecond); return now } // a rendering takes 5 ms
	d.Append(strings.Repeat("- item\n", 3000))
	d.Append("- first")
	if strings.Contains(strings.Join(d.Blocks(), ""), "first") {
		t.Error("rendered at once")
	}
	now = now.Add(lazyRest * 5 * time.Millisecond)
	d.Append("- second")
	if !strings.Contains(strings.Join(d.Blocks(), ""), "second") {
		t.Error("not rendered after a while")
	}
	d.Append("- third")
	d.End(nil)
	if !strings.Contains(strings.Join(d.Blocks(), ""), "third") {
		t.Error("not rendered at the end")
	}
}

func TestParserThatFailsLeavesTheText(t *testing.T) {
	d := New(Options{})
	d.Append("one\n\ntwo")
	_, _, rev := d.BlocksSince(0)
	d.users = nil // makes the next finished block with a label panic
	d.Append(" [x]\n\n<b>three</b>\n\nfour")
	d.Append(" five")
	d.End(nil)
	from, blocks, _ := d.BlocksSince(rev)
	if from != 0 || len(blocks) != 1 || !strings.Contains(blocks[0], "two [x]") || !strings.Contains(blocks[0], "&lt;b&gt;three") || !strings.Contains(blocks[0], "four five") {
		t.Errorf("from %d: %q", from, blocks)
	}
}
