package markdown

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// allowed is written down a second time, independent of the policy: what a
// browser may find in a block.
var allowed = map[string]string{
	"p": "dir", "h1": "dir", "h2": "dir", "h3": "dir", "h4": "dir", "h5": "dir", "h6": "dir", "blockquote": "dir",
	"ul": "dir", "ol": "dir start", "li": "dir", "pre": "class data-lang dir", "code": "class", "em": "", "strong": "", "del": "",
	"br": "", "hr": "", "table": "", "thead": "", "tbody": "", "tr": "", "th": "align dir", "td": "align dir",
	"span": "class data-src data-host", "input": "type checked disabled", "a": "href rel data-href", "html": "", "head": "", "body": "",
}

// checkBlock parses a block as a browser does and reports what must not be there.
func checkBlock(t *testing.T, what, block string) {
	t.Helper()
	if !utf8.ValidString(block) || strings.ContainsRune(block, utf8.RuneError) {
		t.Errorf("%s: broken text in %q", what, block)
	}
	root, err := html.Parse(strings.NewReader(block))
	if err != nil {
		t.Fatal(err)
	}
	// By hand: a recursion would be as deep as the block.
	stack := []*html.Node{root}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			stack = append(stack, c)
		}
		if n.Type == html.CommentNode {
			t.Errorf("%s: a comment in %q", what, block)
		}
		if n.Type != html.ElementNode {
			continue
		}
		attributes, ok := allowed[n.Data]
		if !ok {
			t.Errorf("%s: <%s> in %.300q", what, n.Data, block)
		}
		for _, a := range n.Attr {
			if !strings.Contains(" "+attributes+" ", " "+a.Key+" ") {
				t.Errorf("%s: <%s %s=%q> in %.300q", what, n.Data, a.Key, a.Val, block)
			}
			if a.Key == "href" || a.Key == "data-href" || a.Key == "data-src" {
				u, err := url.Parse(a.Val)
				if err != nil || (u.Scheme != "http" && u.Scheme != "https" && (u.Scheme != "mailto" || a.Key == "data-src")) || u.User != nil {
					t.Errorf("%s: %s=%q", what, a.Key, a.Val)
				}
			}
		}
		if n.Data == "a" {
			if get(n, "href") != get(n, "data-href") || get(n, "rel") != "noopener noreferrer nofollow" {
				t.Errorf("%s: link %v", what, n.Attr)
			}
		}
	}
}

