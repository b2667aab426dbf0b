package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"lineup/capability"
)

// PublisherKey is a key whose signed interfaces the user trusts.
type PublisherKey struct {
	Key     string // minisign's one line of base64
	Name    string // the user's own word for it; no two keys have the same
	AddedAt time.Time
}

// AllowedBundle is an interface that an agent may show without asking.
type AllowedBundle struct {
	AgentID     string
	Digest      string // "sha256-" + base64
	Fingerprint string // of the agent's record when the user allowed it
	AppID, Name string // what it called itself then
	AddedAt     time.Time
}

// Trust keeps what the user trusts in a Store. Each change writes its record to
// the audit log in the same transaction.
type Trust struct {
	s   *Store
	key []byte
}

// Trust gives what the user trusts. key is the audit log's (see Audit).
func (s *Store) Trust(key []byte) *Trust { return &Trust{s, key} }

// Keys gives the publishers' keys, by name.
func (t *Trust) Keys(ctx context.Context) ([]PublisherKey, error) {
	rows, err := t.s.read.QueryContext(ctx, `SELECT key, name, added_at FROM publisher_key ORDER BY name`)
	return collect(rows, err, "publisher keys", func(r scanner) (k PublisherKey, err error) {
		var at int64
		err = r.Scan(&k.Key, &k.Name, &at)
		k.AddedAt = fromDB(at)
		return k, err
	})
}

// AddKey adds a key; false: the key or the name is there already, and nothing
// was changed.
func (t *Trust) AddKey(ctx context.Context, k PublisherKey, rec capability.Record) (bool, error) {
	return t.changed(ctx, rec, `INSERT INTO publisher_key(key, name, added_at) VALUES(?, ?, ?) ON CONFLICT DO NOTHING`,
		k.Key, k.Name, toDB(k.AddedAt))
}

// RemoveKey removes a key; false: there is none.
func (t *Trust) RemoveKey(ctx context.Context, key string, rec capability.Record) (bool, error) {
	return t.changed(ctx, rec, `DELETE FROM publisher_key WHERE key = ?`, key)
}

// Allowed gives the allowed interfaces of all agents, newest first.
func (t *Trust) Allowed(ctx context.Context) ([]AllowedBundle, error) {
	rows, err := t.s.read.QueryContext(ctx, `SELECT agent_id, digest, fingerprint, app_id, name, added_at
		FROM allowed_bundle ORDER BY added_at DESC, agent_id, digest`)
	return collect(rows, err, "allowed bundles", func(r scanner) (b AllowedBundle, err error) {
		var at int64
		err = r.Scan(&b.AgentID, &b.Digest, &b.Fingerprint, &b.AppID, &b.Name, &at)
		b.AddedAt = fromDB(at)
		return b, err
	})
}

// Allow notes an allowed interface, in place of what was noted of the same digest.
func (t *Trust) Allow(ctx context.Context, b AllowedBundle, rec capability.Record) error {
	_, err := t.changed(ctx, rec, `INSERT INTO allowed_bundle(agent_id, digest, fingerprint, app_id, name, added_at)
		VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT(agent_id, digest) DO UPDATE SET fingerprint = excluded.fingerprint,
			app_id = excluded.app_id, name = excluded.name, added_at = excluded.added_at`,
		b.AgentID, b.Digest, b.Fingerprint, b.AppID, b.Name, toDB(b.AddedAt))
	return err
}

// Disallow forgets an allowed interface; false: there is none.
func (t *Trust) Disallow(ctx context.Context, agentID, digest string, rec capability.Record) (bool, error) {
	return t.changed(ctx, rec, `DELETE FROM allowed_bundle WHERE agent_id = ? AND digest = ?`, agentID, digest)
}

// ForgetAgent forgets all interfaces that an agent was allowed. rec stands for all of them.
func (t *Trust) ForgetAgent(ctx context.Context, agentID string, rec capability.Record) error {
	_, err := t.changed(ctx, rec, `DELETE FROM allowed_bundle WHERE agent_id = ?`, agentID)
	return err
}

// changed runs one write; if it changed a row, rec goes into the audit log too.
func (t *Trust) changed(ctx context.Context, rec capability.Record, query string, args ...any) (bool, error) {
	var some bool
	err := t.s.tx(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, query, args...)
		if err != nil {
			return fmt.Errorf("store: trust: %w", err)
		}
		n, err := res.RowsAffected()
		if err != nil || n == 0 {
			return err
		}
		some = true
		_, err = appendAudit(ctx, tx, t.key, rec)
		return err
	})
	return some && err == nil, err
}
