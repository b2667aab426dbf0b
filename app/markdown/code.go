package markdown

import (
	"html"
	"regexp"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
)

// maxHighlight is the size up to which code is highlighted: the lexers are
// regular expressions written for people's files, not for hostile megabytes.
const maxHighlight = 32 << 10

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
	return sanitise([]byte(openCode(lang) + tokens(lang, text) + closeCode))
}

// tokens is the escaped code with a span around each token.
func tokens(lang, code string) (out string) {
	lang = strings.ToLower(lang)
	if len(code) > maxHighlight || !langPattern.MatchString(lang) {
		return html.EscapeString(code)
	}
	lexer := lexers.Get(lang)
	if lexer == nil {
		return html.EscapeString(code)
	}
	// A lexer that trips over hostile code must not take a message with it.
	defer func() {
		if recover() != nil {
			out = html.EscapeString(code)
		}
	}()
	list, err := chroma.Tokenise(chroma.Coalesce(lexer), &chroma.TokeniseOptions{State: "root"}, code)
	if err != nil {
		return html.EscapeString(code)
	}
	var b, plain strings.Builder
	for _, t := range list {
		plain.WriteString(t.Value)
		class := tokenClass(t.Type)
		if class == "" {
			b.WriteString(html.EscapeString(t.Value))
			continue
		}
		b.WriteString(`<span class="` + classPrefix + class + `">` + html.EscapeString(t.Value) + `</span>`)
	}
	if plain.String() != code {
		return html.EscapeString(code) // a lexer that changes the text is of no use
	}
	return b.String()
}

func tokenClass(t chroma.TokenType) string {
	for ; t != 0; t = t.Parent() {
		if c, ok := chroma.StandardTypes[t]; ok && c != "" {
			return c
		}
		if t == t.Parent() {
			break
		}
	}
	return ""
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
