package surface

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Severity says how bad a Finding is.
type Severity string

const (
	// LintError: the surface is refused, or its script does not run at all.
	LintError Severity = "error"
	// LintWarning: it opens, but something in it will be blank, blocked or ignored.
	LintWarning Severity = "warning"
	// LintNote: nothing is wrong yet.
	LintNote Severity = "note"
)

// Finding is one thing that an author should know of a bundle, before or after
// it was shown. Words has the sentences.
type Finding struct {
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	File     string   `json:"file,omitempty"`   // of a folder, also for a packed bundle ("script.js"); "" = the whole
	Line     int      `json:"line,omitempty"`   // from 1; 0 = not known
	Column   int      `json:"column,omitempty"` // from 1, in characters
	// Detail is what of the author's it is about (a name, an address, a refusal's
	// field and expectation): plain text, hostile, at most maxDetail bytes.
	Detail string `json:"detail,omitempty"`
}

const (
	maxFindings = 200
	maxDetail   = 200
)

// lintReport collects findings. Beyond maxFindings it only counts.
type lintReport struct {
	list  []Finding
	seen  map[Finding]bool
	extra int
}

func (r *lintReport) full(s Severity) bool { return len(r.list) >= maxFindings && s != LintError }

func (r *lintReport) add(f Finding) {
	f.Detail = cutText(f.Detail, maxDetail)
	if r.seen == nil {
		r.seen = map[Finding]bool{}
	}
	switch {
	case r.seen[f]:
	case r.full(f.Severity):
		r.extra++
	default:
		r.seen[f] = true
		r.list = append(r.list, f)
	}
}

// cutText shortens s to whole characters of at most n bytes.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[:n-len("…")]
	for len(s) > 0 && !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s + "…"
}

// sorted gives the findings by file and place, and says when some were left out.
func (r *lintReport) sorted() []Finding {
	order := map[string]int{ManifestFile: 1, htmlFile: 2, cssFile: 3, jsFile: 4}
	slices.SortStableFunc(r.list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if r.extra > 0 {
		r.list = append(r.list, Finding{Severity: LintNote, Code: "more"})
	}
	return r.list
}

// place is a piece of a file that is looked at by itself: where it begins there.
type place struct {
	file   string
	text   string // the whole file
	offset int
	r      *lintReport
}

// add reports the finding at a byte of the piece.
func (p place) add(s Severity, code string, at int, detail string) {
	if p.r.full(s) {
		p.r.extra++
		return // before its position is worked out, which reads the file
	}
	line, column := position(p.text, p.offset+at)
	p.r.add(Finding{Severity: s, Code: code, File: p.file, Line: line, Column: column, Detail: detail})
}

// within is a piece of the piece.
func (p place) within(at int) place {
	p.offset += at
	return p
}

// position turns a byte offset into line and column.
func position(text string, at int) (line, column int) {
	at = max(0, min(at, len(text)))
	before := text[:at]
	start := strings.LastIndexByte(before, '\n') + 1
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[start:])
}

// Lint says everything about a bundle that its author should know: first what
// the host refuses it for (Check, CheckState), then what would be blank, blocked
// or ignored once it is shown. It never fails and takes hostile input; a bundle
// without findings of severity error opens.
func Lint(b Bundle) []Finding {
	r := &lintReport{}
	if f, refused := FindingOf(Check(b.App)); refused {
		r.add(f)
	}
	_, err := CheckState(b.State)
	if f, refused := FindingOf(err); refused {
		r.add(f)
	} else {
		lintState(b, r)
	}
	uses, sent := lintMarkup(b.App.HTML, r)
	u, s := lintScript(b.App.JS, place{file: jsFile, text: b.App.JS, r: r})
	lintStyle(b.App.CSS, place{file: cssFile, text: b.App.CSS, r: r})
	if strings.TrimSpace(b.App.JS) != "" && !uses && !u {
		r.add(Finding{Severity: LintWarning, Code: "no_bridge", File: jsFile, Line: 1, Column: 1})
	}
	lintEvents(b.App, append(sent, s...))
	near(r, "size_near", "", len(b.App.HTML)+len(b.App.CSS)+len(b.App.JS), MaxBundle)
	near(r, "state_near", ManifestFile, len(b.State), MaxState)
	return r.sorted()
}

// FindingOf makes a finding of a *Refusal, such as LoadBundle's, DecodeBundle's and
// Check's. False: it is nil or another error.
func FindingOf(err error) (Finding, bool) {
	var r *Refusal
	if !errors.As(err, &r) {
		return Finding{}, false
	}
	f := Finding{Severity: LintError, Code: r.Code, File: r.File, Line: r.Line, Detail: "expected " + r.Expected}
	if r.Field != "" {
		f.Detail = r.Field + ": " + f.Detail
	}
	if f.File == "" {
		f.File = fileOf(r.Field)
	}
	f.Detail = cutText(f.Detail, maxDetail)
	return f, true
}

// fileOf is the part of a folder that a refused field is in.
func fileOf(field string) string {
	switch field {
	case "app.html":
		return htmlFile
	case "app.css":
		return cssFile
	case "app.js":
		return jsFile
	}
	return ManifestFile
}

func lintEvents(a App, sent []sentEvent) {
	for _, e := range sent {
		code := ""
		switch {
		case e.name == "close":
			code = "event_close"
		case !ValidEvent(e.name):
			code = "event_name"
		case !a.Allows(e.name):
			code = "event_undeclared"
		default:
			continue
		}
		e.place.add(LintWarning, code, e.at, e.name)
	}
}

func lintState(b Bundle, r *lintReport) {
	problems, err := MatchState(b.StateSchema, b.State)
	if err != nil {
		r.add(Finding{Severity: LintWarning, Code: "bad_schema", File: ManifestFile})
	}
	for _, p := range problems {
		r.add(Finding{Severity: LintWarning, Code: "state_schema", File: ManifestFile, Detail: p.String()})
	}
}

// near notes a size of more than nine tenths of its limit.
func near(r *lintReport, code, file string, size, limit int) {
	if size > limit/10*9 && size <= limit {
		r.add(Finding{Severity: LintNote, Code: code, File: file, Detail: fmt.Sprintf("%d of %d bytes", size, limit)})
	}
}
