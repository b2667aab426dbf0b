package markdown

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// MaxText is how much of a message is rendered, in bytes; a message on the
// wire is never longer (PROTOCOL.md §7).
const MaxText = 1 << 20

const (
	// Beyond lazyFrom bytes an open block is rendered again when it grew by
	// 1/lazyPart of itself, or when lazyRest times as long went by as the last time took.
	lazyFrom = 8 << 10
	lazyPart = 32
	lazyRest = 8
)

// Options change how a Doc renders. The zero value is what chat uses.
type Options struct {
	// PlainCode leaves code without highlighting.
	PlainCode bool
}

// Doc is one message that may still be growing.
type Doc struct {
	opts    Options
	colours *budget
	text    []byte // normalised: valid UTF-8, \n line ends
	pending string // bytes that end Append: part of a rune, or \r
	final   bool
	dropped bool
	broken  bool // the parser failed on this text

	stable   int     // text[stable:] is the tail: not yet finished
	blocks   []block // finished ones
	tail     []string
	tailSeen int       // length of the tail when it was rendered
	tailAt   time.Time // when that was, and
	tailCost time.Duration
	now      func() time.Time
	fence    *openFence // the tail is one open fence
	stale    bool       // the fence grew since its HTML was made
	refs     map[string]parser.Reference
	users    map[string][]int // normalised label → finished blocks that name it

	rev     int64
	changes []change
}

// block is a finished one. Its source is the group text[from:to), which holds
// more than one block when they come from the same lines; it is number nth of them.
type block struct {
	html     string
	from, to int
	nth      int
}

// change says that revision rev changed the blocks from index from on.
type change struct {
	rev  int64
	from int
}

// New returns an empty Doc.
func New(o Options) *Doc {
	return &Doc{opts: o, colours: &budget{docTime}, now: time.Now, refs: map[string]parser.Reference{}, users: map[string][]int{}}
}

// Render is the blocks of a whole text.
func Render(text string) []string {
	d := New(Options{})
	d.End(&text)
	return d.Blocks()
}

// Append adds text that arrived. A chunk may end within a UTF-8 sequence; bytes
// that are no UTF-8 are dropped, never shown as U+FFFD. After End it does nothing.
func (d *Doc) Append(text string) {
	if d.final || text == "" {
		return
	}
	d.take(text)
	d.update()
}

// End finishes the message. If full is given it is the whole text and wins over
// what was appended. A second End does nothing.
func (d *Doc) End(full *string) {
	if d.final {
		return
	}
	if full != nil {
		whole := New(d.opts)
		whole.take(*full)
		whole.flush()
		d.pending = ""
		if string(whole.text) != string(d.text) {
			old := d.Blocks()
			rev, changes := d.rev, d.changes
			*d = *whole
			d.final = true
			d.update()
			d.rev, d.changes = rev, changes
			d.note(firstDifference(old, d.Blocks()), len(old))
			return
		}
	}
	d.flush()
	d.final = true
	d.update()
}

// Blocks is the sanitised HTML of each top-level block.
func (d *Doc) Blocks() []string {
	d.show()
	out := make([]string, 0, len(d.blocks)+len(d.tail))
	for _, b := range d.blocks {
		out = append(out, b.html)
	}
	return append(out, d.tail...)
}

// BlocksSince returns what a reader who saw revision rev has to do: keep the
// first from blocks and replace the rest by blocks; it then has revision now.
// Revision 0 is the empty message. Nothing changed if now equals rev.
func (d *Doc) BlocksSince(rev int64) (from int, blocks []string, now int64) {
	d.show()
	n := len(d.blocks) + len(d.tail)
	from = n
	if rev < 0 || rev > d.rev {
		from = 0 // not a revision of this Doc: send all
	} else {
		for _, c := range d.changes {
			if c.rev > rev {
				from = min(from, c.from)
				break // changes are kept with from rising
			}
		}
	}
	blocks = make([]string, 0, n-from)
	for i := from; i < n; i++ {
		if i < len(d.blocks) {
			blocks = append(blocks, d.blocks[i].html)
		} else {
			blocks = append(blocks, d.tail[i-len(d.blocks)])
		}
	}
	return from, blocks, d.rev
}

// show makes the HTML of an open fence that grew.
func (d *Doc) show() {
	if d.stale {
		d.tail = []string{d.fence.html(d.text[d.stable:])}
		d.stale = false
	}
}

// ChangedFrom is the first block that the last change touched.
func (d *Doc) ChangedFrom() int {
	if len(d.changes) == 0 {
		return 0
	}
	return d.changes[len(d.changes)-1].from
}

// Rev is the current revision, for BlocksSince.
func (d *Doc) Rev() int64 { return d.rev }

// Text is the Markdown so far, as it is rendered.
func (d *Doc) Text() string { return string(d.text) }

// Ended reports whether End was called.
func (d *Doc) Ended() bool { return d.final }

// Truncated reports whether text beyond MaxText was dropped.
func (d *Doc) Truncated() bool { return d.dropped }

// take appends normalised text and keeps back what the next chunk may complete.
func (d *Doc) take(text string) {
	text = d.pending + text
	cut := len(text) - incomplete(text)
	if cut > 0 && text[cut-1] == '\r' {
		cut--
	}
	d.pending = text[cut:]
	d.add(text[:cut])
}

// flush takes in what was kept back: nothing will complete it.
func (d *Doc) flush() {
	d.add(d.pending)
	d.pending = ""
}

func (d *Doc) add(text string) {
	clean := normalise(text)
	if room := MaxText - len(d.text); len(clean) > room {
		clean = clean[:room-incomplete(clean[:room])]
		d.dropped = true
	}
	d.text = append(d.text, clean...)
}

// incomplete is how many bytes at the end of s begin a rune that is not whole.
func incomplete(s string) int {
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		c := s[len(s)-n]
		if utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRuneInString(s[len(s)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

var unwanted = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "", "\ufffd", "")

// normalise drops what is no text. U+FFFD goes too: it is what a broken sender
// makes of half a character, and the reader can do nothing with it.
func normalise(s string) string {
	return unwanted.Replace(strings.ToValidUTF8(s, ""))
}

// note records that the blocks from index from on are new; there were before of them.
func (d *Doc) note(from, before int) {
	if from == len(d.blocks)+len(d.tail) && from == before {
		return
	}
	d.rev++
	for n := len(d.changes); n > 0 && d.changes[n-1].from >= from; n-- {
		d.changes = d.changes[:n-1]
	}
	d.changes = append(d.changes, change{d.rev, from})
}

func firstDifference(a, b []string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

func refKey(label []byte) string { return util.ToLinkReference(label) }
