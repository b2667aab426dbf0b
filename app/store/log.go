package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"lineup/app/envelope"
)

// Direction says who an envelope came from. Each direction of a conversation has
// an id space of its own, so an agent cannot occupy an id of ours.
type Direction int

const (
	In    Direction = iota // agent → host
	Out                    // host → agent
	Local                  // the host's own facts, never sent
)

// Entry is one envelope in the log.
type Entry struct {
	Seq int64 // given by Append; grows over all conversations
	Dir Direction
	At  time.Time // when the host had it
	Env envelope.Envelope
	// Duplicate: this (conversation, id, direction) was stored before; Seq is the
	// old one and nothing was stored now.
	Duplicate bool
}

// Append commits the batch in one transaction, all or nothing, and returns it with
// Seq and Duplicate filled in. When it returns, the batch is on disk. An unknown
// conversation is ErrNotFound; the given slice is not changed.
func (s *Store) Append(ctx context.Context, batch []Entry) ([]Entry, error) {
	if len(batch) == 0 {
		return nil, nil
	}
	out := make([]Entry, len(batch))
	bodies := make([][]byte, len(batch)) // encoded before the writer is taken
	for i, e := range batch {
		switch {
		case e.Env.ConversationID == "":
			return nil, invalid("envelope.conversation_id", "a non-empty id")
		case e.Env.ID == "":
			return nil, invalid("envelope.id", "a non-empty id")
		case e.Dir < In || e.Dir > Local:
			return nil, invalid("entry.dir", "In, Out or Local")
		}
		b, err := encode(e.Env)
		if err != nil {
			return nil, fmt.Errorf("store: encode envelope %s: %w", e.Env.ID, err)
		}
		e.Seq, e.Duplicate, e.At = 0, false, fromDB(toDB(e.At))
		out[i], bodies[i] = e, b
	}
	err := s.tx(ctx, func(t *sql.Tx) error {
		insert := t.StmtContext(ctx, s.insert)
		for i := range out {
			if err := appendOne(ctx, t, insert, &out[i], bodies[i]); err != nil {
				return err
			}
		}
		return s.advance(ctx, t, out)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// prepare compiles the statements of Append, which runs for every envelope.
func (s *Store) prepare(ctx context.Context) (err error) {
	// The agent comes from the conversation; no conversation gives no row.
	if s.insert, err = s.db.PrepareContext(ctx, `INSERT INTO log(conv, agent_id, dir, id, at, extra, body)
		SELECT c.id, c.agent_id, ?, ?, ?, ?, ? FROM conversation c WHERE c.id = ?
		ON CONFLICT(conv, dir, id) DO NOTHING RETURNING seq`); err != nil {
		return fmt.Errorf("store: open: %w", kind(err))
	}
	if s.touch, err = s.db.PrepareContext(ctx, `UPDATE conversation SET last_seq = max(last_seq, ?1, ?2, ?3),
		last_in = max(last_in, ?1), last_out = max(last_out, ?2) WHERE id = ?4`); err != nil {
		return fmt.Errorf("store: open: %w", kind(err))
	}
	return nil
}

func appendOne(ctx context.Context, t *sql.Tx, insert *sql.Stmt, e *Entry, body []byte) error {
	err := insert.QueryRowContext(ctx, e.Dir, e.Env.ID, toDB(e.At), len(e.Env.Extra) > 0, body, e.Env.ConversationID).Scan(&e.Seq)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	err = t.QueryRowContext(ctx, `SELECT seq FROM log WHERE conv = ? AND dir = ? AND id = ?`,
		e.Env.ConversationID, e.Dir, e.Env.ID).Scan(&e.Seq)
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("%w: conversation of envelope %s", ErrNotFound, e.Env.ID)
	}
	e.Duplicate = true
	return err
}

// advance moves the last_* columns of the conversations that got new entries.
func (s *Store) advance(ctx context.Context, t *sql.Tx, batch []Entry) error {
	type last [3]int64
	touched := map[envelope.ConversationID]last{}
	for _, e := range batch {
		if !e.Duplicate {
			l := touched[e.Env.ConversationID]
			l[e.Dir] = e.Seq // seqs grow along the batch
			touched[e.Env.ConversationID] = l
		}
	}
	for conv, l := range touched {
		_, err := t.StmtContext(ctx, s.touch).ExecContext(ctx, l[In], l[Out], l[Local], conv)
		if err != nil {
			return fmt.Errorf("store: append: %w", err)
		}
	}
	return nil
}

// Log calls fn with the entries of conv after afterSeq in order, up to the newest
// at the time of the call. An error of fn ends it and is returned. An unknown
// conversation has no entries.
func (s *Store) Log(ctx context.Context, conv envelope.ConversationID, afterSeq int64, fn func(Entry) error) error {
	var end int64
	err := s.read.QueryRowContext(ctx, `SELECT coalesce(max(last_seq), 0) FROM conversation WHERE id = ?`, conv).Scan(&end)
	if err != nil {
		return fmt.Errorf("store: log: %w", kind(err))
	}
	for afterSeq < end {
		page, err := s.entries(ctx, `SELECT `+entryColumns+` FROM log l WHERE conv = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
			conv, afterSeq, end, logPage)
		if err != nil {
			return err
		}
		for _, e := range page {
			if err := fn(e); err != nil {
				return err
			}
			afterSeq = e.Seq
		}
		if len(page) < logPage {
			return nil
		}
	}
	return nil
}

// logPage is how many entries are in memory at once while a log is read.
const logPage = 256

// Entry gives one entry by its id.
func (s *Store) Entry(ctx context.Context, conv envelope.ConversationID, id envelope.ID, dir Direction) (Entry, bool, error) {
	e, err := scanEntry(s.read.QueryRowContext(ctx,
		`SELECT `+entryColumns+` FROM log l WHERE conv = ? AND dir = ? AND id = ?`, conv, dir, id))
	return found(e, err, "entry")
}

func (s *Store) entries(ctx context.Context, query string, args ...any) ([]Entry, error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	return collect(rows, err, "entries", scanEntry)
}

const entryColumns = `l.seq, l.dir, l.at, l.extra, l.body`

func scanEntry(r scanner) (e Entry, err error) {
	var at int64
	var extra bool
	var body []byte
	if err := r.Scan(&e.Seq, &e.Dir, &at, &extra, &body); err != nil {
		return e, err
	}
	e.At = fromDB(at)
	if e.Env, err = decode(body, extra); err != nil {
		return e, fmt.Errorf("%w: entry %d: %w", ErrCorrupt, e.Seq, err)
	}
	return e, nil
}
