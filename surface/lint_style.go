package surface

import (
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// lintStyle looks for what a style sheet would load: addresses and imports.
func lintStyle(src string, p place) {
	l := css.NewLexer(parse.NewInputString(src))
	at, rule := 0, "" // rule: the at-rule that we are in the head of
	images := 0       // depth within image-set( )
	for {
		kind, text := l.Next()
		if kind == css.ErrorToken {
			return
		}
		switch kind {
		case css.AtKeywordToken:
			rule = strings.ToLower(string(text))
			if rule == "@import" {
				p.add(LintWarning, "css_import", at, string(text))
			}
		case css.SemicolonToken, css.LeftBraceToken, css.RightBraceToken:
			rule, images = "", 0
		case css.URLToken, css.BadURLToken:
			if u := cssURL(string(text)); rule == "" && !loadable(u) {
				p.add(LintWarning, "external_url", at, u)
			}
		case css.FunctionToken:
			name := strings.ToLower(string(text))
			switch {
			case images > 0:
				images++
			case name == "image-set(" || name == "-webkit-image-set(" || name == "src(":
				images = 1
			}
		case css.LeftParenthesisToken:
			if images > 0 {
				images++
			}
		case css.RightParenthesisToken:
			images = max(0, images-1)
		case css.StringToken:
			// type("image/png") within image-set is one level deeper.
			if u := strings.Trim(string(text), `"'`); images == 1 && !loadable(u) {
				p.add(LintWarning, "external_url", at, u)
			}
		}
		at += len(text)
	}
}

// cssURL is what stands between the parentheses of url( ).
func cssURL(token string) string {
	_, u, _ := strings.Cut(token, "(")
	u = strings.TrimSpace(strings.TrimSuffix(u, ")"))
	return strings.Trim(u, `"'`)
}
