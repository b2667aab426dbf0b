package plain

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The signs that stand for white space. In the input they are escaped.
const (
	newline = '⏎'
	tab     = '⇥'
	blank   = '␣'
	ret     = '␍' // of a CR LF
	opening = '⟨'
)

// From this many in a row on, blanks, tabs and line breaks collapse to a count:
// longer runs push what follows out of sight.
const longRun = 5

// maxMarks is how many combining marks one letter may carry. Living scripts
// need up to four; more are there to cover the lines around.
const maxMarks = 4

// Show returns s as it may be shown, whether something in it had to be escaped
// (warn then), and its length in characters as it came.
//
// A line break becomes ⏎ and a real line break, a tab ⇥, five or more of
// one kind in a row ␣×N, ⇥×N or ⏎×N. Control, bidi, zero-width, separator, private and
// unassigned characters become ⟨U+202E⟩, bytes that are no UTF-8 ⟨0xFF⟩. The
// joiners inside emoji stay.
func Show(s string) (text string, escaped bool, length int) {
	var out strings.Builder
	out.Grow(len(s) + 16)
	marks, prev := maxMarks, rune(-1) // a mark at the start has nothing to sit on
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			out.WriteString("⟨0x" + strings.ToUpper(strconv.FormatUint(uint64(s[i])|0x100, 16)[1:]) + "⟩")
			escaped, marks, prev = true, maxMarks, -1
			i, length = i+1, length+1
			continue
		}
		if sign, unit, count := run(s[i:]); count > 0 {
			space(&out, sign, unit, count)
			chars := count * utf8.RuneCountInString(unit)
			marks, prev = maxMarks, -1
			i, length = i+count*len(unit), length+chars
			continue
		}
		next, _ := utf8.DecodeRuneInString(s[i+n:])
		switch {
		case inEmoji(prev, r, next):
			out.WriteRune(r)
		case unicode.In(r, unicode.Mn, unicode.Me) && !hidden(r):
			if marks++; marks > maxMarks {
				escape(&out, r)
				escaped = true
			} else {
				out.WriteRune(r)
			}
		case hidden(r):
			escape(&out, r)
			escaped, marks = true, maxMarks
		default:
			out.WriteRune(r)
			marks = 0
		}
		prev = r
		i, length = i+n, length+1
	}
	return out.String(), escaped, length
}

// run finds white space at the start of s: its sign, the text of one, how many.
func run(s string) (sign rune, unit string, count int) {
	for _, k := range []struct {
		unit string
		sign rune
	}{{" ", blank}, {"\n", newline}, {"\r\n", ret}, {"\t", tab}} {
		rest := s
		for strings.HasPrefix(rest, k.unit) {
			rest = rest[len(k.unit):]
			count++
		}
		if count > 0 {
			return k.sign, k.unit, count
		}
	}
	return 0, "", 0
}

func space(out *strings.Builder, sign rune, unit string, count int) {
	one := string(sign)
	switch sign {
	case blank:
		one = " "
	case newline:
		one = "⏎\n"
	case ret:
		one = "␍⏎\n"
	}
	if count < longRun {
		out.WriteString(strings.Repeat(one, count))
		return
	}
	if sign == blank {
		one = "␣"
	}
	body, end := strings.CutSuffix(one, "\n")
	out.WriteString(body + "×" + strconv.Itoa(count))
	if end {
		out.WriteByte('\n')
	}
}

func escape(out *strings.Builder, r rune) {
	h := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	out.WriteString("⟨U+" + strings.Repeat("0", max(0, 4-len(h))) + h + "⟩")
}

// hidden tells whether r would not be seen, would move what is around it, or is
// one of our own signs.
func hidden(r rune) bool {
	switch r {
	case newline, tab, blank, ret, opening:
		return true
	case '\u3000': // the ordinary wide blank of Chinese text
		return false
	}
	return !unicode.IsPrint(r) || unicode.Is(invisible, r)
}

// invisible are characters that Unicode calls letters, marks or symbols but that
// draw nothing (Default_Ignorable_Code_Point, and blanks in disguise).
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034F, Hi: 0x034F, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115F, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180B, Hi: 0x180F, Stride: 1}, // Mongolian selectors
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // Braille blank
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xFE00, Hi: 0xFE0F, Stride: 1}, // variation selectors
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1}, // half-width Hangul filler
		{Lo: 0xFFFC, Hi: 0xFFFC, Stride: 1}, // object replacement
	},
	R32: []unicode.Range32{
		{Lo: 0x16FE4, Hi: 0x16FE4, Stride: 1}, // Khitan filler
		{Lo: 0x1D159, Hi: 0x1D159, Stride: 1}, // null note head
		{Lo: 0xE0100, Hi: 0xE01EF, Stride: 1}, // more variation selectors
	},
}

// inEmoji tells whether r is a joiner between two pictures, or the selector that
// makes the character before it one.
func inEmoji(prev, r, next rune) bool {
	switch r {
	case 0x200D:
		return (picture(prev) || prev == 0xFE0F) && picture(next)
	case 0xFE0F:
		return picture(prev) && !(prev >= 0x1F3FB && prev <= 0x1F3FF)
	}
	return false
}

// picture is a block test, wide enough for the emoji and without letters.
func picture(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF || r >= 0x2B00 && r <= 0x2BFF || r >= 0x2300 && r <= 0x23FF && r != newline
}
