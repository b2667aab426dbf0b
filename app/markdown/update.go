package markdown

import (
	"bytes"
	"html"
	"regexp"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// update brings the blocks up to the text. Should the parser trip over a text,
// that message is shown without its marks; the host and its other conversations go on.
func (d *Doc) update() {
	defer func() {
		if recover() != nil {
			d.broken = true
			d.showPlain()
		}
	}()
	if d.broken {
		d.showPlain()
		return
	}
	d.advance()
}

// showPlain makes the whole text one block.
func (d *Doc) showPlain() {
	before := len(d.blocks) + len(d.tail)
	d.blocks, d.fence, d.stale, d.stable = nil, nil, false, 0
	d.tail = []string{`<p dir="auto">` + html.EscapeString(string(d.text)) + "</p>"}
	d.note(0, before)
}

func (d *Doc) advance() {
	tail := d.text[d.stable:]
	if !d.final && d.fence == nil && d.waits(len(tail)) {
		return
	}
	before, finished := len(d.blocks)+len(d.tail), len(d.blocks)
	old := d.tail
	if d.fence != nil && !d.final && d.fence.extend(tail) {
		d.stale = true // its HTML is made when somebody asks for it
		d.tailSeen = len(tail)
		d.note(finished, before)
		return
	}
	d.fence, d.stale = nil, false
	began := d.now()
	from := d.renderTail()
	d.tailAt = d.now()
	d.tailSeen, d.tailCost = len(d.text)-d.stable, d.tailAt.Sub(began)

	// Where finished blocks and the new tail first differ from the old tail.
	now := make([]string, 0, len(d.blocks)-finished+len(d.tail))
	for _, b := range d.blocks[finished:] {
		now = append(now, b.html)
	}
	now = append(now, d.tail...)
	d.note(min(from, finished+firstDifference(old, now)), before)
}

// waits reports whether a long open block is left as it was shown for now.
func (d *Doc) waits(size int) bool {
	return size > lazyFrom && size-d.tailSeen < d.tailSeen/lazyPart && d.now().Sub(d.tailAt) < lazyRest*d.tailCost
}

// renderTail parses the tail, finishes the blocks that cannot change any more
// and shows the rest, mended. What is finished comes from the text as it is, never from the
// mended one. It returns the first earlier block that a new link reference changed.
func (d *Doc) renderTail() (changed int) {
	src := d.text[d.stable:]
	if !d.final {
		src = holdLine(src)
	}
	root := d.parse(src)
	nodes := children(root)
	cut := len(nodes)
	if !d.final {
		cut = d.finishedBefore(nodes, src)
		markOpen(root, src)
	}
	changed = d.finish(nodes[:cut], src, d.stable)
	d.tail = nil
	if cut == len(nodes) {
		if d.final {
			d.stable = len(d.text)
		}
		return changed
	}
	at := lineStart(src, start(nodes[cut]))
	d.stable += at
	if len(nodes)-cut == 1 {
		d.fence = fenceOf(nodes[cut], src, d.text[d.stable:])
	}
	nodes = nodes[cut:]
	if mended := mend(src, root); mended != nil {
		src = mended[min(at, len(mended)):]
		root = d.parse(src)
		markOpen(root, src)
		nodes = children(root)
	}
	for _, n := range nodes {
		if !isDefinition(n) {
			d.tail = append(d.tail, d.html(n, src))
		}
	}
	return changed
}

func children(root ast.Node) (list []ast.Node) {
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		list = append(list, n)
	}
	return list
}

// finishedBefore returns how many of the nodes are finished: all before the
// last one that begins in a complete line. A line without its end may yet turn
// out to belong to the block before ("*" begins a list, "*a*" goes on with a
// paragraph).
func (d *Doc) finishedBefore(nodes []ast.Node, src []byte) int {
	complete := bytes.LastIndexByte(d.text[d.stable:], '\n') + 1
	cut := len(nodes) - 1
	for cut > 0 && lineStart(src, start(nodes[cut])) >= complete {
		cut--
	}
	for cut > 0 && sameLines(nodes[cut-1], nodes[cut], src) {
		cut--
	}
	return max(cut, 0)
}

