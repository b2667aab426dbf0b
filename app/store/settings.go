package store

import (
	"context"
	"database/sql"
	"fmt"

	"lineup/app/envelope"
)

// Setting gives a setting of the host; false: never set.
func (s *Store) Setting(ctx context.Context, key string) (string, bool, error) {
	var v string
	err := s.read.QueryRowContext(ctx, `SELECT value FROM setting WHERE key = ?`, key).Scan(&v)
	return found(v, err, "setting")
}

// SetSetting sets a setting of the host.
func (s *Store) SetSetting(ctx context.Context, key, value string) error {
	return s.change(ctx, "set setting", `INSERT INTO setting(key, value) VALUES(?, ?)
		ON CONFLICT(key) DO UPDATE SET value = excluded.value`, key, value)
}

// Fact gives something the host noted about a conversation, and which goes when
// the conversation is purged; false: never noted.
func (s *Store) Fact(ctx context.Context, conv envelope.ConversationID, key string) (string, bool, error) {
	var v string
	err := s.read.QueryRowContext(ctx, `SELECT value FROM fact WHERE conv = ? AND key = ?`, conv, key).Scan(&v)
	return found(v, err, "fact")
}

// SetFact notes something about a conversation; an unknown one is ErrNotFound.
func (s *Store) SetFact(ctx context.Context, conv envelope.ConversationID, key, value string) error {
	return s.change(ctx, "conversation", `INSERT INTO fact(conv, key, value) SELECT id, ?, ? FROM conversation WHERE id = ?
		ON CONFLICT(conv, key) DO UPDATE SET value = excluded.value`, key, value, conv)
}

// exists is for checks inside a transaction.
func exists(ctx context.Context, t *sql.Tx, query string, args ...any) (bool, error) {
	var yes bool
	if err := t.QueryRowContext(ctx, `SELECT EXISTS(`+query+`)`, args...).Scan(&yes); err != nil {
		return false, fmt.Errorf("store: %w", err)
	}
	return yes, nil
}
