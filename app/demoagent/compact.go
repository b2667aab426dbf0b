package demoagent

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"lineup/app/envelope"
)

// compact rewrites the file from memory, atomically.
func (j *journal) compact() error {
	if j.path == "" {
		return nil
	}
	tmp, err := os.CreateTemp(filepath.Dir(j.path), ".demo-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	out := bufio.NewWriter(tmp)
	enc := lineEncoder(out)
	for conv, t := range j.talks {
		err = errors.Join(err, t.dump(conv, enc))
	}
	if err = errors.Join(err, out.Flush(), tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), j.path); err != nil {
		return err
	}
	f, err := os.OpenFile(j.path, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	if j.file != nil {
		j.file.Close()
	}
	j.file = f
	if st, err := f.Stat(); err == nil {
		j.size = st.Size()
		j.limit = max(compactAt, 2*j.size)
	}
	return nil
}

func (t *talk) dump(conv string, enc *json.Encoder) error {
	waiting := map[string]envelope.Envelope{}
	for _, e := range t.pending {
		waiting[string(e.ID)] = e
	}
	// Seen ids and pending envelopes are written in one order, so that the
	// resume point stays what it was.
	head := line{Conv: conv, Facts: t.facts}
	var err error
	for _, id := range t.order {
		e, isPending := waiting[id]
		if !isPending {
			head.Seen = append(head.Seen, id)
			continue
		}
		raw, encErr := e.Encode()
		err = errors.Join(err, encErr, enc.Encode(head), enc.Encode(line{Conv: conv, In: raw}))
		head = line{Conv: conv}
	}
	err = errors.Join(err, enc.Encode(head))
	for _, s := range t.sent {
		err = errors.Join(err, enc.Encode(line{Conv: conv, Out: s.frame}))
	}
	return err
}

// forget keeps the keep most recently used conversations, and those with
// something unhandled.
func (j *journal) forget(keep int) {
	names := make([]string, 0, len(j.talks))
	for c := range j.talks {
		names = append(names, c)
	}
	slices.SortFunc(names, func(a, b string) int { return int(j.talks[a].used - j.talks[b].used) })
	for _, c := range names[:max(0, len(names)-keep)] {
		if len(j.talks[c].pending) == 0 {
			delete(j.talks, c)
		}
	}
}
