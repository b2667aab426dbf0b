package preview

import (
	"bytes"
	"encoding/json"
	"reflect"
	"sort"
	"strings"

	"lineup/app/envelope"
	"lineup/surface"
)

// openBundle opens the good bundle with the present state; the same instance
// again is a replacement. With a.mu held.
func (a *Agent) openBundle() {
	b := a.good.Bundle
	p := envelope.UIOpen{InstanceID: string(InstanceID), Title: b.Title, State: a.state, App: envelope.App{
		ID: b.ID, Name: b.Name, Version: b.Version, Integrity: b.Integrity, Signature: b.Signature,
		HTML: b.HTML, CSS: b.CSS, JS: b.JS, Events: b.Events, HostStyles: b.HostStyles}}
	if b.Height > 0 {
		p.Size = &envelope.UISize{Height: b.Height}
	}
	if err := a.send(envelope.TypeUIOpen, p); err != nil {
		a.slog.Error("the bundle cannot be sent", "err", err)
		return
	}
	a.open = true
}

// reload is called after a save.
func (a *Agent) reload() {
	l := a.source.Load()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed || same(l, a.last) {
		return
	}
	before := a.good
	a.take(l)
	a.changed()
	switch {
	case l.Broken():
		a.log.add(a.now(), dirNote, "broken", nil)
		return
	case a.conv == "" || same(l, before) && a.open:
		return // mended to what is shown
	}
	a.log.add(a.now(), dirNote, "saved", nil)
	if a.source.Kind == Recording {
		a.work.Go(a.fresh)
		return
	}
	// The state stays, unless the author changed the first state itself.
	if len(a.state) == 0 || !bytes.Equal(before.Bundle.State, l.Bundle.State) {
		a.state = l.Bundle.State
	}
	a.openBundle()
}

func same(a, b Loaded) bool { return reflect.DeepEqual(a, b) }

// SetState gives an instance another state. present is what it has now; for the
// bundle's own instance the agent knows better.
func (a *Agent) SetState(instance string, present, next json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conv == "" {
		return
	}
	mine := instance == string(InstanceID) && a.source.Kind != Recording
	if mine {
		present, a.state = a.state, next
		if !a.open {
			a.openBundle()
			return
		}
	}
	for _, ops := range patches(present, next) {
		if err := a.send(envelope.TypeUIPatch, envelope.UIPatch{InstanceID: instance, JSONPatch: ops}); err != nil {
			if mine {
				a.openBundle() // too large for a patch: a replacement carries any state
			}
			return
		}
	}
}

// patches are RFC 6902 patches that make next of present, member by member: a
// merge patch cannot put a null into an object. Each has at most surface.MaxOps.
func patches(present, next json.RawMessage) (out []json.RawMessage) {
	var from, to map[string]json.RawMessage
	if json.Unmarshal(orObject(present), &from) != nil || json.Unmarshal(orObject(next), &to) != nil {
		return nil
	}
	type op struct {
		Op    string          `json:"op"`
		Path  string          `json:"path"`
		Value json.RawMessage `json:"value,omitempty"`
	}
	var ops []op
	for _, k := range keys(from) {
		if _, stays := to[k]; !stays {
			ops = append(ops, op{Op: "remove", Path: "/" + escapePointer(k)})
		}
	}
	for _, k := range keys(to) {
		if was, ok := from[k]; !ok || !bytes.Equal(was, to[k]) {
			ops = append(ops, op{Op: "add", Path: "/" + escapePointer(k), Value: to[k]})
		}
	}
	for len(ops) > 0 {
		n := min(len(ops), surface.MaxOps)
		raw, err := json.Marshal(ops[:n])
		if err != nil {
			return nil
		}
		out, ops = append(out, raw), ops[n:]
	}
	return out
}

func keys(m map[string]json.RawMessage) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func escapePointer(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}
