package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"lineup/app/envelope"
)

// Artifact is a file that an agent handed over or the user attached. It belongs
// to one conversation, and so to one agent. Contents are in the data file and not
// beside it: they are committed with their record, and there is one thing to back
// up and to delete. Equal contents are kept once.
type Artifact struct {
	ID           string // unique in its conversation
	Conversation envelope.ConversationID
	AgentID      string
	Name, MIME   string // as declared; both untrusted
	Size         int64  // bytes
	SHA256       string // hex
	CreatedAt    time.Time
}

// PutArtifact stores data of at most limit bytes (else ErrTooLarge) as a's
// content and returns a with Size and SHA256 filled in. The conversation must be
// a.AgentID's (else ErrNotFound). The same id again: with the same content it is the
// stored record that comes back, with other content ErrExists.
func (s *Store) PutArtifact(ctx context.Context, a Artifact, data []byte, limit int64) (Artifact, error) {
	if a.ID == "" {
		return Artifact{}, invalid("artifact.id", "a non-empty id")
	}
	if int64(len(data)) > limit {
		return Artifact{}, fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, len(data), limit)
	}
	hash := sha256.Sum256(data)
	a.Size, a.SHA256, a.CreatedAt = int64(len(data)), hex.EncodeToString(hash[:]), fromDB(toDB(a.CreatedAt))
	if data == nil {
		data = []byte{} // NULL is no content
	}
	err := s.tx(ctx, func(t *sql.Tx) error {
		own, err := exists(ctx, t, `SELECT 1 FROM conversation WHERE id = ? AND agent_id = ?`, a.Conversation, a.AgentID)
		if err != nil {
			return err
		}
		if !own {
			return fmt.Errorf("%w: conversation of the artifact", ErrNotFound)
		}
		old, err := scanArtifact(t.QueryRowContext(ctx, `SELECT `+artifactColumns+` FROM artifact WHERE conv = ? AND id = ?`, a.Conversation, a.ID))
		switch {
		case err == nil && old.SHA256 == a.SHA256:
			a = old
			return nil
		case err == nil:
			return fmt.Errorf("%w: artifact with other content", ErrExists)
		case !errors.Is(err, sql.ErrNoRows):
			return fmt.Errorf("store: put artifact: %w", err)
		}
		if _, err := t.ExecContext(ctx, `INSERT INTO blob(hash, data) VALUES(?, ?) ON CONFLICT DO NOTHING`, hash[:], data); err != nil {
			return fmt.Errorf("store: put artifact: %w", err)
		}
		_, err = t.ExecContext(ctx, `INSERT INTO artifact(`+artifactColumns+`) VALUES(?, ?, ?, ?, ?, ?, ?, ?)`,
			a.ID, a.Conversation, a.AgentID, a.Name, a.MIME, a.Size, hash[:], toDB(a.CreatedAt))
		return err
	})
	if err != nil {
		return Artifact{}, err
	}
	return a, nil
}

const artifactColumns = `id, conv, agent_id, name, mime, size, hash, created_at`

// Artifact gives the record of an artifact of the agent's conversation, without
// its content.
func (s *Store) Artifact(ctx context.Context, agentID string, conv envelope.ConversationID, id string) (Artifact, bool, error) {
	a, err := scanArtifact(s.read.QueryRowContext(ctx, `SELECT `+artifactColumns+` FROM artifact WHERE conv = ? AND id = ? AND agent_id = ?`, conv, id, agentID))
	return found(a, err, "artifact")
}

// ArtifactData gives the content.
func (s *Store) ArtifactData(ctx context.Context, agentID string, conv envelope.ConversationID, id string) ([]byte, bool, error) {
	var data []byte
	err := s.read.QueryRowContext(ctx, `SELECT b.data FROM artifact a JOIN blob b ON b.hash = a.hash
		WHERE a.conv = ? AND a.id = ? AND a.agent_id = ?`, conv, id, agentID).Scan(&data)
	return found(data, err, "artifact")
}

func scanArtifact(r scanner) (a Artifact, err error) {
	var hash []byte
	var created int64
	err = r.Scan(&a.ID, &a.Conversation, &a.AgentID, &a.Name, &a.MIME, &a.Size, &hash, &created)
	a.SHA256, a.CreatedAt = hex.EncodeToString(hash), fromDB(created)
	return a, err
}