func get(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func attacks(t testing.TB) []string {
	t.Helper()
	b, err := os.ReadFile("testdata/attacks.txt")
	if err != nil {
		t.Fatal(err)
	}
	// One a paragraph of its own between lines of %%, because some have line ends.
	list := strings.Split(string(b), "\n%%\n")
	if len(list) < 60 {
		t.Fatalf("only %d attacks", len(list))
	}
	return list
}

func TestAttacksGetNothing(t *testing.T) {
	for _, attack := range attacks(t) {
		// By itself, and where an attack hides: in a title, cell, item, quote, code, link text.
		for _, form := range []string{"%s", "# %s", "- %s", "> %s", "| %s |\n|---|\n| %[1]s |\n", "`%s`", "```%s\n%[1]s\n```", "[%s](https://e.com)", "[x](%s)", "![%s](%[1]s)", "<%s>", "[a]: %s\n\n[a] ![a]"} {
			text := fmt.Sprintf(form, attack)
			for i, b := range Render(text) {
				checkBlock(t, fmt.Sprintf("%q block %d", text, i), b)
			}
		}
		d := New(Options{})
		for i := range len(attack) {
			d.Append(attack[i : i+1])
			for _, b := range d.Blocks() {
				checkBlock(t, fmt.Sprintf("%q up to %d", attack, i), b)
			}
		}
		checkBlock(t, "highlight "+attack, Highlight(attack, attack))
		checkBlock(t, "highlight html "+attack, Highlight("html", attack))
	}
}

// TestHTMLIsShownAsText: it is neither rendered nor hidden.
func TestHTMLIsShownAsText(t *testing.T) {
	for _, text := range []string{"a <b>bold</b> c", "<div>\nx\n</div>", "<!-- note -->", "<script>alert(1)</script>", "<?php x ?>", "<img src=x onerror=alert(1)>"} {
		if got := strings.TrimSpace(shown(t, strings.Join(Render(text), ""))); got != text {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

func TestLinks(t *testing.T) {
	const marker = `<span class="link-host">`
	for _, c := range []struct {
		text   string
		href   string // "" = refused
		marked string
	}{
		{"[docs](https://example.com/a?b=1)", "https://example.com/a?b=1", ""},
		{"[example.com](https://example.com)", "https://example.com", ""},
		{"[www.example.com](https://example.com)", "https://example.com", ""},
		{"[Example.COM/path](https://example.com/x)", "https://example.com/x", ""},
		{"[v1.2 of node.js](https://example.com)", "https://example.com", ""},
		{"[google.com](https://evil.example.net)", "https://evil.example.net", "evil.example.net"},
		{"[https://google.com/](https://google.com.evil.example.net)", "https://google.com.evil.example.net", "google.com.evil.example.net"},
		{"[**google**.com](https://evil.example.net)", "https://evil.example.net", "evil.example.net"},
		{"[goo\u200bgle.com](https://evil.example.net)", "https://evil.example.net", "evil.example.net"},
		{"[ｇｏｏｇｌｅ．ｃｏｍ](https://evil.example.net)", "https://evil.example.net", "evil.example.net"},
		{"[google。com](https://evil.example.net)", "https://evil.example.net", "evil.example.net"},
		{"[google&#46;com](https://evil.example.net)", "https://evil.example.net", "evil.example.net"},
		{"[me@bank.com](mailto:thief@evil.example.net)", "mailto:thief@evil.example.net", "evil.example.net"},
		{"[here](https://аpple.com)", "https://xn--pple-43d.com", "xn--pple-43d.com"},
		{"<https://example.com>", "https://example.com", ""},
		{"https://example.com/x", "https://example.com/x", ""},
		{"www.example.com", "http://www.example.com", ""},
		{"someone@example.com", "mailto:someone@example.com", ""},
		{"[x](https://example.com:8443/)", "https://example.com:8443/", ""},
		{"[x](http://[::1]:80/)", "http://[::1]:80/", ""},
		{"[x](HTTPS://EXAMPLE.com/A)", "https://example.com/A", ""},
		{"[x](javascript:alert(1))", "", ""},
		{"[x](JaVaScRiPt&#58;alert(1))", "", ""},
		{"[x](data:text/html;base64,xx)", "", ""},
		{"[x](file:///etc/passwd)", "", ""},
		{"[x](smb://host/share)", "", ""},
		{"[x](/local)", "", ""},
		{"[x](#anchor)", "", ""},
		{"[x](//example.com)", "", ""},
		{"[x](https://google.com@evil.example.net/)", "", ""},
		{"[x](https://)", "", ""},
		{"[x](https:example.com)", "", ""},
		{"[x](<https://example.com/\u202egnp.exe>)", "", ""},
		{"ftp://example.com/x", "", ""},
	} {
		got := strings.Join(Render(c.text), "")
		if c.href == "" {
			if strings.Contains(got, "<a ") {
				t.Errorf("%q: a link: %s", c.text, got)
			}
			continue
		}
		if !strings.Contains(got, `href="`+html.EscapeString(c.href)+`" rel=`) {
			t.Errorf("%q: no link to %s: %s", c.text, c.href, got)
		}
		if (c.marked == "") == strings.Contains(got, marker) || !strings.Contains(got, c.marked) {
			t.Errorf("%q: marked %q expected: %s", c.text, c.marked, got)
		}
	}
}

func TestImagesAreNotLoaded(t *testing.T) {
	got := strings.Join(Render("![a *cat*](https://img.example.net/c.png \"t\") ![b](data:image/png;base64,AA) ![c](x.png)"), "")
	want := `<p dir="auto"><span class="img-placeholder" data-src="https://img.example.net/c.png" data-host="img.example.net">a cat</span> ` +
		`<span class="img-placeholder">b</span> <span class="img-placeholder">c</span></p>`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestPathologicalTextIsCheap: a megabyte made to be slow must not take the host with it.
// The bound tells slow from hanging; figures are in the benchmarks.
func TestPathologicalTextIsCheap(t *testing.T) {
	const n = 200 << 10
	fill := func(s string) string { return strings.Repeat(s, n/len(s)) }
	for name, text := range map[string]string{
		"quotes":          fill(">"),
		"quotes spaced":   fill("> "),
		"lists":           fill("- "),
		"numbers":         fill("1. "),
		"nested items":    nestedItems(600),
		"brackets":        fill("["),
		"brackets closed": fill("[") + fill("]"),
		"link ends":       fill("]("),
		"links":           fill("[a]("),
		"images":          fill("!["),
		"stars":           fill("*a **a "),
		"star run":        fill("*"),
		"underscores":     fill("_a __a "),
		"tildes":          fill("~~a "),
		"ticks":           ticks(700),
		"angle":           fill("<a "),
		"angles":          fill("<"),
		"html open":       fill("<!--"),
		"entities":        fill("&#1;&"),
		"backslashes":     fill("\\"),
		"wide table":      "|" + strings.Repeat("a|", 4000) + "\n|" + strings.Repeat("-|", 4000) + "\n" + strings.Repeat("|\n", 4000),
		"definitions":     definitions(4000),
		"uses of one":     "[a]: https://e.com\n\n" + fill("[a] "),
		"urls":            fill("http://a.b "),
		"long url":        "http://a.b/" + fill("("),
		"www":             fill("www."),
		"mails":           fill("a@"),
		"no ends":         fill("a"),
		"blank lines":     fill("\n"),
		"rules":           fill("---\n"),
		"tabs":            fill("\t"),
		"host words":      "[" + strings.Repeat("a.", n/2) + "com](https://e.com)",
	} {
		begin := time.Now()
		for _, b := range Render(text) {
			if strings.Count(b, "<blockquote")+strings.Count(b, "<ul")+strings.Count(b, "<ol") > 1000 {
				t.Errorf("%s: nested beyond what a page can draw", name)
			}
		}
		d := New(Options{})
		for i := 0; i < len(text); i += n / 50 {
			d.Append(text[i:min(i+n/50, len(text))])
		}
		d.End(nil)
		took := time.Since(begin)
		t.Logf("%-16s %v", name, took.Round(time.Millisecond))
		if took > 60*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func nestedItems(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", 2*i) + "- a\n")
	}
	return b.String()
}

func ticks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("`", i) + "a")
	}
	return b.String()
}

func definitions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[x%d] text\n\n[x%d]: https://e.com/%d\n\n", n-i, i, i)
	}
	return b.String()
}
