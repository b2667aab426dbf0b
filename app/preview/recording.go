package preview

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"lineup/app/envelope"
	"lineup/surface"
)

const (
	maxRecording  = 32 << 20
	maxRecorded   = 10_000
	maxLineErrors = 50
	maxFindings   = 200 // of the bundles in a recording, about

	pauseOther = 250 * time.Millisecond // between envelopes that do not say when they were made
	pauseDelta = 40 * time.Millisecond  // between the pieces of a streamed message
	pauseMax   = 2 * time.Second        // nobody waits longer for a recording
)

// Recorded is one envelope of a recording.
type Recorded struct {
	Line  int
	Env   envelope.Envelope
	After time.Duration // since the one before, at speed 1
}

// decodeRecording reads JSON Lines strictly: each line is an envelope as the
// wire has it, blank lines count for nothing. The agent's are to be played; the
// host's own lines, which a log of both sides has, are left out and counted.
func decodeRecording(file string, raw []byte) (l Loaded) {
	refuse := func(line int, code, detail string) {
		if len(l.Findings) < maxLineErrors {
			l.Findings = append(l.Findings, surface.Finding{Severity: surface.LintError, Code: code, File: file, Line: line, Detail: detail})
		}
	}
	var last time.Time
	for n, line := range bytes.Split(raw, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		e, bad := envelope.Decode(line)
		switch {
		case bad != nil:
			refuse(n+1, "bad_envelope", bad.Field+": expected "+bad.Expected)
			continue
		case e.Sender.Kind != envelope.KindAgent && e.Sender.Kind != envelope.KindGateway, envelope.ConnectionLevel(e.Type):
			l.Skipped++
			continue
		case len(l.Play) == maxRecorded:
			refuse(n+1, "too_many", fmt.Sprint(maxRecorded))
			return l
		}
		r := Recorded{Line: n + 1, Env: e, After: pauseOther}
		if e.Type == envelope.TypeMessageDelta {
			r.After = pauseDelta
		}
		if e.CreatedAt != nil {
			if !last.IsZero() {
				r.After = min(max(e.CreatedAt.Sub(last), 0), pauseMax)
			}
			last = e.CreatedAt.Time
		}
		l.Play = append(l.Play, r)
		if len(l.Findings) < maxFindings {
			l.Findings = append(l.Findings, lintOpen(file, r)...)
		}
	}
	if len(l.Play) == 0 && len(l.Findings) == 0 {
		refuse(0, "nothing_recorded", "")
	}
	return l
}

// lintOpen looks at the bundle of a ui.open. What the host would refuse is told
// but does not break the recording: the refusal is what it would show.
func lintOpen(file string, r Recorded) (out []surface.Finding) {
	if r.Env.Type != envelope.TypeUIOpen {
		return nil
	}
	p, err := envelope.Payload[envelope.UIOpen](r.Env)
	if err != nil || p.App.HTML == "" {
		return nil
	}
	for _, f := range surface.Lint(bundleOf(p)) {
		f.File = fmt.Sprintf("%s:%d %s", file, r.Line, f.File)
		if f.Severity == surface.LintError {
			f.Severity = surface.LintWarning
		}
		out = append(out, f)
	}
	return out
}

func bundleOf(p envelope.UIOpen) surface.Bundle {
	b := surface.Bundle{Title: p.Title, State: p.State}
	b.ID, b.Name, b.Version, b.Surface = p.App.ID, p.App.Name, p.App.Version, p.App.Surface
	b.HTML, b.CSS, b.JS, b.Events, b.HostStyles = p.App.HTML, p.App.CSS, p.App.JS, p.App.Events, p.App.HostStyles
	b.Integrity, b.Signature = p.App.Integrity, p.App.Signature
	return b
}

// replay is the state of one run through a recording: new ids for old ones, so
// that the host does not take a second run for envelopes it has seen.
type replay struct {
	run int
	ids map[envelope.ID]envelope.ID
}

func newReplay(run int) *replay { return &replay{run: run, ids: map[envelope.ID]envelope.ID{}} }

// envelope makes the n-th recorded envelope one of this run, in this conversation.
func (r *replay) envelope(n int, rec Recorded, conv envelope.ConversationID) (envelope.Envelope, error) {
	e := rec.Env
	id := envelope.ID(fmt.Sprintf("r%d.%d", r.run, n))
	r.ids[e.ID] = id
	e.ID, e.ConversationID, e.Sender, e.Target, e.CreatedAt = id, conv, sender, nil, nil
	e.ReplyTo = r.ids[e.ReplyTo] // of the recording itself; the host's ids of then mean nothing now
	switch e.Type {
	case envelope.TypeAppCall, envelope.TypeAppCancel:
		// A call is idempotent per agent and call_id, for ever.
		var p map[string]json.RawMessage
		if err := json.Unmarshal(e.Payload, &p); err != nil {
			return e, err
		}
		var call string
		if err := json.Unmarshal(p["call_id"], &call); err != nil {
			return e, err
		}
		p["call_id"], _ = json.Marshal(r.callID(call))
		raw, err := json.Marshal(p)
		if err != nil {
			return e, err
		}
		e.Payload = raw
	}
	return e, nil
}

func (r *replay) callID(recorded string) string {
	id := fmt.Sprintf("r%d.%s", r.run, recorded)
	if len(id) > 128 {
		sum := sha256.Sum256([]byte(recorded))
		id = fmt.Sprintf("r%d.%x", r.run, sum)
	}
	return id
}
