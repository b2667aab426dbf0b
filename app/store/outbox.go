package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"lineup/app/envelope"
)

// Watermark says how far the other side is in one conversation. Both are Seq
// values of Out entries; 0 means nothing yet. Neither ever goes back.
type Watermark struct {
	Conversation envelope.ConversationID
	SentSeq      int64 // written to the connection, perhaps lost with it
	ProcessedSeq int64 // the agent said that it has processed this
}

// Outbox gives the Out entries of the agent's conversations with Seq > after, in
// order, sent or not; entries of held conversations (SetDeleted) are left out.
func (s *Store) Outbox(ctx context.Context, agentID string, after int64, limit int) ([]Entry, error) {
	return s.entries(ctx, `SELECT `+entryColumns+` FROM log l JOIN conversation c ON c.id = l.conv
		WHERE l.agent_id = ? AND l.dir = 1 AND l.seq > ? AND c.held = 0 ORDER BY l.seq LIMIT ?`, agentID, after, bound(limit))
}

// Watermarks gives those of the agent's conversations, without held ones.
func (s *Store) Watermarks(ctx context.Context, agentID string) ([]Watermark, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT id, sent_seq, processed_seq FROM conversation
		WHERE agent_id = ? AND held = 0 ORDER BY last_seq`, agentID)
	return collect(rows, err, "watermarks", func(r scanner) (w Watermark, err error) {
		return w, r.Scan(&w.Conversation, &w.SentSeq, &w.ProcessedSeq)
	})
}

// MarkSent records that the Out entries of conv up to seq were written to the
// connection.
func (s *Store) MarkSent(ctx context.Context, conv envelope.ConversationID, seq int64) error {
	return s.change(ctx, "conversation", `UPDATE conversation SET sent_seq = max(sent_seq, ?) WHERE id = ?`, seq, conv)
}

// MarkProcessed records the last id of ours that the agent says it has processed,
// and gives that entry's Seq: what comes after it is to be sent again. An id that
// is no Out entry of conv is known=false and changes nothing. The caller has
// checked that conv is the agent's own: agents name conversations freely.
func (s *Store) MarkProcessed(ctx context.Context, conv envelope.ConversationID, id envelope.ID) (seq int64, known bool, err error) {
	err = s.tx(ctx, func(t *sql.Tx) error {
		err := t.QueryRowContext(ctx, `SELECT seq FROM log WHERE conv = ? AND dir = 1 AND id = ?`, conv, id).Scan(&seq)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("store: mark processed: %w", err)
		}
		known = true
		_, err = t.ExecContext(ctx, `UPDATE conversation SET processed_seq = max(processed_seq, ?1), sent_seq = max(sent_seq, ?1) WHERE id = ?2`, seq, conv)
		return err
	})
	if err != nil {
		return 0, false, err
	}
	return seq, known, nil
}

// Pending gives what is to be sent to the agent, in order: the Out entries with
// Seq > after that are also beyond their conversation's own bound, which is
// from[conversation] if it is there and SentSeq otherwise. To walk all of it, pass
// the last Seq of each page as the next after, with the same from. Conversations
// in from that are not the agent's, and held ones, give nothing.
func (s *Store) Pending(ctx context.Context, agentID string, from map[envelope.ConversationID]int64, after int64, limit int) ([]Entry, error) {
	bounds, err := json.Marshal(from)
	if err != nil {
		return nil, fmt.Errorf("store: pending: %w", err)
	}
	if from == nil {
		bounds = []byte("{}")
	}
	// CROSS JOIN fixes the order of the loops: the few conversations that have
	// anything, then their part of log_queue; the bodies only of the page.
	return s.entries(ctx, `
		WITH lower(conv, seq) AS (
			SELECT c.id, j.value FROM json_each(?1) j CROSS JOIN conversation c ON c.id = j.key
				WHERE c.agent_id = ?2 AND c.held = 0 AND c.last_out > max(j.value, ?3)
			UNION ALL
			SELECT id, sent_seq FROM conversation
				WHERE agent_id = ?2 AND held = 0 AND last_out > sent_seq AND last_out > ?3 AND id NOT IN (SELECT key FROM json_each(?1))
		), page(seq) AS MATERIALIZED (
			SELECT q.seq FROM lower CROSS JOIN log q ON q.conv = lower.conv AND q.dir = 1 AND q.seq > max(lower.seq, ?3)
				ORDER BY q.seq LIMIT ?4
		)
		SELECT `+entryColumns+` FROM page CROSS JOIN log l ON l.seq = page.seq ORDER BY l.seq`,
		string(bounds), agentID, after, bound(limit))
}

// CountQueued says how many Out entries of the agent were never sent.
func (s *Store) CountQueued(ctx context.Context, agentID string) (int, error) {
	var n int
	err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM conversation c CROSS JOIN log q ON q.conv = c.id AND q.dir = 1 AND q.seq > c.sent_seq
		WHERE c.agent_id = ? AND c.held = 0 AND c.last_out > c.sent_seq`, agentID).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("store: count queued: %w", kind(err))
	}
	return n, nil
}

// resumePoints is how many conversations a hello names at most: a hello must fit
// an envelope.
const resumePoints = 200

// ResumePoints gives the id of the last In entry of the agent's conversations
// that are not deleted and have one: the 200 with the newest entries, newest first.
func (s *Store) ResumePoints(ctx context.Context, agentID string) ([]envelope.ResumePoint, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT c.id, l.id FROM conversation c CROSS JOIN log l ON l.seq = c.last_in
		WHERE c.agent_id = ? AND c.deleted_at IS NULL ORDER BY c.last_seq DESC LIMIT ?`, agentID, resumePoints)
	return collect(rows, err, "resume points", func(r scanner) (p envelope.ResumePoint, err error) {
		return p, r.Scan(&p.ConversationID, &p.LastID)
	})
}

// bound keeps a page within reason: 1…1000.
func bound(limit int) int { return min(max(limit, 1), 1000) }
