package store

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

const (
	snippetBefore = 30  // runes of context before the match
	snippetAfter  = 120 // and after it
)

// snippet cuts the surroundings of the first of terms that text has, and gives
// the match's place in it in UTF-16 units, as a page counts.
func snippet(text string, terms []string) (s string, from, to int) {
	runes := []rune(text)
	at, size := 0, 0
	for _, w := range terms {
		if i := indexFold(runes, []rune(w)); i >= 0 {
			at, size = i, len([]rune(w))
			break
		}
	}
	start, end := max(at-snippetBefore, 0), min(at+size+snippetAfter, len(runes))
	var b strings.Builder
	if start > 0 {
		b.WriteRune('…')
		from = 1
	}
	from += units(runes[start:at])
	to = from + units(runes[at:at+size])
	b.WriteString(string(runes[start:end]))
	if end < len(runes) {
		b.WriteRune('…')
	}
	return b.String(), from, to
}

func units(rs []rune) (n int) {
	for _, r := range rs {
		n += utf16.RuneLen(r)
	}
	return n
}

// indexFold finds word in text without regard to case, rune by rune, so that the
// place found is a place in text.
func indexFold(text, word []rune) int {
	for i := 0; i+len(word) <= len(text); i++ {
		j := 0
		for j < len(word) && fold(text[i+j]) == fold(word[j]) {
			j++
		}
		if j == len(word) {
			return i
		}
	}
	return -1
}

func fold(r rune) rune { return unicode.ToLower(r) }
