package preview

import (
	"lineup/app/uiapi"
	"lineup/surface"
)

// View is what the page shows, in one language.
func (a *Agent) View(lang string) uiapi.Preview {
	a.mu.Lock()
	defer a.mu.Unlock()
	v := uiapi.Preview{Name: a.source.Name(), Kind: string(a.source.Kind), ConversationID: string(a.conv),
		Findings: Worded(a.last.Findings, lang), Broken: a.last.Broken(), Shown: !a.savedAt.IsZero(),
		HasSchema: len(a.good.Bundle.StateSchema) > 0, Skipped: a.good.Skipped,
		Playing: a.play.playing && a.play.next < len(a.good.Play), Speed: a.play.speed, Next: a.play.next, Count: len(a.good.Play), LogSeq: a.log.seq, StateRev: a.taken}
	if v.Shown {
		v.SavedAt = a.savedAt.UnixMilli()
	}
	return v
}

// Log lists what happened after seq.
func (a *Agent) Log(after int64) []uiapi.PreviewEntry {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.log.after(after)
}

// Findings are those of the last reading.
func (a *Agent) Findings() (list []surface.Finding, broken bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.last.Findings, a.last.Broken()
}

// CheckState is the validator's word on a state that an author typed: problems
// with their places in the text, and the state if none of them is an error.
func (a *Agent) CheckState(text, lang string) ([]byte, []uiapi.PreviewFinding) {
	a.mu.Lock()
	schema := a.good.Bundle.StateSchema
	a.mu.Unlock()
	state, problems := checkState(text, schema)
	return state, Worded(problems, lang)
}

// Worded puts findings into words.
func Worded(list []surface.Finding, lang string) []uiapi.PreviewFinding {
	out := make([]uiapi.PreviewFinding, 0, len(list))
	for _, f := range list {
		what, fix := Words(f, lang)
		out = append(out, uiapi.PreviewFinding{Severity: string(f.Severity), Code: f.Code, File: f.File,
			Line: f.Line, Column: f.Column, What: what, Fix: fix})
	}
	return out
}
