package markdown

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// openFence is a fenced code block at the end of a message whose end has not come. It is
// extended line by line: code is the one block that agents make really long,
// and nothing in it has to be read twice.
type openFence struct {
	lang    string
	char    byte
	length  int
	scanned int             // offset in the tail of the first line not taken in
	escaped strings.Builder // the lines taken in
}

// fenceOf returns the open fence that node, parsed from src, is, or nil. tail is the
// text from the node's line on. Indented ones go the slow way.
func fenceOf(node ast.Node, src, tail []byte) *openFence {
	block, ok := node.(*ast.FencedCodeBlock)
	if !ok || len(tail) == 0 || (tail[0] != '`' && tail[0] != '~') {
		return nil
	}
	end := bytes.IndexByte(tail, '\n')
	if end < 0 {
		return nil
	}
	f := &openFence{char: tail[0], scanned: end + 1, lang: string(block.Language(src))}
	for f.length < end && tail[f.length] == f.char {
		f.length++
	}
	if !f.extend(tail) {
		return nil
	}
	return f
}

// extend takes in the lines that are complete; false means that one of them closes the fence.
func (f *openFence) extend(tail []byte) bool {
	for {
		n := bytes.IndexByte(tail[f.scanned:], '\n')
		if n < 0 {
			return true
		}
		line := tail[f.scanned : f.scanned+n]
		if f.marks(line) >= f.length {
			return false
		}
		f.escaped.WriteString(html.EscapeString(string(line)))
		f.escaped.WriteByte('\n')
		f.scanned += n + 1
	}
}

// marks is how many fence characters a line consists of, apart from blanks; 0
// if it has anything else.
func (f *openFence) marks(line []byte) int {
	line = bytes.TrimRight(line, " \t")
	body := bytes.TrimLeft(line, " ")
	if len(line)-len(body) > 3 {
		return 0
	}
	for _, c := range body {
		if c != f.char {
			return 0
		}
	}
	return len(body)
}

// html is the block as it stands. A last line that may become the closing
// fence is not shown yet.
func (f *openFence) html(tail []byte) string {
	partial := tail[f.scanned:]
	if f.marks(partial) > 0 {
		partial = nil
	}
	return openCode(f.lang) + f.escaped.String() + html.EscapeString(string(partial)) + closeCode
}

// fenceClosed reports whether a fenced block has its closing line in src.
func fenceClosed(n *ast.FencedCodeBlock, src []byte) bool {
	var after []byte
	if lines := n.Lines(); lines.Len() > 0 {
		after = src[min(lines.At(lines.Len()-1).Stop, len(src)):]
	} else if at := bytes.IndexByte(src[start(n):], '\n'); at >= 0 {
		after = src[start(n)+at:]
	}
	return bytes.ContainsAny(after, "`~")
}

// markOpen marks the fence that ends the document without being closed, so
// that it is not highlighted yet.
func markOpen(root ast.Node, src []byte) {
	if n, ok := lastLeaf(root).(*ast.FencedCodeBlock); ok && !fenceClosed(n, src) {
		n.SetAttributeString(openAttribute, true)
	}
}

// Marks on a code block's node: it is still open, and who pays for its colours.
const (
	openAttribute    = "open"
	coloursAttribute = "colours"
)

// lastLeaf is the deepest last block of a document; in a table, the last cell
// that has anything in it.
func lastLeaf(root ast.Node) ast.Node {
	n := root
	for {
		c := n.LastChild()
		for c != nil && c.Kind() == extast.KindTableCell && c.Lines().Len() == 0 && c.PreviousSibling() != nil {
			c = c.PreviousSibling()
		}
		if c == nil || c.Type() == ast.TypeInline {
			return n
		}
		n = c
	}
}
