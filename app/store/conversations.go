package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"lineup/app/envelope"
)

// Conversation is the record of one conversation; what was said is in the log.
type Conversation struct {
	ID        envelope.ConversationID
	AgentID   string // never changes
	Title     string // "": not named yet
	Pinned    bool
	Draft     string
	CreatedAt time.Time
	UpdatedAt time.Time
	DeletedAt *time.Time // nil: not deleted
	ReadSeq   int64      // the user has seen entries up to here
	LastSeq   int64      // the newest entry; 0: the log is empty
	Preview   string
}

const conversationColumns = `id, agent_id, title, pinned, draft, created_at, updated_at, deleted_at, read_seq, last_seq, preview`

// CreateConversation adds a conversation of a known agent (else ErrNotFound); an
// id that is taken is ErrExists. LastSeq is ignored; a zero UpdatedAt becomes CreatedAt.
func (s *Store) CreateConversation(ctx context.Context, c Conversation) error {
	if c.ID == "" {
		return invalid("conversation.id", "a non-empty id")
	}
	if c.UpdatedAt.IsZero() {
		c.UpdatedAt = c.CreatedAt
	}
	return s.tx(ctx, func(t *sql.Tx) error {
		var agents, same int
		err := t.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM agent WHERE id = ?), (SELECT count(*) FROM conversation WHERE id = ?)`,
			c.AgentID, c.ID).Scan(&agents, &same)
		switch {
		case err != nil:
			return fmt.Errorf("store: create conversation: %w", err)
		case agents == 0:
			return fmt.Errorf("%w: agent of the conversation", ErrNotFound)
		case same > 0:
			return fmt.Errorf("%w: conversation", ErrExists)
		}
		_, err = t.ExecContext(ctx, `INSERT INTO conversation(id, agent_id, title, pinned, draft, created_at, updated_at, deleted_at, read_seq, preview)
			VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, c.ID, c.AgentID, c.Title, c.Pinned, c.Draft,
			toDB(c.CreatedAt), toDB(c.UpdatedAt), optional(c.DeletedAt), c.ReadSeq, c.Preview)
		if err != nil {
			return fmt.Errorf("store: create conversation: %w", err)
		}
		return indexTitle(ctx, t, c.ID, c.Title)
	})
}

// Conversations gives the list, pinned first, then the newest first.
func (s *Store) Conversations(ctx context.Context, includeDeleted bool) ([]Conversation, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT `+conversationColumns+` FROM conversation
		WHERE ? OR deleted_at IS NULL ORDER BY pinned DESC, updated_at DESC, id DESC`, includeDeleted)
	return collect(rows, err, "conversations", scanConversation)
}

// Conversation gives one conversation, also a deleted one.
func (s *Store) Conversation(ctx context.Context, id envelope.ConversationID) (Conversation, bool, error) {
	c, err := scanConversation(s.read.QueryRowContext(ctx, `SELECT `+conversationColumns+` FROM conversation WHERE id = ?`, id))
	return found(c, err, "conversation")
}

// SetTitle names the conversation; search finds it by the new title.
func (s *Store) SetTitle(ctx context.Context, id envelope.ConversationID, title string) error {
	return s.tx(ctx, func(t *sql.Tx) error {
		r, err := t.ExecContext(ctx, `UPDATE conversation SET title = ? WHERE id = ?`, title, id)
		if err != nil {
			return fmt.Errorf("store: set title: %w", err)
		}
		if n, err := r.RowsAffected(); err != nil || n == 0 {
			return fmt.Errorf("%w: conversation", ErrNotFound)
		}
		return indexTitle(ctx, t, id, title)
	})
}

// SetPinned pins the conversation to the top of the list, or lets it go.
func (s *Store) SetPinned(ctx context.Context, id envelope.ConversationID, pinned bool) error {
	return s.change(ctx, "conversation", `UPDATE conversation SET pinned = ? WHERE id = ?`, pinned, id)
}

// SetDraft keeps what the user has typed and not sent.
func (s *Store) SetDraft(ctx context.Context, id envelope.ConversationID, draft string) error {
	return s.change(ctx, "conversation", `UPDATE conversation SET draft = ? WHERE id = ?`, draft, id)
}

// SetDeleted takes the conversation off the list, or brings it back with nil.
//
// What the user queued and then deleted must not go out, and an undo must lose
// nothing: if the conversation has unsent entries now, it is held, and the queue
// leaves all of its entries out until it is brought back. If everything was sent,
// entries appended later (settling what was open) still go out. So: SetDeleted
// first, then append what closes its open calls.
func (s *Store) SetDeleted(ctx context.Context, id envelope.ConversationID, at *time.Time) error {
	return s.change(ctx, "conversation", `UPDATE conversation SET deleted_at = ?1,
		held = CASE WHEN ?1 IS NULL THEN 0 WHEN deleted_at IS NULL THEN last_out > sent_seq ELSE held END WHERE id = ?2`, optional(at), id)
}

// SetReadSeq records what the user has seen. It never goes back.
func (s *Store) SetReadSeq(ctx context.Context, id envelope.ConversationID, seq int64) error {
	return s.change(ctx, "conversation", `UPDATE conversation SET read_seq = max(read_seq, ?) WHERE id = ?`, seq, id)
}

// SetPreview sets the second line of the list and moves the conversation to its
// place by updatedAt.
func (s *Store) SetPreview(ctx context.Context, id envelope.ConversationID, text string, updatedAt time.Time) error {
	return s.change(ctx, "conversation", `UPDATE conversation SET preview = ?, updated_at = ? WHERE id = ?`, text, toDB(updatedAt), id)
}

// PurgeDeleted removes for good the conversations that were deleted before
// olderThan, with log, facts, index and artifacts; it says how many. Audit
// records are not part of a conversation and stay.
func (s *Store) PurgeDeleted(ctx context.Context, olderThan time.Time) (int, error) {
	var n int64
	err := s.tx(ctx, func(t *sql.Tx) error {
		r, err := t.ExecContext(ctx, `DELETE FROM conversation WHERE deleted_at IS NOT NULL AND deleted_at < ?`, toDB(olderThan))
		if err != nil {
			return fmt.Errorf("store: purge: %w", err)
		}
		if n, err = r.RowsAffected(); err != nil || n == 0 {
			return err
		}
		_, err = t.ExecContext(ctx, `DELETE FROM blob WHERE NOT EXISTS (SELECT 1 FROM artifact WHERE artifact.hash = blob.hash)`)
		if err != nil {
			return fmt.Errorf("store: purge: %w", err)
		}
		return nil
	})
	return int(n), err
}

func scanConversation(r scanner) (c Conversation, err error) {
	var created, updated int64
	var deleted sql.NullInt64
	err = r.Scan(&c.ID, &c.AgentID, &c.Title, &c.Pinned, &c.Draft, &created, &updated, &deleted, &c.ReadSeq, &c.LastSeq, &c.Preview)
	c.CreatedAt, c.UpdatedAt, c.DeletedAt = fromDB(created), fromDB(updated), fromOptional(deleted)
	return c, err
}
