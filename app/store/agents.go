package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Agent is the host's own record of an agent.
type Agent struct {
	ID, Name, URL string
	Demo          bool
	WireID        string // sender.id, learned at the first ready; "" = not yet
	Version       string // as the last ready said
	CreatedAt     time.Time
	DeletedAt     *time.Time // nil: not deleted
}

const agentColumns = `id, name, url, demo, wire_id, version, created_at, deleted_at`

// PutAgent adds the agent or changes all of its record except CreatedAt, which
// the first one sets. A deleted agent comes back unless a.DeletedAt is set.
func (s *Store) PutAgent(ctx context.Context, a Agent) error {
	if a.ID == "" {
		return invalid("agent.id", "a non-empty id")
	}
	return s.change(ctx, "put agent", `INSERT INTO agent(`+agentColumns+`) VALUES(?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT(id) DO UPDATE SET name = excluded.name, url = excluded.url, demo = excluded.demo,
			wire_id = excluded.wire_id, version = excluded.version, deleted_at = excluded.deleted_at`,
		a.ID, a.Name, a.URL, a.Demo, a.WireID, a.Version, toDB(a.CreatedAt), optional(a.DeletedAt))
}

// SetAgentWire records what a ready told: the wire id and the version. Unlike
// PutAgent it brings no agent back that the user deleted meanwhile: ErrNotFound.
func (s *Store) SetAgentWire(ctx context.Context, id, wireID, version string) error {
	return s.change(ctx, "agent", `UPDATE agent SET wire_id = ?, version = ? WHERE id = ? AND deleted_at IS NULL`, wireID, version, id)
}

// Agents gives the agents that are not deleted, oldest first.
func (s *Store) Agents(ctx context.Context) ([]Agent, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT `+agentColumns+` FROM agent WHERE deleted_at IS NULL ORDER BY created_at, id`)
	return collect(rows, err, "agents", scanAgent)
}

// Agent gives one agent, also a deleted one.
func (s *Store) Agent(ctx context.Context, id string) (Agent, bool, error) {
	a, err := scanAgent(s.read.QueryRowContext(ctx, `SELECT `+agentColumns+` FROM agent WHERE id = ?`, id))
	return found(a, err, "agent")
}

// DeleteAgent takes the agent off the list. Its conversations and
// their log stay. Deleting it twice keeps the first time.
func (s *Store) DeleteAgent(ctx context.Context, id string) error {
	return s.change(ctx, "agent", `UPDATE agent SET deleted_at = coalesce(deleted_at, CAST(unixepoch('subsec') * 1000000 AS INTEGER)) WHERE id = ?`, id)
}

type scanner interface{ Scan(...any) error }

func scanAgent(r scanner) (a Agent, err error) {
	var created int64
	var deleted sql.NullInt64
	err = r.Scan(&a.ID, &a.Name, &a.URL, &a.Demo, &a.WireID, &a.Version, &created, &deleted)
	a.CreatedAt, a.DeletedAt = fromDB(created), fromOptional(deleted)
	return a, err
}

// collect reads all rows with scan and closes them.
func collect[T any](rows *sql.Rows, err error, what string, scan func(scanner) (T, error)) ([]T, error) {
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", what, kind(err))
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, fmt.Errorf("store: %s: %w", what, kind(err))
		}
		out = append(out, v)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("store: %s: %w", what, kind(err))
	}
	return out, nil
}

// found turns "no rows" into false.
func found[T any](v T, err error, what string) (T, bool, error) {
	var none T
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return none, false, nil
	case err != nil:
		return none, false, fmt.Errorf("store: %s: %w", what, kind(err))
	}
	return v, true, nil
}

func optional(t *time.Time) any {
	if t == nil {
		return nil
	}
	return t.UnixMicro()
}

func fromOptional(n sql.NullInt64) *time.Time {
	if !n.Valid {
		return nil
	}
	t := time.UnixMicro(n.Int64).UTC()
	return &t
}
