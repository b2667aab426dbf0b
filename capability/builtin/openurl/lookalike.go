package openurl

import (
	"strings"
	"unicode"
)

// The sets of scripts that one label may mix, as browsers allow it.
var together = [][]string{
	{"Latin", "Han", "Hiragana", "Katakana"},
	{"Latin", "Han", "Bopomofo"},
	{"Latin", "Han", "Hangul"},
}

// imitators are scripts whose letters pass for Latin ones: a whole label of
// such letters reads like another name.
var imitators = map[string]string{
	"Cyrillic": "асԁеһіјӏоркԛѕυвхуүџтпмнгьъ",
	"Greek":    "αονρτυικηγχωβε",
	"Armenian": "օսոհնցզյգաքլո",
	"Cherokee": "ꭰꭱꭲꮃꮪꮯꮓꮖꮎꮤꮲꭺꭻꮞꮢꮩꮶ",
}

// deceptive tells whether a host in its own letters may pass for another: a
// label mixes scripts that do not go together, or is made of letters that look
// Latin, or has a Latin letter with an unusual shape.
func deceptive(host string) bool {
	for _, label := range strings.Split(host, ".") {
		if mixed(label) || imitates(label) {
			return true
		}
	}
	return false
}

func script(r rune) string {
	if unicode.In(r, unicode.Common, unicode.Inherited) {
		return ""
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return name
		}
	}
	return "?"
}

func mixed(label string) bool {
	found := map[string]bool{}
	for _, r := range label {
		if s := script(r); s != "" {
			found[s] = true
		}
	}
	if len(found) < 2 {
		return false
	}
	for _, set := range together {
		n := 0
		for _, s := range set {
			if found[s] {
				n++
			}
		}
		if n == len(found) {
			return false
		}
	}
	return true
}

func imitates(label string) bool {
	odd := false
	for _, r := range label {
		if r < 0x80 {
			continue
		}
		s := script(r)
		switch letters, known := imitators[s]; {
		case known && strings.ContainsRune(letters, r):
			odd = true
		case s == "Latin" && (r >= 0x0180 && r <= 0x02AF || r == 'ı' || r == 'ł' || r == 'đ' || r >= 0x1E00 && r <= 0x1EFF):
			return true // ɡ, ı, ạ: a Latin letter that is taken for another
		case s == "" && !unicode.IsDigit(r):
			return true // a mark or a sign in place of a letter
		default:
			return false
		}
	}
	return odd
}
