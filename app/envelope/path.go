package envelope

import (
	"strconv"
	"strings"
)

// maxPath bounds a path, since its names are the sender's.
const maxPath = 256

// pathOf writes a.b[3].c; a name that is not a plain word is quoted: a["x y"].
func pathOf(steps []step) string {
	var b strings.Builder
	for _, st := range steps {
		switch {
		case st.name != nil:
			joinName(&b, *st.name)
		case st.index >= 0:
			b.WriteString("[" + strconv.Itoa(st.index) + "]")
		}
		if b.Len() > maxPath {
			break
		}
	}
	if b.Len() == 0 {
		return Whole
	}
	return cutPath(b.String())
}

func joinName(b *strings.Builder, name string) {
	if !plain(name) {
		if len(name) > maxPath {
			name = name[:maxPath]
		}
		b.WriteString("[" + strconv.QuoteToASCII(name) + "]")
		return
	}
	if b.Len() > 0 {
		b.WriteByte('.')
	}
	b.WriteString(name)
}

// under adds a member name to a path.
func under(path, name string) string {
	var b strings.Builder
	b.WriteString(path)
	joinName(&b, name)
	return cutPath(b.String())
}

func at(path string, index int) string {
	return cutPath(path + "[" + strconv.Itoa(index) + "]")
}

func cutPath(p string) string {
	if len(p) > maxPath {
		return p[:maxPath] + "..."
	}
	return p
}

func plain(name string) bool {
	if name == "" || len(name) > 64 {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !(c == '_' || c == '$' || c == '-' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') {
			return false
		}
	}
	return true
}
