package preview

import (
	"encoding/json"
	"time"

	"lineup/app/uiapi"
)

const (
	maxLog  = 500
	maxText = 2 << 10 // bytes of a JSON text that are kept
)

// log is the last of what went between the agent and the host. Not for
// concurrent use; Agent guards it.
type log struct {
	entries []uiapi.PreviewEntry
	seq     int64
}

func (l *log) add(at time.Time, dir, what string, raw json.RawMessage) {
	l.seq++
	e := uiapi.PreviewEntry{Seq: l.seq, At: at.UnixMilli(), Dir: dir, What: what, Size: len(raw), Text: string(raw)}
	if len(e.Text) > maxText {
		e.Text, e.Cut = cutText(e.Text, maxText), true
	}
	l.entries = append(l.entries, e)
	if len(l.entries) > maxLog {
		l.entries = append(l.entries[:0], l.entries[len(l.entries)-maxLog:]...)
	}
}

// after lists the entries since seq, oldest first.
func (l *log) after(seq int64) []uiapi.PreviewEntry {
	out := []uiapi.PreviewEntry{}
	for _, e := range l.entries {
		if e.Seq > seq {
			out = append(out, e)
		}
	}
	return out
}
