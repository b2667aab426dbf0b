package markdown

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inlineFix says how to show inline text whose end has not come: keep s[:keep]
// without the bytes at cuts, and append suffix.
type inlineFix struct {
	keep   int
	cuts   []int
	suffix string
}

func (f inlineFix) none(length int) bool {
	return f.keep == length && len(f.cuts) == 0 && f.suffix == ""
}

// mark is an opening run of * _ or ~.
type mark struct {
	char byte
	n    int
	at   int // where the run starts
	end  int // where its text starts
}

type inlineScan struct {
	s        string
	marks    []mark
	brackets []int // positions of open [
	fix      inlineFix
	code     string // the back-ticks that close an open code span
	done     bool
}

var entityStart = regexp.MustCompile(`&[#A-Za-z0-9]{0,31}$`)

// scanInline reads inline Markdown once, from left to right, roughly as
// CommonMark does. It need not be exact: it only decides what the reader sees
// for the moment, the text is parsed properly with each change.
func scanInline(s string) inlineFix {
	p := &inlineScan{s: s, fix: inlineFix{keep: len(s)}}
	for i := 0; i < len(s) && !p.done; {
		i = p.step(i)
	}
	if p.code == "" {
		if m := entityStart.FindStringIndex(s[:p.fix.keep]); m != nil {
			p.fix.keep = m[0]
		}
	}
	p.openBrackets()
	slices.Sort(p.fix.cuts)
	p.fix.cuts = slices.Compact(p.fix.cuts)
	return p.close()
}

// step handles what is at i and returns where to go on.
func (p *inlineScan) step(i int) int {
	switch p.s[i] {
	case '\\':
		if i+1 == len(p.s) {
			return p.hold(i)
		}
		return i + 2
	case '`':
		return p.codeSpan(i)
	case '<':
		return p.angle(i)
	case '[':
		p.brackets = append(p.brackets, i)
	case ']':
		return p.bracket(i)
	case '*', '_', '~':
		return p.run(i)
	}
	return i + 1
}

// hold shows nothing from i on.
func (p *inlineScan) hold(i int) int {
	p.fix.keep = min(p.fix.keep, i)
	p.done = true
	return len(p.s)
}

func runLength(s string, i int) int {
	n := 1
	for i+n < len(s) && s[i+n] == s[i] {
		n++
	}
	return n
}

func (p *inlineScan) codeSpan(i int) int {
	n := runLength(p.s, i)
	for j := i + n; j < len(p.s); {
		if p.s[j] != '`' {
			next := strings.IndexByte(p.s[j:], '`')
			if next < 0 {
				break
			}
			j += next
			continue
		}
		m := runLength(p.s, j)
		if m == n {
			return j + m
		}
		if j+m == len(p.s) && m < n {
			p.fix.keep = j // half a closing run
			break
		}
		j += m
	}
	if strings.TrimSpace(p.s[i+n:p.fix.keep]) == "" {
		return p.hold(i)
	}
	p.code = strings.Repeat("`", n)
	// A code span may end in a space or a back-tick only with a space between.
	if p.s[p.fix.keep-1] == '`' {
		p.code = " " + p.code
	}
	p.done = true
	return len(p.s)
}

// angle skips <autolinks> and tags; one that is still coming is held back.
func (p *inlineScan) angle(i int) int {
	rest := p.s[i+1:]
	if rest == "" {
		return p.hold(i)
	}
	if c := rest[0]; c != '/' && c != '!' && c != '?' && !(c|0x20 >= 'a' && c|0x20 <= 'z') {
		return i + 1
	}
	if end := strings.IndexByte(rest, '>'); end >= 0 {
		return i + 1 + end + 1
	}
	if !strings.ContainsAny(rest, " \n") {
		return p.hold(i)
	}
	return i + 1
}

// bracket closes the last open [. A link or image that is still coming is shown as its
// words, without the address.
func (p *inlineScan) bracket(i int) int {
	if len(p.brackets) == 0 {
		return i + 1
	}
	open := p.brackets[len(p.brackets)-1]
	p.brackets = p.brackets[:len(p.brackets)-1]
	if i+1 == len(p.s) {
		return p.pending(open, i)
	}
	switch p.s[i+1] {
	case '(':
		if end := closing(p.s, i+1); end > 0 {
			return end
		}
		return p.pending(open, i)
	case '[':
		if end := strings.IndexByte(p.s[i+2:], ']'); end >= 0 {
			return i + 2 + end + 1
		}
		return p.pending(open, i)
	}
	return i + 1
}

