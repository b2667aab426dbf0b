package markdown

import (
	"strings"
	"testing"
	"time"
)

func TestHighlight(t *testing.T) {
	got := Highlight("go", "func f() {} // <b>\n")
	for _, want := range []string{`<pre class="code" data-lang="go" dir="ltr"><code class="hl">`, `<span class="hl-kd">func</span>`, "&lt;b&gt;"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	for name, c := range map[string][2]string{
		"unknown language": {"no-such-language", "func f() {}"},
		"none":             {"", "func f() {}"},
		"not on the list":  {"brainfuck", "+++"},
		"too large":        {"go", strings.Repeat("func f() {}\n", maxHighlight/12+1)},
	} {
		if got := Highlight(c[0], c[1]); strings.Contains(got, "hl-") || shownCode(t, got) != c[1] {
			t.Errorf("%s: %.200s", name, got)
		}
	}
}

func shownCode(t *testing.T, block string) string {
	t.Helper()
	return shown(t, strings.NewReplacer("<pre", "<p", "</pre", "</p", "<code", "<span", "</code", "</span").Replace(block))
}

// TestCodeIsNeverChanged: colours or not, what is copied is what was sent.
func TestCodeIsNeverChanged(t *testing.T) {
	for lang := range languages {
		for _, code := range []string{"a\tb  c\n", "\"'`</code>&amp;\n\n\n", "x", "\u202e é 中\n", "{{{(((\n\\\n#"} {
			if got := shownCode(t, Highlight(strings.ToLower(lang), code)); got != code {
				t.Errorf("%s: %q became %q", lang, code, got)
			}
		}
	}
}

// TestColoursHaveABudget: text that makes lexers slow costs a message two seconds in all.
func TestColoursHaveABudget(t *testing.T) {
	d := New(Options{})
	begin := time.Now()
	for i := range 40 {
		d.Append("```c\n" + strings.Repeat("\n", 8<<10+i) + "x\n```\n\n")
	}
	d.End(nil)
	if d.colours.left > docTime-codeTime {
		t.Skip("this text is no longer slow")
	}
	if len(d.Blocks()) != 40 {
		t.Errorf("%d blocks", len(d.Blocks()))
	}
	if took := time.Since(begin); took > 60*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestHighlightWhenTheFenceCloses(t *testing.T) {
	d := New(Options{})
	d.Append("```go\nfunc f() {}\n")
	if got := strings.Join(d.Blocks(), ""); strings.Contains(got, "hl-") {
		t.Errorf("coloured while open: %s", got)
	}
	d.Append("```\n")
	if got := strings.Join(d.Blocks(), ""); !strings.Contains(got, "hl-kd") {
		t.Errorf("not coloured when closed: %s", got)
	}
	plain := New(Options{PlainCode: true})
	plain.Append("```go\nfunc f() {}\n```\n")
	if got := strings.Join(plain.Blocks(), ""); strings.Contains(got, "hl-") {
		t.Errorf("coloured against the option: %s", got)
	}
}

func TestCSS(t *testing.T) {
	light, dark, both := CSS(true, false), CSS(false, true), CSS(true, true)
	if both != light+dark || CSS(false, false) != "" || strings.Contains(light, "data-theme") {
		t.Error("the parts are not the whole")
	}
	for _, line := range strings.Split(strings.TrimSpace(dark), "\n") {
		if !strings.HasPrefix(line, `:root[data-theme="dark"] .hl .hl-`) {
			t.Errorf("dark rule %q", line)
		}
	}
	if !strings.Contains(light, ".hl .hl-k {") {
		t.Error("no rule for keywords")
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"# A *b* `c`":                             "A b c",
		"- one\n- [x] two\n\n> three":             "one\ntwo\nthree",
		"| a | **b** |\n|---|---|\n| 1 | 2 |":     "a\tb\n1\t2",
		"```go\nx := 1\n```":                      "x := 1",
		"[link](https://e.com) ![img](x) &amp; é": "link img & é",
		"<b>x</b>":            "<b>x</b>",
		"a\\*b":               "a*b",
		"two\nlines":          "two\nlines",
		"":                    "",
		"bad \xff\ufffdbytes": "bad bytes",
	} {
		if got := Plain(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
