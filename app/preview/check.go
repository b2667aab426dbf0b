package preview

import (
	"regexp"
	"strconv"
	"strings"

	"lineup/app/uiapi"
	"lineup/surface"
)

// Ran is what became of one surface when it was shown.
type Ran struct {
	Status   string // open, refused, stopped, closed
	Reason   string
	Ready    bool
	Height   int // CSS pixels that its content needs
	Problems []uiapi.InspectEntry
}

// Judge makes findings of what happened while a surface ran. static are the
// validator's: what it had said already is not said twice.
func Judge(r Ran, static []surface.Finding) (out []surface.Finding) {
	add := func(s surface.Severity, code, detail string) {
		out = append(out, surface.Finding{Severity: s, Code: code, Detail: cutText(detail, maxDetail)})
	}
	switch {
	case r.Status == "refused":
		add(surface.LintError, "refused", r.Reason)
	case r.Reason != "" && (r.Status == "stopped" || !r.Ready):
		add(surface.LintError, "stopped_"+stopWord(r.Reason), "")
	case !r.Ready:
		add(surface.LintError, "stopped_not_ready", "")
	}
	for _, e := range r.Problems {
		if f := problem(*e.Problem, e.Name); !foreseen(f, static) && !foreseen(f, out) {
			out = append(out, f)
		}
	}
	if r.Ready && r.Height == 0 && r.Status == "open" {
		add(surface.LintWarning, "blank", "")
	}
	return out
}

const maxDetail = 200

// stopWord keeps the reasons that have words.
func stopWord(reason string) string {
	switch reason {
	case "not_ready", "navigated", "crashed", "memory":
		return reason
	}
	return "hung"
}

// problem makes a finding of what the inspector noted.
func problem(p uiapi.InspectProblem, name string) surface.Finding {
	switch p.Kind {
	case "violation":
		return surface.Violation{Code: p.Code, Directive: p.Directive, Blocked: p.Text}.Finding()
	case "error":
		f := surface.Finding{Severity: surface.LintError, Code: "script_error", Detail: cutText(p.Text, maxDetail)}
		if p.Code == "rejection" {
			f.Code = "rejection"
		}
		if m := errorPlace.FindStringSubmatch(p.Text); m != nil {
			f.File = "script.js"
			f.Line, _ = strconv.Atoi(m[1])
			f.Column, _ = strconv.Atoi(m[2])
			f.Detail = cutText(strings.TrimSuffix(p.Text, m[0]), maxDetail)
		}
		return f
	case "dropped":
		if p.Code == "rate" {
			return surface.Finding{Severity: surface.LintWarning, Code: "event_rate", Detail: name}
		}
		return surface.Finding{Severity: surface.LintWarning, Code: "event_undeclared", File: "script.js", Detail: name}
	}
	detail := "expected " + p.Text
	if p.Field != "" {
		detail = p.Field + ": " + detail
	}
	return surface.Finding{Severity: surface.LintWarning, Code: "message_refused", Detail: cutText(detail, maxDetail)}
}

// errorPlace is where the guest says that an error was thrown.
var errorPlace = regexp.MustCompile(` \(script\.js:(\d{1,7}):(\d{1,7})\)$`)

// foreseen reports whether a finding was made already, perhaps with its place.
// The engine names the whole address, the author may have written a part of it.
func foreseen(f surface.Finding, list []surface.Finding) bool {
	for _, g := range list {
		if f.Code != g.Code {
			continue
		}
		if f.Line == g.Line && f.Detail == g.Detail || f.Line == 0 && (f.Detail == g.Detail ||
			g.Detail != "" && strings.HasSuffix(f.Detail, "/"+strings.TrimLeft(g.Detail, "./"))) {
			return true
		}
	}
	return false
}
