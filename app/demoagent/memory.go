package demoagent

import (
	"encoding/json"
	"maps"
	"slices"

	"lineup/app/envelope"
)

// accept notes e as received; false if its id was seen before. raw is e as it
// came.
func (j *journal) accept(e envelope.Envelope, raw []byte) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	t := j.talk(string(e.ConversationID))
	if !t.see(string(e.ID)) {
		return false
	}
	t.pending = append(t.pending, e)
	j.write(line{Conv: string(e.ConversationID), In: raw})
	return true
}

// skip notes an envelope that needs no handling; false if it was seen before.
func (j *journal) skip(e envelope.Envelope) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.talk(string(e.ConversationID)).see(string(e.ID)) {
		return false
	}
	j.write(line{Conv: string(e.ConversationID), Done: string(e.ID)})
	return true
}

// finish notes that the envelope id was handled and what it changed, at once.
// An empty id only changes facts.
func (j *journal) finish(conv, id string, changed map[string]json.RawMessage) {
	j.mu.Lock()
	defer j.mu.Unlock()
	l := line{Conv: conv, Done: id, Facts: changed}
	j.fold(l)
	j.write(l)
}

// add notes an envelope of the agent's own; false if its id is there already.
func (j *journal) add(conv, id string, frame []byte) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	t := j.talk(conv)
	if t.sentIDs[id] {
		return false
	}
	t.push(sent{id, frame})
	j.write(line{Conv: conv, Out: frame})
	return true
}

// has says whether the agent made the envelope id in conv.
func (j *journal) has(conv, id string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	t := j.talks[conv]
	return t != nil && t.sentIDs[id]
}

// after is the absolute index that follows the envelope id in conv's log. For an
// id that is not there it is the log's start: all that follows is then new to
// the host, or dropped by it as seen.
func (j *journal) after(conv, id string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	t := j.talks[conv]
	if t == nil {
		return 0
	}
	if i := slices.IndexFunc(t.sent, func(s sent) bool { return s.id == id }); i >= 0 {
		return t.first + i + 1
	}
	return t.first
}

// from gives up to n envelopes of conv from the absolute index at, and the
// index after them.
func (j *journal) from(conv string, at, n int) ([]sent, int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	t := j.talks[conv]
	if t == nil {
		return nil, at
	}
	i := min(max(at-t.first, 0), len(t.sent))
	part := t.sent[i:min(i+n, len(t.sent))]
	return slices.Clone(part), t.first + i + len(part)
}

// end is the absolute index at which conv's log ends.
func (j *journal) end(conv string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	if t := j.talks[conv]; t != nil {
		return t.first + len(t.sent)
	}
	return 0
}

// points are the resume points for session.ready of those conversations that
// the host named: another host's are not its business. Nil means that one was
// forgotten, of which the host has had answers: a list would bring all of its
// history again, to be answered again.
func (j *journal) points(named []envelope.ResumePoint) []envelope.ResumePoint {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := []envelope.ResumePoint{}
	for _, p := range named {
		c := p.ConversationID
		t := j.talks[c]
		if t == nil && p.LastID != "" {
			return nil
		}
		if t != nil && len(t.order) > 0 {
			out = append(out, envelope.ResumePoint{ConversationID: c, LastID: t.order[len(t.order)-1]})
		}
	}
	return out
}

// knows says whether anything was said or heard in conv.
func (j *journal) knows(conv string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	t := j.talks[conv]
	return t != nil && (len(t.order) > 0 || len(t.sent) > 0)
}

// names lists the conversations.
func (j *journal) names() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Sorted(maps.Keys(j.talks))
}

// facts is a copy of what is remembered in conv.
func (j *journal) facts(conv string) map[string]json.RawMessage {
	j.mu.Lock()
	defer j.mu.Unlock()
	if t := j.talks[conv]; t != nil {
		return maps.Clone(t.facts)
	}
	return map[string]json.RawMessage{}
}

// unfinished gives the accepted but unhandled envelopes of each conversation.
func (j *journal) unfinished() map[string][]envelope.Envelope {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := map[string][]envelope.Envelope{}
	for c, t := range j.talks {
		if len(t.pending) > 0 {
			out[c] = slices.Clone(t.pending)
		}
	}
	return out
}
