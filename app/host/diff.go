package host

import (
	"strings"

	"lineup/app/envelope"
	"lineup/app/uiapi"
)

// maxDiffLines bounds what one diff shows.
const maxDiffLines = 2000

// diffLines reads a unified diff, or shows old and new text as removed and
// added around what they share at both ends.
func diffLines(d envelope.Diff) (out []uiapi.DiffLine) {
	add := func(op, text string) {
		if len(out) < maxDiffLines {
			out = append(out, uiapi.DiffLine{Op: op, Text: text})
		}
	}
	if d.Unified != "" {
		for _, line := range strings.Split(strings.TrimSuffix(d.Unified, "\n"), "\n") {
			switch {
			case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
			case strings.HasPrefix(line, "@@"):
				add("@", line)
			case strings.HasPrefix(line, "+"), strings.HasPrefix(line, "-"), strings.HasPrefix(line, " "):
				add(line[:1], line[1:])
			default:
				add(" ", line)
			}
		}
		return out
	}
	a, b := lines(d.Old), lines(d.New)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	for _, l := range a[:head] {
		add(" ", l)
	}
	for _, l := range a[head : len(a)-tail] {
		add("-", l)
	}
	for _, l := range b[head : len(b)-tail] {
		add("+", l)
	}
	for _, l := range a[len(a)-tail:] {
		add(" ", l)
	}
	return out
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}
