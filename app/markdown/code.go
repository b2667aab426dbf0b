package markdown

import (
	"regexp"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/styles"
)

const (
	classPrefix = "hl-"
	closeCode   = "</code></pre>"
)

var langPattern = regexp.MustCompile(`^[a-z0-9+#._-]{1,32}$`)

// openCode starts a code block. The language is a label, so it is plain ASCII or left out.
func openCode(lang string) string {
	lang = strings.ToLower(lang)
	if !langPattern.MatchString(lang) {
		return `<pre class="code" dir="ltr"><code class="hl">`
	}
	return `<pre class="code" data-lang="` + lang + `" dir="ltr"><code class="hl">`
}

// Highlight is a sanitised code block, with classes "hl-…" (see CSS) where the
// language is known and the text is at most 32 KiB. lang is as after a fence.
func Highlight(lang, text string) string {
	text = normalise(text)
	colours := &budget{codeTime}
	return sanitise([]byte(openCode(lang) + colours.tokens(lang, text) + closeCode))
}

// CSS is the style sheet for highlighted code: the light colours for
// everything and, where the root has data-theme="dark", the dark ones. It is made into a file of the
// page when the page is built; colours of background and plain text are the page's own.
func CSS(light, dark bool) string {
	var b strings.Builder
	if light {
		writeStyle(&b, "", styles.Get("github"))
	}
	if dark {
		writeStyle(&b, `:root[data-theme="dark"] `, styles.Get("github-dark"))
	}
	return b.String()
}

func writeStyle(b *strings.Builder, scope string, style *chroma.Style) {
	for _, t := range chroma.TokenTypeValues() {
		class := chroma.StandardTypes[t]
		if class == "" || t <= 0 {
			continue
		}
		e := style.Get(t)
		var rules []string
		if e.Colour.IsSet() {
			rules = append(rules, "color: "+e.Colour.String())
		}
		if e.Bold == chroma.Yes {
			rules = append(rules, "font-weight: 600")
		}
		if e.Italic == chroma.Yes {
			rules = append(rules, "font-style: italic")
		}
		if len(rules) > 0 {
			b.WriteString(scope + ".hl ." + classPrefix + class + " { " + strings.Join(rules, "; ") + "; }\n")
		}
	}
}