// sameLines reports whether two neighbours were made from one run of lines, so
// that the second read alone might be another thing (an indented line that
// goes on with a paragraph is code by itself).
func sameLines(a, b ast.Node, src []byte) bool {
	if a.Kind() != ast.KindParagraph && a.Kind() != kindRawParagraph && !isDefinition(a) {
		return false
	}
	switch b.Kind() {
	case ast.KindParagraph, kindRawParagraph, extast.KindTable, ast.KindHeading, ast.KindLinkReferenceDefinition:
	default:
		return false
	}
	at := lineStart(src, start(b))
	if at <= lineStart(src, start(a)) {
		return true
	}
	previous := src[lineStart(src, at-1):at]
	return len(bytes.TrimSpace(previous)) > 0
}

func isDefinition(n ast.Node) bool { return n.Kind() == ast.KindLinkReferenceDefinition }

// start is the offset of a top-level node's first character.
func start(n ast.Node) int {
	// A table's own position is that of the paragraph it was made from.
	if n.Kind() == extast.KindTable && n.FirstChild() != nil {
		n = n.FirstChild()
	}
	return max(n.Pos(), 0)
}

func lineStart(src []byte, at int) int {
	at = min(at, len(src))
	return bytes.LastIndexByte(src[:at], '\n') + 1
}

// finish renders nodes for good. It returns the lowest index of an earlier
// block that a reference defined by them changed, or the number of blocks.
func (d *Doc) finish(nodes []ast.Node, src []byte, base int) (changed int) {
	changed = len(d.blocks)
	var added []string
	for i := 0; i < len(nodes); {
		end := i + 1
		for end < len(nodes) && sameLines(nodes[end-1], nodes[end], src) {
			end++
		}
		from, to := base+lineStart(src, start(nodes[i])), base+len(src)
		if end < len(nodes) {
			to = base + lineStart(src, start(nodes[end]))
		} else if next := nodes[end-1].NextSibling(); next != nil {
			to = base + lineStart(src, start(next))
		}
		to = min(to, len(d.text))
		nth := 0
		for _, n := range nodes[i:end] {
			if !isDefinition(n) {
				d.use(d.text[from:to], len(d.blocks))
				d.blocks = append(d.blocks, block{d.html(n, src), from, to, nth})
				nth++
			}
			added = append(added, d.define(n)...)
		}
		i = end
	}
	for _, key := range added {
		for _, b := range d.users[key] {
			if d.again(b) {
				changed = min(changed, b)
			}
		}
	}
	return changed
}

// define takes in the references that a finished node defines, itself or in a
// quote or list within it. The first definition of a label wins.
func (d *Doc) define(n ast.Node) (added []string) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Type() == ast.TypeInline {
			return ast.WalkSkipChildren, nil
		}
		ref, ok := n.(*ast.LinkReferenceDefinition)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		key := refKey(ref.Label)
		if _, known := d.refs[key]; !known {
			d.refs[key] = parser.NewReference(bytes.Clone(ref.Label), bytes.Clone(ref.Destination), nil)
			added = append(added, key)
		}
		return ast.WalkSkipChildren, nil
	})
	return added
}

var labelPattern = regexp.MustCompile(`\[((?:[^\[\]\\]|\\.)+)\]`)

// use remembers which labels a finished block names, so that a definition that comes
// later finds it.
func (d *Doc) use(src []byte, index int) {
	if bytes.IndexByte(src, '[') < 0 {
		return
	}
	for _, m := range labelPattern.FindAllSubmatch(src, -1) {
		key := refKey(m[1])
		if list := d.users[key]; len(list) == 0 || list[len(list)-1] != index {
			d.users[key] = append(list, index)
		}
	}
}

// again renders a finished block with the references known now.
func (d *Doc) again(index int) bool {
	b := &d.blocks[index]
	src := d.text[b.from:b.to]
	nth := 0
	for n := d.parse(src).FirstChild(); n != nil; n = n.NextSibling() {
		if isDefinition(n) {
			continue
		}
		if nth == b.nth {
			out := d.html(n, src)
			if out == b.html {
				return false
			}
			b.html = out
			return true
		}
		nth++
	}
	return false
}

func (d *Doc) parse(src []byte) ast.Node {
	context := &refContext{Context: parser.NewContext(), known: d.refs}
	return engine.Parser().Parse(text.NewReader(src), parser.WithContext(context))
}

// refContext is a parser's context that also knows the references of finished
// blocks, without copying them for every parse.
type refContext struct {
	parser.Context
	known map[string]parser.Reference
}

func (c *refContext) Reference(label string) (parser.Reference, bool) {
	if r, ok := c.known[label]; ok {
		return r, true
	}
	return c.Context.Reference(label)
}
