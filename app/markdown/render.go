package markdown

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// safeRenderer renders the nodes that could reach out of a message.
type safeRenderer struct{}

func (safeRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(extast.KindTaskCheckBox, task)
	r.Register(ast.KindLink, renderLink)
	r.Register(ast.KindAutoLink, renderAutoLink)
	r.Register(ast.KindImage, renderImage)
	r.Register(ast.KindRawHTML, renderRawHTML)
	r.Register(ast.KindHTMLBlock, renderHTMLBlock)
	r.Register(ast.KindFencedCodeBlock, renderCode)
	r.Register(ast.KindCodeBlock, renderCode)
	r.Register(kindRawParagraph, renderRaw)
}

func renderLink(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	link := n.(*ast.Link)
	t, ok := linkTarget(string(util.UnescapePunctuations(link.Destination)))
	if entering {
		writeLinkStart(w, t, ok)
	} else {
		writeLinkEnd(w, t, ok, words(n, src))
	}
	return ast.WalkContinue, nil
}

func renderAutoLink(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	link := n.(*ast.AutoLink)
	label := string(link.Label(src))
	dest := string(link.URL(src))
	if link.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(dest), "mailto:") {
		dest = "mailto:" + dest
	}
	t, ok := linkTarget(dest)
	writeLinkStart(w, t, ok)
	_, _ = w.WriteString(html.EscapeString(label))
	writeLinkEnd(w, t, ok, label)
	return ast.WalkContinue, nil
}

func writeLinkStart(w util.BufWriter, t target, ok bool) {
	if !ok {
		_, _ = w.WriteString(`<span class="link-refused">`)
		return
	}
	href := html.EscapeString(t.href)
	_, _ = w.WriteString(`<a href="` + href + `" rel="noopener noreferrer nofollow" data-href="` + href + `">`)
}

func writeLinkEnd(w util.BufWriter, t target, ok bool, words string) {
	if !ok {
		_, _ = w.WriteString(`</span>`)
		return
	}
	_, _ = w.WriteString(`</a>`)
	if namesOther(words, t) {
		_, _ = w.WriteString(`<span class="link-host">` + html.EscapeString(t.host) + `</span>`)
	}
}

// renderImage leaves a place where the image would be. The page loads nothing
// by itself; it may ask for data-src on a click.
func renderImage(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	t, ok := linkTarget(string(util.UnescapePunctuations(n.(*ast.Image).Destination)))
	_, _ = w.WriteString(`<span class="img-placeholder"`)
	if ok && strings.HasPrefix(t.href, "http") {
		_, _ = w.WriteString(` data-src="` + html.EscapeString(t.href) + `" data-host="` + html.EscapeString(t.host) + `"`)
	}
	_, _ = w.WriteString(`>` + html.EscapeString(words(n, src)) + `</span>`)
	return ast.WalkSkipChildren, nil
}

// HTML is shown as the text it is: hiding it would hide what the agent said.
func renderRawHTML(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		segments := n.(*ast.RawHTML).Segments
		for i := range segments.Len() {
			s := segments.At(i)
			_, _ = w.WriteString(html.EscapeString(string(s.Value(src))))
		}
	}
	return ast.WalkSkipChildren, nil
}

func renderHTMLBlock(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		block := n.(*ast.HTMLBlock)
		raw := string(block.Lines().Value(src))
		if block.HasClosure() {
			closure := block.ClosureLine
			raw += string(closure.Value(src))
		}
		_, _ = w.WriteString(`<p dir="auto">`)
		for i, line := range strings.Split(strings.TrimRight(raw, "\n"), "\n") {
			if i > 0 {
				_, _ = w.WriteString("<br>\n")
			}
			_, _ = w.WriteString(html.EscapeString(line))
		}
		_, _ = w.WriteString("</p>\n")
	}
	return ast.WalkSkipChildren, nil
}

func renderCode(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	lang := ""
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		lang = string(fenced.Language(src))
	}
	code := string(n.Lines().Value(src))
	_, _ = w.WriteString(openCode(lang))
	if colours, ok := n.AttributeString(coloursAttribute); ok {
		_, _ = w.WriteString(colours.(*budget).tokens(lang, code))
	} else {
		_, _ = w.WriteString(html.EscapeString(code))
	}
	_, _ = w.WriteString(closeCode + "\n")
	return ast.WalkSkipChildren, nil
}

// words is the plain text of a node's inline content.
func words(n ast.Node, src []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			if n.IsRaw() {
				b.Write(n.Segment.Value(src))
			} else {
				b.Write(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(n.Segment.Value(src)))))
			}
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte('\n')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(src))
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				s := n.Segments.At(i)
				b.Write(s.Value(src))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// task shows a task's box as a sign: it is read out as what it is, in any
// language, and cannot be mistaken for something to press.
func task(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		sign := "☐"
		if n.(*extast.TaskCheckBox).IsChecked {
			sign = "☑"
		}
		_, _ = w.WriteString(`<span class="task">` + sign + `</span> `)
	}
	return ast.WalkContinue, nil
}
