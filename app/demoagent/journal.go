package demoagent

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"lineup/app/envelope"
)

// Bounds of what is kept for one conversation.
const (
	maxSent      = 2048    // envelopes kept for replay
	maxSentBytes = 4 << 20 // bytes of them
	maxSeen      = 4096    // ids of the host that are recognised as seen
	maxConvs     = 1000    // conversations; the least recently used go first
	compactAt    = 16 << 20
)

// sent is one envelope that the agent made, as it goes over the wire.
type sent struct {
	id    string
	frame []byte
}

// talk is what is remembered of one conversation.
type talk struct {
	seen    map[string]bool
	order   []string // of seen, oldest first; the last is the resume point
	pending []envelope.Envelope

	sent      []sent
	sentIDs   map[string]bool
	sentBytes int
	first     int // absolute index of sent[0]

	facts map[string]json.RawMessage
	used  int64
}

func newTalk() *talk {
	return &talk{seen: map[string]bool{}, sentIDs: map[string]bool{}, facts: map[string]json.RawMessage{}}
}

// journal is the agent's memory: folded state, and the file of JSON lines it is
// folded from. A nil file keeps it in memory only. Safe for concurrent use.
type journal struct {
	mu    sync.Mutex
	talks map[string]*talk
	uses  int64

	path  string
	file  *os.File
	size  int64
	limit int64
	err   error // first failed write; memory goes on without the file
}

// line is one record of the file. Exactly one of In, Out, Done is set.
type line struct {
	Conv  string                     `json:"c"`
	In    json.RawMessage            `json:"in,omitempty"`    // accepted, not yet handled
	Out   json.RawMessage            `json:"out,omitempty"`   // made by the agent
	Done  string                     `json:"done,omitempty"`  // id of an accepted one, now handled
	Facts map[string]json.RawMessage `json:"facts,omitempty"` // changed by it; null forgets
	Seen  []string                   `json:"seen,omitempty"`  // compacted ids, oldest first
}

// openJournal reads path ("" = memory only). A torn or foreign line is left
// out: a crash may cut the last one.
func openJournal(path string) (*journal, error) {
	j := &journal{talks: map[string]*talk{}, path: path, limit: compactAt}
	if path == "" {
		return j, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("demo agent state: %w", err)
	}
	f, err := os.Open(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("demo agent state: %w", err)
	}
	if err == nil {
		err = j.load(f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("demo agent state: %w", err)
		}
	}
	// Starting from a compacted file also mends a torn last line.
	if err := j.compact(); err != nil {
		return nil, fmt.Errorf("demo agent state: %w", err)
	}
	return j, nil
}

func (j *journal) load(r io.Reader) error {
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		text, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return err
		}
		if len(bytes.TrimSpace(text)) > 0 {
			var l line
			if json.Unmarshal(text, &l) == nil && l.Conv != "" {
				j.fold(l)
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// fold applies one record; it is the only place that changes a talk.
func (j *journal) fold(l line) {
	t := j.talk(l.Conv)
	for _, id := range l.Seen {
		t.see(id)
	}
	switch {
	case l.In != nil:
		e, err := envelope.Decode(l.In)
		if err == nil && t.see(string(e.ID)) {
			t.pending = append(t.pending, e)
		}
	case l.Out != nil:
		var head struct {
			ID string `json:"id"`
		}
		if json.Unmarshal(l.Out, &head) == nil && head.ID != "" && !t.sentIDs[head.ID] {
			t.push(sent{head.ID, l.Out})
		}
	case l.Done != "":
		t.see(l.Done)
		t.pending = slices.DeleteFunc(t.pending, func(e envelope.Envelope) bool { return string(e.ID) == l.Done })
	}
	for k, v := range l.Facts {
		if string(v) == "null" {
			delete(t.facts, k)
		} else {
			t.facts[k] = v
		}
	}
}

func (j *journal) talk(conv string) *talk {
	t := j.talks[conv]
	if t == nil {
		if len(j.talks) >= maxConvs {
			j.forget(maxConvs * 3 / 4)
		}
		t = newTalk()
		j.talks[conv] = t
	}
	j.uses++
	t.used = j.uses
	return t
}

func (t *talk) see(id string) bool {
	if t.seen[id] {
		return false
	}
	t.seen[id] = true
	t.order = append(t.order, id)
	if len(t.order) > maxSeen {
		delete(t.seen, t.order[0])
		t.order = t.order[1:]
	}
	return true
}

func (t *talk) push(s sent) {
	t.sent = append(t.sent, s)
	t.sentIDs[s.id] = true
	t.sentBytes += len(s.frame)
	for len(t.sent) > maxSent || (t.sentBytes > maxSentBytes && len(t.sent) > 1) {
		t.sentBytes -= len(t.sent[0].frame)
		delete(t.sentIDs, t.sent[0].id)
		t.sent = t.sent[1:]
		t.first++
	}
}

// write appends l to the file. There is no fsync: the file must survive the
// death of the process, not that of the machine, and the host's own store is
// the durable one.
func (j *journal) write(l line) {
	if j.file == nil {
		return
	}
	var b bytes.Buffer
	err := lineEncoder(&b).Encode(l)
	if err == nil {
		var n int
		n, err = j.file.Write(b.Bytes())
		j.size += int64(n)
	}
	if err == nil && j.size > j.limit {
		err = j.compact()
	}
	if err != nil && j.err == nil {
		j.err = err
	}
}

// lineEncoder writes one line a value and leaves '<' as it is: a bundle is full
// of them.
func lineEncoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

// close ends the file; later writes stay in memory.
func (j *journal) close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return j.err
	}
	err := j.file.Close()
	j.file = nil
	return errors.Join(j.err, err)
}
