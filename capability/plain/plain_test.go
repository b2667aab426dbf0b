package plain

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestShow(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		escaped        bool
		length         int
	}{
		{"empty", "", "", false, 0},
		{"plain", "Open the docs", "Open the docs", false, 13},
		{"chinese", "打开部署文档，供你核对。", "打开部署文档，供你核对。", false, 12},
		{"wide blank", "一\u3000二", "一\u3000二", false, 3},
		{"arabic", "افتح الصفحة", "افتح الصفحة", false, 11},
		{"bidi override", "a\u202Egnp.exe", "a⟨U+202E⟩gnp.exe", true, 9},
		{"isolates", "\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩", true, 3},
		{"zero width", "pay\u200Bpal", "pay⟨U+200B⟩pal", true, 7},
		{"joiner in letters", "a\u200Db", "a⟨U+200D⟩b", true, 3},
		{"byte order mark", "\uFEFFx", "⟨U+FEFF⟩x", true, 2},
		{"soft hyphen", "a\u00ADb", "a⟨U+00AD⟩b", true, 3},
		{"no-break space", "a\u00A0b", "a⟨U+00A0⟩b", true, 3},
		{"line separator", "a\u2028b", "a⟨U+2028⟩b", true, 3},
		{"nul and escape", "\x00\x1b[2J", "⟨U+0000⟩⟨U+001B⟩[2J", true, 5},
		{"tags", "a\U000E0041", "a⟨U+E0041⟩", true, 2},
		{"private use", "\uE000", "⟨U+E000⟩", true, 1},
		{"hangul filler", "a\u3164b", "a⟨U+3164⟩b", true, 3},
		{"braille blank", "a\u2800b", "a⟨U+2800⟩b", true, 3},
		{"selector on a letter", "a\uFE0Fb", "a⟨U+FE0F⟩b", true, 3},
		{"line break", "a\nb", "a⏎\nb", false, 3},
		{"CR LF", "a\r\nb", "a␍⏎\nb", false, 4},
		{"lone CR", "a\rb", "a⟨U+000D⟩b", true, 3},
		{"tab", "a\tb", "a⇥b", false, 3},
		{"four blanks", "a    b", "a    b", false, 6},
		{"many blanks", "a" + strings.Repeat(" ", 300) + "b", "a␣×300b", false, 302},
		{"many breaks", "a\n\n\n\n\n\nb", "a⏎×6\nb", false, 8},
		{"many CR LF", strings.Repeat("\r\n", 5), "␍⏎×5\n", false, 10},
		{"emoji family", "👨‍👩‍👧‍👦 ❤️ 👍🏽", "👨‍👩‍👧‍👦 ❤️ 👍🏽", false, 13},
		{"accent", "e\u0301", "e\u0301", false, 2},
		{"accent on nothing", "\u0301x", "⟨U+0301⟩x", true, 2},
		{"accent on a blank", "a \u0301", "a ⟨U+0301⟩", true, 3},
		{"zalgo", "e\u0301\u0301\u0301\u0301\u0301", "e\u0301\u0301\u0301\u0301⟨U+0301⟩", true, 6},
		{"broken UTF-8", "a\xffb", "a⟨0xFF⟩b", true, 3},
		{"low broken byte", "\xc3(", "⟨0xC3⟩(", true, 2},
		{"forged escape", "⟨U+202E⟩", "⟨U+27E8⟩U+202E⟩", true, 8},
		{"forged break", "a⏎b␣×9⇥", "a⟨U+23CE⟩b⟨U+2423⟩×9⟨U+21E5⟩", true, 7},
		{"real replacement character", "\uFFFD", "\uFFFD", false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, escaped, length := Show(c.in)
			if text != c.want || escaped != c.escaped || length != c.length {
				t.Errorf("Show(%+q)\n got %+q %v %d\nwant %+q %v %d", c.in, text, escaped, length, c.want, c.escaped, c.length)
			}
		})
	}
}

// Sixty thousand characters are shown whole and quickly.
func TestShowLong(t *testing.T) {
	in := strings.Repeat("字", 60_000)
	if text, escaped, n := Show(in); text != in || escaped || n != 60_000 {
		t.Errorf("got %d characters, escaped %v", n, escaped)
	}
}

func FuzzShow(f *testing.F) {
	for _, s := range []string{"a", "\u202E", "👨‍👩‍👧", "a     b", "\r\n\r", "\xff\xfe", "e\u0301\u0301\u0301\u0301\u0301\u0301", "⟨U+0000⟩", "\u200D❤\uFE0F\u200D"} {
		f.Add(s, "x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		text, escaped, n := Show(a)
		if !utf8.ValidString(text) {
			t.Fatalf("Show(%q) is not UTF-8", a)
		}
		if n != utf8.RuneCountInString(a) {
			t.Fatalf("length %d of %q", n, a)
		}
		for _, r := range text {
			if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) && r != '\n' && r != 0x200D {
				t.Fatalf("Show(%q) lets %U through", a, r)
			}
		}
		if !escaped && strings.Contains(text, "⟨") {
			t.Fatalf("Show(%q) escaped and did not say so", a)
		}
		if other, _, _ := Show(b); a != b && text == other {
			t.Fatalf("%q and %q look the same: %q", a, b, text)
		}
	})
}
