package markdown

import (
	"bytes"
	"html"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The parser is quadratic, or worse, in a few things that no reader needs. Each
// is bounded far above what people write; beyond the bound the text is shown
// as it is, without its marks.
const (
	maxNesting = 32   // quotes and lists within each other
	maxMarks   = 4096 // characters that mean something, in one paragraph or table row
	freeCells  = 10_000
)

// guardedParser is goldmark's own parser behind these bounds.
func guardedParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(modestSetext{parser.NewSetextHeadingParser()}, 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(shallow{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(modestATX{parser.NewATXHeadingParser()}, 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewHTMLBlockParser(), 900),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(
			util.Prioritized(modestLines{}, 50),
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(modestTable{extension.NewTableParagraphTransformer()}, 200),
			util.Prioritized(modestParagraph{}, 300),
		),
	)
}

// shallow keeps a container from opening too deep.
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if k := n.Kind(); k == ast.KindBlockquote || k == ast.KindList {
			depth++
		}
	}
	if depth >= maxNesting {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// modestATX and modestSetext leave a line with too many marks to the paragraph, which is checked.
type modestATX struct{ parser.BlockParser }

func (m modestATX) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if line, _ := reader.PeekLine(); marksIn(line) > maxMarks {
		return nil, parser.NoChildren
	}
	return m.BlockParser.Open(parent, reader, pc)
}

type modestSetext struct{ parser.BlockParser }

func (m modestSetext) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if p, ok := pc.LastOpenedBlock().Node.(*ast.Paragraph); ok && tooMany(p, reader.Source()) {
		return nil, parser.NoChildren
	}
	return m.BlockParser.Open(parent, reader, pc)
}

// modestLines takes a paragraph with one line of too many marks before anything else reads it.
type modestLines struct{}

func (modestLines) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	for i := range p.Lines().Len() {
		s := p.Lines().At(i)
		if marksIn(s.Value(reader.Source())) > maxMarks {
			replaceByRaw(p)
			return
		}
	}
}

// modestParagraph takes one whose lines have too many together; tables are gone by then.
type modestParagraph struct{}

func (modestParagraph) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	if tooMany(p, reader.Source()) {
		replaceByRaw(p)
	}
}

// modestTable leaves alone a table whose short rows would be filled up to more cells than
// its text can pay for.
type modestTable struct{ parser.ParagraphTransformer }

func (m modestTable) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	columns, size := 0, 0
	for i := range p.Lines().Len() {
		s := p.Lines().At(i)
		line := s.Value(reader.Source())
		size += len(line)
		columns = max(columns, bytes.Count(line, []byte("|"))+1)
	}
	if columns*p.Lines().Len() <= freeCells+size {
		m.ParagraphTransformer.Transform(p, reader, pc)
	}
}

func tooMany(n ast.Node, src []byte) bool {
	total := 0
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		total += marksIn(s.Value(src))
	}
	return total > maxMarks
}

func marksIn(line []byte) (n int) {
	for _, c := range line {
		switch c {
		case '[', ']', '(', '*', '_', '~', '`', '<', '&', '!', '@':
			n++
		}
	}
	return n
}

// rawParagraph is a paragraph whose marks are not read.
type rawParagraph struct{ ast.BaseBlock }

var kindRawParagraph = ast.NewNodeKind("RawParagraph")

func (*rawParagraph) Kind() ast.NodeKind { return kindRawParagraph }

func (*rawParagraph) IsRaw() bool { return true }

func (n *rawParagraph) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

func replaceByRaw(p *ast.Paragraph) {
	raw := &rawParagraph{}
	raw.SetPos(p.Pos())
	raw.SetLines(p.Lines())
	raw.SetBlankPreviousLines(p.HasBlankPreviousLines())
	p.Parent().ReplaceChild(p.Parent(), p, raw)
}

func renderRaw(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<p dir="auto">` + html.EscapeString(string(bytes.TrimRight(n.Lines().Value(src), "\n"))) + "</p>\n")
	}
	return ast.WalkSkipChildren, nil
}
