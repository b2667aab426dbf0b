package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// Plain is the text of a message without its Markdown, one line a block: for
// previews, titles, search and notifications. Code is kept, marks are not.
func Plain(src string) (out string) {
	d := New(Options{})
	d.take(src)
	d.flush()
	defer func() {
		if recover() != nil { // as in Doc: better the marks than nothing
			out = string(d.text)
		}
	}()
	var lines []string
	_ = ast.Walk(d.parse(d.text), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() == ast.TypeInline {
			return ast.WalkContinue, nil
		}
		switch n.Kind() {
		case ast.KindParagraph, ast.KindTextBlock, ast.KindHeading:
			lines = append(lines, words(n, d.text))
		case ast.KindCodeBlock, ast.KindFencedCodeBlock, ast.KindHTMLBlock, kindRawParagraph:
			lines = append(lines, strings.TrimRight(string(n.Lines().Value(d.text)), "\n"))
		case extast.KindTableRow, extast.KindTableHeader:
			var cells []string
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				cells = append(cells, words(c, d.text))
			}
			lines = append(lines, strings.Join(cells, "\t"))
		default:
			return ast.WalkContinue, nil
		}
		return ast.WalkSkipChildren, nil
	})
	return strings.ReplaceAll(strings.Join(lines, "\n"), "\ufffd", "")
}
