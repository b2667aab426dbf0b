package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
)

// NextRevision gives the number N of the agent's inventory "catalog-N" for
// content, which is the inventory without its revision, in a form that is equal
// byte for byte when nothing changed. The same content as the agent's latest keeps
// its number (changed=false); any other gets one that is higher than every number
// given before, to any agent, in any run (PROTOCOL.md §6).
func (s *Store) NextRevision(ctx context.Context, agentID string, content []byte) (n int64, changed bool, err error) {
	hash := sha256.Sum256(content)
	err = s.tx(ctx, func(t *sql.Tx) error {
		var old []byte
		err := t.QueryRowContext(ctx, `SELECT n, hash FROM revision WHERE agent_id = ?`, agentID).Scan(&n, &old)
		if err == nil && bytes.Equal(old, hash[:]) {
			return nil
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("store: revision: %w", err)
		}
		changed = true
		if _, err := t.ExecContext(ctx, `DELETE FROM revision WHERE agent_id = ?`, agentID); err != nil {
			return fmt.Errorf("store: revision: %w", err)
		}
		return t.QueryRowContext(ctx, `INSERT INTO revision(agent_id, hash) VALUES(?, ?) RETURNING n`, agentID, hash[:]).Scan(&n)
	})
	if err != nil {
		return 0, false, err
	}
	return n, changed, nil
}

// RememberKnown notes names of one kind ("capability", "app", …) that a revision
// of the agent has. They are never forgotten: that is how "revoked" is told from
// "unsupported".
func (s *Store) RememberKnown(ctx context.Context, agentID, kind string, names ...string) error {
	if len(names) == 0 {
		return nil
	}
	return s.tx(ctx, func(t *sql.Tx) error {
		for _, name := range names {
			_, err := t.ExecContext(ctx, `INSERT INTO known(agent_id, kind, name) VALUES(?, ?, ?) ON CONFLICT DO NOTHING`, agentID, kind, name)
			if err != nil {
				return fmt.Errorf("store: remember known: %w", err)
			}
		}
		return nil
	})
}

// EverKnown says whether any revision of the agent ever had the name.
func (s *Store) EverKnown(ctx context.Context, agentID, kind, name string) (bool, error) {
	var one int
	err := s.read.QueryRowContext(ctx, `SELECT 1 FROM known WHERE agent_id = ? AND kind = ? AND name = ?`, agentID, kind, name).Scan(&one)
	_, yes, err := found(one, err, "known")
	return yes, err
}