// closing is the index after the parenthesis that matches the one at i, or 0.
func closing(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func (p *inlineScan) pending(open, i int) int {
	if open > 0 && p.s[open-1] == '!' {
		return p.hold(open - 1)
	}
	p.fix.cuts = append(p.fix.cuts, open)
	return p.hold(i)
}

// openBrackets hides the [ of a link whose words are still coming, and an image.
func (p *inlineScan) openBrackets() {
	for _, b := range p.brackets {
		if b >= p.fix.keep {
			break
		}
		if b > 0 && p.s[b-1] == '!' {
			p.fix.keep = b - 1
			p.code = ""
			break
		}
		// Far back it is just a bracket.
		if p.fix.keep-b < 200 {
			p.fix.cuts = append(p.fix.cuts, b)
		}
	}
}

// run handles a run of * _ or ~: closes what it can, opens the rest.
func (p *inlineScan) run(i int) int {
	c, n := p.s[i], runLength(p.s, i)
	end := i + n
	before, _ := utf8.DecodeLastRuneInString(p.s[:i])
	after, _ := utf8.DecodeRuneInString(p.s[end:])
	atEnd := end == len(p.s)
	if i == 0 {
		before = ' '
	}
	if atEnd {
		after = ' '
	}
	if c == '~' && n > 2 {
		return end
	}
	spaceBefore, spaceAfter := unicode.IsSpace(before), unicode.IsSpace(after)
	punctBefore, punctAfter := isPunct(before), isPunct(after)
	left := !spaceAfter && (!punctAfter || spaceBefore || punctBefore)
	right := !spaceBefore && (!punctBefore || spaceAfter || punctAfter)
	opens, closes := left, right
	if c == '_' {
		opens = left && (!right || punctBefore)
		closes = right && (!left || punctAfter)
	}
	left0 := n
	if closes {
		n = p.closeMarks(c, n, atEnd)
	}
	if atEnd {
		if n == 0 {
			return end
		}
		return p.hold(end - n) // half a closing run, or an opening one
	}
	if n == 0 || !opens || (c == '~' && n == 1) {
		return end
	}
	if n == 1 && left0 == 1 && isWord(before) && isWord(after) && c == '*' {
		return end // 2*3
	}
	p.marks = append(p.marks, mark{c, n, end - n, end})
	return end
}

// closeMarks closes open marks of c with a run of n and returns what is left of
// it. A run at the end of the text may be half of what closes the mark.
func (p *inlineScan) closeMarks(c byte, n int, atEnd bool) int {
	for n > 0 {
		k := len(p.marks) - 1
		for k >= 0 && p.marks[k].char != c {
			k--
		}
		if k < 0 {
			return n
		}
		m := &p.marks[k]
		if atEnd && n < m.n {
			return n
		}
		if c == '~' && n != m.n {
			return n
		}
		used := min(n, m.n)
		n -= used
		if m.n -= used; m.n == 0 {
			p.marks = p.marks[:k]
		} else {
			p.marks = p.marks[:k+1]
		}
	}
	return 0
}

// close makes the suffix: code first, then the marks from the inside out. A
// mark with nothing after it is held back.
func (p *inlineScan) close() inlineFix {
	f := p.fix
	for p.code == "" {
		kept := strings.TrimRight(p.s[:f.keep], " \t\n")
		// brackets that are cut count as nothing
		for len(f.cuts) > 0 && f.cuts[len(f.cuts)-1] == len(kept)-1 {
			kept = strings.TrimRight(kept[:len(kept)-1], " \t\n")
			f.cuts = f.cuts[:len(f.cuts)-1]
		}
		if len(p.marks) == 0 || p.marks[len(p.marks)-1].end < len(kept) {
			if len(kept) < len(strings.TrimRight(p.s[:f.keep], " \t\n")) {
				f.keep = len(kept)
			}
			break
		}
		f.keep = min(f.keep, p.marks[len(p.marks)-1].at)
		p.marks = p.marks[:len(p.marks)-1]
	}
	for len(f.cuts) > 0 && f.cuts[len(f.cuts)-1] >= f.keep {
		f.cuts = f.cuts[:len(f.cuts)-1]
	}
	f.suffix = p.code
	for k := len(p.marks) - 1; k >= 0; k-- {
		if p.marks[k].at < f.keep {
			f.suffix += strings.Repeat(string(p.marks[k].char), p.marks[k].n)
		}
	}
	return f
}

func isPunct(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

func isWord(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
