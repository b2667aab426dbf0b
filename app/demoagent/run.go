package demoagent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"lineup/app/envelope"
)

// run is the handling of one envelope: a script that makes envelopes. What it
// makes depends only on the envelope and on the facts at its start, so that it
// can be run again after a crash.
type run struct {
	ctx   context.Context
	c     *conversation
	cause envelope.Envelope
	base  string // of the ids it makes
	n     int
	lang  lang

	facts   map[string]json.RawMessage
	changed map[string]json.RawMessage

	stream string // id of the message being streamed, "" if none
	status string // id of the status being shown, "" if none
	loose  *loose // what else would look unfinished for ever
}

// loose is how a component that is under way is closed when the run is cut.
type loose struct {
	t       envelope.Type
	payload any
}

func newRun(ctx context.Context, c *conversation, e envelope.Envelope) *run {
	return &run{
		ctx: ctx, c: c, cause: e, base: derive(c.id, string(e.ID)),
		facts: c.s.journal.facts(c.id), changed: map[string]json.RawMessage{},
	}
}

// perform runs the script and leaves nothing open behind it.
func (r *run) perform() {
	stopMark := "d." + r.base + ".stop"
	if r.c.s.journal.has(r.c.id, stopMark) {
		return // stopped in an earlier process, just before it could note that
	}
	err := r.protect()
	switch {
	case err == nil:
		r.settle(pick(r.lang, "Done.", "完成。"), "done")
	case errors.Is(err, errStopped):
		r.cut()
		r.shut(stopMark, pick(r.lang, "Stopped.", "已停止。"), "done")
	case errors.Is(err, errClosing):
		// Nothing is noted: it is done again at the next start.
	default:
		r.c.s.log.Error("demo agent: a script failed", "type", r.cause.Type, "err", err)
		r.cut()
		r.forced("d."+r.base+".err", envelope.TypeError, envelope.ErrorPayload{
			Code: "internal", Message: pick(r.lang, "The demo agent made a mistake.", "演示代理出了错。"), Retryable: true,
		})
		r.shut("d."+r.base+".failed", pick(r.lang, "Failed.", "失败。"), "failed")
	}
}

func (r *run) protect() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return r.script()
}

// emit makes the run's next envelope and gives its id.
func (r *run) emit(t envelope.Type, payload any) (string, error) {
	id := r.nextID()
	r.n++
	return id, r.c.append(r.ctx, id, t, r.cause.ID, payload, false)
}

func (r *run) nextID() string { return fmt.Sprintf("d.%s.%d", r.base, r.n) }

// emitAs makes an envelope whose id says what an answer to it is for.
func (r *run) emitAs(id string, t envelope.Type, payload any) error {
	return r.c.append(r.ctx, id, t, r.cause.ID, payload, false)
}

// forced makes an envelope also when the run was stopped.
func (r *run) forced(id string, t envelope.Type, payload any) {
	if err := r.c.append(r.ctx, id, t, r.cause.ID, payload, true); err != nil {
		r.c.s.log.Error("demo agent: cannot make an envelope", "type", t, "err", err)
	}
}

// pause waits, or returns at once if what follows was made before.
func (r *run) pause(d time.Duration) error {
	if r.c.s.journal.has(r.c.id, r.nextID()) {
		return context.Cause(r.ctx)
	}
	return r.c.s.clock.Sleep(r.ctx, d)
}

// say sends a whole Markdown message.
func (r *run) say(text string) error {
	_, err := r.emit(envelope.TypeMessage, envelope.Message{Text: text})
	return err
}

// tell streams a Markdown message in small pieces.
func (r *run) tell(text string) error {
	r.stream = fmt.Sprintf("m.%s.%d", r.base, r.n)
	for _, piece := range pieces(text) {
		if _, err := r.emit(envelope.TypeMessageDelta, envelope.MessageDelta{MessageID: r.stream, Delta: piece}); err != nil {
			return err
		}
		if err := r.pause(30 * time.Millisecond); err != nil {
			return err
		}
	}
	_, err := r.emit(envelope.TypeMessageEnd, envelope.MessageEnd{MessageID: r.stream, Text: &text})
	if err == nil {
		r.stream = ""
	}
	return err
}

// cut closes what was cut short; what was streamed stays.
func (r *run) cut() {
	if r.loose != nil {
		r.forced("d."+r.base+".cut", r.loose.t, r.loose.payload)
		r.loose = nil
	}
	if r.stream == "" {
		return
	}
	r.forced("d."+r.base+".end", envelope.TypeMessageEnd, envelope.MessageEnd{MessageID: r.stream})
	r.stream = ""
}

// working shows what the run is doing; the next one and the end replace it.
func (r *run) working(text string) error {
	r.status = "s." + r.base
	_, err := r.emit(envelope.TypeStatus, envelope.Status{StatusID: r.status, Text: text, State: "working"})
	return err
}

// settle ends the status, if one is shown.
func (r *run) settle(text, state string) {
	if r.status != "" {
		r.shut("d."+r.base+".done", text, state)
	}
}

func (r *run) shut(id, text, state string) {
	r.forced(id, envelope.TypeStatus, envelope.Status{StatusID: "s." + r.base, Text: text, State: state})
	r.status = ""
}

// recall reads the fact key into to; false if there is none.
func (r *run) recall(key string, to any) bool {
	raw, ok := r.facts[key]
	return ok && json.Unmarshal(raw, to) == nil
}

// remember changes the fact key; it is kept when the run is done.
func (r *run) remember(key string, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		r.c.s.log.Error("demo agent: cannot remember", "key", key, "err", err)
		return
	}
	r.facts[key], r.changed[key] = raw, raw
}

func (r *run) forget(key string) {
	if _, ok := r.facts[key]; ok {
		delete(r.facts, key)
		r.changed[key] = json.RawMessage("null")
	}
}

// once is true the first time in this conversation that it is asked for key.
func (r *run) once(key string) bool {
	var was bool
	if r.recall("once."+key, &was) {
		return false
	}
	r.remember("once."+key, true)
	return true
}

// pieces cuts text at word ends, or every few characters where there are no
// spaces, never inside a character.
func pieces(text string) []string {
	var out []string
	for text != "" {
		cut := len(text)
		if i := strings.IndexAny(text, " \n"); i >= 0 {
			cut = i + 1
		}
		if max := prefixRunes(text, 8); max < cut {
			cut = max
		}
		out = append(out, text[:cut])
		text = text[cut:]
	}
	return out
}

// prefixRunes is the length in bytes of the first n characters of s.
func prefixRunes(s string, n int) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}
