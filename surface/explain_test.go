package surface

import (
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		message string
		want    Violation
	}{
		{"connect-src stopped https://api.example.com/", Violation{"network", "connect-src", "https://api.example.com/"}},
		{"img-src stopped https://example.com/a b.png", Violation{"external_url", "img-src", "https://example.com/a b.png"}},
		{"font-src stopped https://fonts.example.com", Violation{"font_url", "font-src", "https://fonts.example.com"}},
		{"script-src-elem stopped https://cdn.example.com/x.js", Violation{"script_src", "script-src-elem", "https://cdn.example.com/x.js"}},
		{"style-src-elem stopped https://cdn.example.com/x.css", Violation{"stylesheet_link", "style-src-elem", "https://cdn.example.com/x.css"}},
		{"script-src stopped eval", Violation{"eval", "script-src", "eval"}},
		{"script-src stopped wasm-eval", Violation{"wasm", "script-src", "wasm-eval"}},
		{"worker-src stopped blob", Violation{"worker", "worker-src", "blob"}},
		{"frame-src stopped https://example.com", Violation{"embedded", "frame-src", "https://example.com"}},
		{"form-action stopped https://example.com", Violation{"form", "form-action", "https://example.com"}},
		{"base-uri stopped https://example.com", Violation{"base", "base-uri", "https://example.com"}},
		{"new-src stopped https://example.com", Violation{"blocked", "new-src", "https://example.com"}},
		{"<b>anything</b>", Violation{"blocked", "", "<b>anything</b>"}},
		{"", Violation{Code: "blocked"}},
	} {
		if got := Explain(c.message); got != c.want {
			t.Errorf("Explain(%q) = %+v, want %+v", c.message, got, c.want)
		}
	}
}

// Each cause has words in both languages, and they name what was stopped or say
// enough without.
func TestExplainWords(t *testing.T) {
	codes := map[string]bool{"blocked": true, "eval": true, "wasm": true}
	for _, code := range violationCodes {
		codes[code] = true
	}
	for code := range codes {
		f := Violation{Code: code, Blocked: "https://example.com/x"}.Finding()
		en, enFix := f.Words("en")
		zh, zhFix := f.Words("zh-CN")
		if en == code || en == zh || enFix == "" || enFix == zhFix {
			t.Errorf("%s: %q %q, %q %q", code, en, enFix, zh, zhFix)
		}
	}
}

// Each directive of the policy that can stop something has a cause of its own.
func TestExplainKnowsThePolicy(t *testing.T) {
	for _, p := range policy {
		directive, _, _ := strings.Cut(p, " ")
		if directive == "default-src" || directive == "sandbox" { // reported under another name, or not at all
			continue
		}
		if v := Explain(directive + " stopped https://example.com"); v.Code == "blocked" {
			t.Errorf("%s has no explanation", directive)
		}
	}
}

func FuzzExplain(f *testing.F) {
	f.Add("img-src stopped x")
	f.Fuzz(func(t *testing.T, message string) {
		v := Explain(message)
		if v.Code == "" || len(v.Directive)+len(v.Blocked) > len(message) {
			t.Errorf("Explain(%q) = %+v", message, v)
		}
	})
}
