package surface

import (
	"errors"
	"io"
	"regexp"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// sentEvent is a LineUpSurface.event("name", …) in a script.
type sentEvent struct {
	name  string
	place place
	at    int
}

// lintScript looks at a classic script.
func lintScript(src string, p place) (usesBridge bool, sent []sentEvent) {
	return lintJavaScript(src, p, js.Options{})
}

// lintHandler looks at the code of an event handler attribute.
func lintHandler(src string, p place) (usesBridge bool, sent []sentEvent) {
	return lintJavaScript(src, p, js.Options{Inline: true})
}

func lintJavaScript(src string, p place, o js.Options) (usesBridge bool, sent []sentEvent) {
	if strings.TrimSpace(src) == "" {
		return false, nil
	}
	ast, err := js.Parse(parse.NewInputString(src), o)
	if err != nil && !strings.Contains(err.Error(), "legacy octal") { // allowed in a classic script
		line, column, message := syntaxError(err)
		p.add(LintError, "js_syntax", offsetOf(src, line, column), message)
		return true, nil // what it uses cannot be said
	}
	global := func(string) bool { return true }
	if ast != nil {
		undeclared := map[string]bool{}
		for _, v := range ast.Undeclared {
			undeclared[string(v.Name())] = true
		}
		global = func(name string) bool { return undeclared[name] }
	}
	w := walker{tokens: scanScript(src), global: global, place: p}
	for w.i = range w.tokens {
		w.step()
	}
	return w.usesBridge, w.sent
}

// parserWord is the parser's sentence without the piece of source behind it.
var parserWord = regexp.MustCompile(`^[^\n]{0,160}`)

func syntaxError(err error) (line, column int, message string) {
	var e *parse.Error
	if !errors.As(err, &e) {
		return 1, 1, ""
	}
	return e.Line, e.Column, parserWord.FindString(e.Message)
}

// offsetOf is the byte at a line and column, as the parser counts them.
func offsetOf(src string, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		i := strings.IndexAny(src[at:], "\n\r")
		if i < 0 {
			return len(src)
		}
		if strings.HasPrefix(src[at+i:], "\r\n") {
			i++
		}
		at += i + 1
	}
	for i := range src[at:] {
		if column--; column == 0 {
			return at + i
		}
	}
	return len(src)
}

// jsToken is a token that is no space and no comment.
type jsToken struct {
	kind js.TokenType
	text string
	at   int
}

// scanScript lists the tokens. Where a slash begins a regular expression is
// judged by the token before it, which is right for all but "} /x/" and ") /x/":
// good enough for warnings, and the parser has the word on what is wrong.
func scanScript(src string) (out []jsToken) {
	l := js.NewLexer(parse.NewInputString(src))
	for at := 0; at < len(src); {
		kind, text := l.Next()
		if kind == js.ErrorToken && (len(text) == 0 || errors.Is(l.Err(), io.EOF)) {
			return out
		}
		if (kind == js.DivToken || kind == js.DivEqToken) && !endsExpression(out) {
			if k, whole := l.RegExp(); k == js.RegExpToken {
				kind, text = k, whole
			} else {
				return out
			}
		}
		switch kind {
		case js.WhitespaceToken, js.LineTerminatorToken, js.CommentToken, js.CommentLineTerminatorToken:
		default:
			out = append(out, jsToken{kind, string(text), at})
		}
		at += len(text)
	}
	return out
}

func endsExpression(before []jsToken) bool {
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	switch last.kind {
	case js.CloseParenToken, js.CloseBracketToken, js.CloseBraceToken, js.StringToken, js.TemplateToken, js.TemplateEndToken,
		js.RegExpToken, js.PrivateIdentifierToken, js.ThisToken, js.SuperToken, js.TrueToken, js.FalseToken, js.NullToken,
		js.IncrToken, js.DecrToken:
		return true
	}
	return js.IsNumeric(last.kind) || js.IsIdentifier(last.kind)
}
