package markdown

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// mend returns the source as it is to be shown while more may come, or nil if it is fine as it is:
// what cannot be judged yet is left out at its end, what is open in its last
// block is closed. root is the source parsed. Only the last block is touched.
func mend(src []byte, root ast.Node) []byte {
	leaf := lastLeaf(root)
	switch leaf.Kind() {
	case ast.KindParagraph, ast.KindTextBlock, ast.KindHeading, extast.KindTableCell:
	default:
		return nil
	}
	lines := leaf.Lines()
	if lines.Len() == 0 {
		return nil
	}
	body := bytes.TrimRight(src, " \t\n")
	last := lines.At(lines.Len() - 1)
	if last.Stop < len(body) || closed(leaf, src[len(body):]) {
		return nil
	}
	if leaf.Kind() == ast.KindParagraph || leaf.Kind() == ast.KindTextBlock {
		if fixed, ok := guessTable(src, body, last.Start); ok {
			return fixed
		}
	}
	return closeLeaf(src, body, leaf)
}

// closed reports whether the block has its end already: what follows its text is blank.
func closed(leaf ast.Node, blank []byte) bool {
	breaks := bytes.Count(blank, []byte("\n"))
	if leaf.Kind() == ast.KindParagraph || leaf.Kind() == ast.KindTextBlock {
		return breaks > 1
	}
	return breaks > 0
}

var (
	// A line that is only marks so far: it may become a list item, a quote, a
	// heading, a rule, an underline, a fence or a table's second line, or none of them.
	marksOnly = regexp.MustCompile("^[ \\t>]*(?:[-+*=_#|:~`][-+*=_#|:~`> \\t]*|[0-9]{1,9}[.)]?[ \\t]*)?$")
	// The same behind a list marker, and a task's box.
	boxStart = regexp.MustCompile("^[ \\t>]*(?:[-+*]|[0-9]{1,9}[.)])[ \\t]+(?:\\[[ xX]?\\]?|[-+*=_#|:~`>][-+*=_#|:~`> \\t]*)$")
	// A fence whose info string is still coming, or code in many back-ticks.
	fenceStart = regexp.MustCompile("^[ \\t>]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \\t]+)?(?:`{3,}[^`]*|~{3,}.*)$")
)

// holdLine drops a last line that has no end yet and may still become anything.
func holdLine(src []byte) []byte {
	at := bytes.LastIndexByte(src, '\n') + 1
	line := src[at:]
	if len(line) == 0 || len(line) > 400 {
		return src
	}
	if marksOnly.Match(line) || boxStart.Match(line) || fenceStart.Match(line) {
		return src[:at]
	}
	return src
}

// guessTable deals with a line that begins with a pipe and ends a paragraph:
// nearly always a table's header. Until it is whole it is held back; then it is
// shown as a table without waiting for the line of dashes.
func guessTable(src, body []byte, lineAt int) ([]byte, bool) {
	line := body[lineAt:]
	if len(line) == 0 || line[0] != '|' || bytes.IndexByte(line, '\n') >= 0 {
		return nil, false
	}
	if len(body) == len(src) || src[len(body)] != '\n' {
		if !bytes.HasSuffix(src, []byte("\n")) {
			return src[:lineStart(src, lineAt)], true
		}
	}
	cells := 0
	for i, c := range line {
		if c == '|' && line[i-min(i, 1)] != '\\' {
			cells++
		}
	}
	if line[len(line)-1] == '|' {
		cells--
	}
	if cells < 1 {
		return nil, false
	}
	fixed := append(bytes.Clone(body), "\n|"...)
	return append(fixed, strings.Repeat("---|", cells)...), true
}

// closeLeaf closes what is open inline in the leaf that ends the source, or returns nil.
func closeLeaf(src, body []byte, leaf ast.Node) []byte {
	// The leaf's text, which has no quote or list marks, and where it came from.
	var s strings.Builder
	var from, to []int // s[from[i]:] came from src[to[i]:]
	lines := leaf.Lines()
	for i := range lines.Len() {
		l := lines.At(i)
		from, to = append(from, s.Len()), append(to, l.Start)
		s.Write(src[l.Start:min(l.Stop, len(body))])
	}
	offset := func(i int) int {
		k := len(from) - 1
		for k > 0 && from[k] > i {
			k--
		}
		return to[k] + i - from[k]
	}
	fix := scanInline(s.String())
	if fix.none(s.Len()) {
		return nil
	}
	out := make([]byte, 0, len(src)+len(fix.suffix))
	at, end := 0, len(body)
	if fix.keep < s.Len() {
		end = offset(fix.keep)
	}
	for _, c := range fix.cuts {
		o := offset(c)
		out = append(out, src[at:o]...)
		at = o + 1
	}
	out = append(out, src[at:max(at, end)]...)
	if fix.keep < s.Len() {
		out = bytes.TrimRight(out, " \t\n")
	}
	return append(out, fix.suffix...)
}
