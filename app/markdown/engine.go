package markdown

import (
	"bytes"
	"html"
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// engine is GFM with our own way of rendering everything that could reach out:
// links, images, HTML and code. Safe for concurrent use.
var engine = goldmark.New(
	goldmark.WithParser(guardedParser()),
	goldmark.WithExtensions(
		table{},
		extension.Strikethrough, extension.Linkify, extension.TaskList,
		extension.NewCJK(extension.WithEastAsianLineBreaks(extension.EastAsianLineBreaksSimple)),
	),
	goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(directions{}, 1000))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(safeRenderer{}, 1))),
)

// table is extension.Table without its paragraph transformer, which the guarded parser has.
type table struct{}

func (table) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)))
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(
		extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500)))
}

// directions lets each block find its own direction of writing.
type directions struct{}

func (directions) Transform(root *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Type() == ast.TypeInline {
			return ast.WalkSkipChildren, nil
		}
		if entering {
			switch n.Kind() {
			case ast.KindParagraph, ast.KindHeading, ast.KindBlockquote, ast.KindList, ast.KindListItem, extast.KindTableCell:
				n.SetAttributeString("dir", []byte("auto"))
			}
		}
		return ast.WalkContinue, nil
	})
}

// html renders one block of a parsed text and passes it through the allow-list.
func (d *Doc) html(n ast.Node, src []byte) string {
	if !d.opts.PlainCode {
		_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if n.Type() == ast.TypeInline {
				return ast.WalkSkipChildren, nil
			}
			if _, open := n.AttributeString(openAttribute); entering && !open && n.Kind() == ast.KindFencedCodeBlock {
				n.SetAttributeString(coloursAttribute, d.colours)
			}
			return ast.WalkContinue, nil
		})
	}
	var b bytes.Buffer
	if err := engine.Renderer().Render(&b, src, n); err != nil {
		// A renderer only fails when its writer does; the text itself still shows.
		return "<p>" + html.EscapeString(string(n.Lines().Value(src))) + "</p>"
	}
	return sanitise(b.Bytes())
}

func sanitise(raw []byte) string {
	out := policy.SanitizeReader(bytes.NewReader(raw)).String()
	// "&#0;" is U+FFFD by the rules of HTML; here it is nothing.
	return strings.TrimRight(strings.ReplaceAll(out, "\ufffd", ""), "\n")
}

// policy is the whole of what a message may consist of. There is no style, id,
// name, src or event attribute, and no element that loads or runs anything.
var policy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "li", "pre", "code",
		"em", "strong", "del", "br", "hr", "table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("dir").Matching(regexp.MustCompile(`^(auto|ltr)$`)).Globally()
	p.AllowAttrs("start").Matching(regexp.MustCompile(`^[0-9]{1,9}$`)).OnElements("ol")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|center|right)$`)).OnElements("th", "td")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(code|hl)$`)).OnElements("pre", "code")
	p.AllowAttrs("data-lang").Matching(regexp.MustCompile(`^[a-z0-9+#._-]{1,32}$`)).OnElements("pre")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^(hl-[a-z0-9]{1,4}|link-host|link-refused|img-placeholder|task)$`)).OnElements("span")
	p.AllowAttrs("data-src", "data-host").OnElements("span")
	p.AllowAttrs("href", "data-href").OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile(`^noopener noreferrer nofollow$`)).OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.RequireParseableURLs(true)
	return p
}()
