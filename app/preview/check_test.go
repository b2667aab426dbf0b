package preview

import (
	"fmt"
	"strings"
	"testing"

	"lineup/app/uiapi"
	"lineup/surface"
)

func TestJudge(t *testing.T) {
	entry := func(kind, code, text string) uiapi.InspectEntry {
		return uiapi.InspectEntry{Count: 1, Name: "go", Problem: &uiapi.InspectProblem{Kind: kind, Code: code, Text: text}}
	}
	ok := Ran{Status: "open", Ready: true, Height: 100}
	with := func(list ...uiapi.InspectEntry) Ran { r := ok; r.Problems = list; return r }
	many := entry("dropped", "rate", "")
	many.Count = 40
	static := []surface.Finding{{Severity: surface.LintWarning, Code: "external_url", File: "index.html", Line: 2, Detail: "./a.png"}}
	for _, c := range []struct {
		name string
		ran  Ran
		want string
	}{
		{"all is well", ok, ""},
		{"refused", Ran{Status: "refused", Reason: "too_large"}, "error refused  too_large"},
		{"late", Ran{Status: "open", Reason: "not_ready"}, "error stopped_not_ready  "},
		{"never there", Ran{Status: "open"}, "error stopped_not_ready  "},
		{"left", Ran{Status: "stopped", Reason: "navigated"}, "error stopped_navigated  "},
		{"hung", Ran{Status: "stopped", Reason: "hung_alone"}, "error stopped_hung  "},
		{"blank", Ran{Status: "open", Ready: true}, "warning blank  "},
		{"a script with its place", with(entry("error", "script", "TypeError: x (script.js:12:5)")), "error script_error script.js:12:5 TypeError: x"},
		{"a script without", with(entry("error", "script", "TypeError: x (script.js:12)")), "error script_error  TypeError: x (script.js:12)"},
		{"a rejection", with(entry("error", "rejection", "no")), "error rejection  no"},
		{"a violation", with(entry("violation", "network", "https://e.example/")), "warning network  https://e.example/"},
		{"one that was foreseen", with(entry("violation", "external_url", "http://127.0.0.1:1/s/x/a.png")), ""},
		{"another of its kind", with(entry("violation", "external_url", "http://127.0.0.1:1/s/x/ba.png")), "warning external_url  http://127.0.0.1:1/s/x/ba.png"},
		{"twice the same", with(entry("error", "script", "x"), entry("error", "script", "x")), "error script_error  x"},
		{"dropped", with(entry("dropped", "undeclared", "")), "warning event_undeclared script.js go"},
		{"a flood", with(many), "warning event_rate  go"},
		{"refused message", with(entry("refused", "bad_uplink", "a number")), "warning message_refused  expected a number"},
	} {
		var got []string
		for _, f := range Judge(c.ran, static) {
			place := f.File
			if f.Line > 0 {
				place += fmt.Sprintf(":%d:%d", f.Line, f.Column)
			}
			got = append(got, fmt.Sprintf("%s %s %s %s", f.Severity, f.Code, place, f.Detail))
			if what, fix := Words(f, "en"); what == f.Code || fix == "" {
				t.Errorf("%s: no words for %s", c.name, f.Code)
			}
		}
		if s := strings.Join(got, "\n"); s != c.want {
			t.Errorf("%s: got %q, want %q", c.name, s, c.want)
		}
	}
}
