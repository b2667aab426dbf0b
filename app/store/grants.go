package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"lineup/capability"
)

// Grants keeps remembered answers in a Store. It implements capability.Grants.
type Grants struct {
	s   *Store
	key []byte
}

// Grants gives the remembered answers. key is the audit log's (see Audit).
func (s *Store) Grants(key []byte) *Grants { return &Grants{s, key} }

const grantColumns = `id, agent_id, fingerprint, capability, scope, duration, conv, effect, rules, created_at, last_used_at`

// Match gives all grants of the agent for the capability and scope.
func (g *Grants) Match(ctx context.Context, agent capability.AgentID, name capability.Name, scope string) ([]capability.Grant, error) {
	rows, err := g.s.read.QueryContext(ctx, `SELECT `+grantColumns+` FROM capability_grant
		WHERE agent_id = ? AND capability = ? AND scope = ? ORDER BY created_at DESC, id DESC`, agent, name, scope)
	return collect(rows, err, "grants", scanGrant)
}

// List gives all grants, newest first.
func (g *Grants) List(ctx context.Context) ([]capability.Grant, error) {
	rows, err := g.s.read.QueryContext(ctx, `SELECT `+grantColumns+` FROM capability_grant ORDER BY created_at DESC, id DESC`)
	return collect(rows, err, "grants", scanGrant)
}

// Revoke deletes one grant and writes rec to the audit log; false: there is none.
func (g *Grants) Revoke(ctx context.Context, id string, rec capability.Record) (bool, error) {
	var had bool
	err := g.s.tx(ctx, func(t *sql.Tx) error {
		res, err := t.ExecContext(ctx, `DELETE FROM capability_grant WHERE id = ?`, id)
		if err != nil {
			return fmt.Errorf("store: revoke grant: %w", err)
		}
		n, err := res.RowsAffected()
		if err != nil || n == 0 {
			return err
		}
		had = true
		_, err = appendAudit(ctx, t, g.key, rec)
		return err
	})
	return had && err == nil, err
}

// ForgetConversation deletes the grants for one conversation.
func (g *Grants) ForgetConversation(ctx context.Context, conversation string, at time.Time) error {
	return g.forget(ctx, at, `duration = 'conversation' AND conv = ?`, conversation)
}

// ForgetAgent deletes all grants of an agent.
func (g *Grants) ForgetAgent(ctx context.Context, agent capability.AgentID, at time.Time) error {
	return g.forget(ctx, at, `agent_id = ?`, string(agent))
}

// forget deletes the grants that match and leaves a record of each.
func (g *Grants) forget(ctx context.Context, at time.Time, where, arg string) error {
	return g.s.tx(ctx, func(t *sql.Tx) error {
		rows, err := t.QueryContext(ctx, `DELETE FROM capability_grant WHERE `+where+` RETURNING `+grantColumns, arg)
		gone, err := collect(rows, err, "forget grants", scanGrant)
		if err != nil {
			return err
		}
		for _, x := range gone {
			_, err := appendAudit(ctx, t, g.key, capability.Record{Chain: x.Agent, At: at, Event: capability.EventGrantRevoked,
				Conversation: x.Conversation, Capability: x.Capability, Decision: x.Duration})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func putGrant(ctx context.Context, t *sql.Tx, x capability.Grant) error {
	rules, err := json.Marshal(x.Rules)
	if err != nil {
		return fmt.Errorf("store: grant: %w", err)
	}
	// The same answer again, e.g. after the idle time, replaces the old one.
	_, err = t.ExecContext(ctx, `DELETE FROM capability_grant WHERE agent_id = ? AND capability = ? AND scope = ? AND duration = ? AND conv = ?`,
		x.Agent, x.Capability, x.Scope, x.Duration, x.Conversation)
	if err != nil {
		return fmt.Errorf("store: grant: %w", err)
	}
	_, err = t.ExecContext(ctx, `INSERT INTO capability_grant(`+grantColumns+`) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		x.ID, x.Agent, x.Fingerprint, x.Capability, x.Scope, x.Duration, x.Conversation, x.Effect, string(rules), toDB(x.CreatedAt), toDB(x.LastUsedAt))
	if err != nil {
		return fmt.Errorf("store: grant: %w", err)
	}
	return nil
}

func scanGrant(s scanner) (x capability.Grant, err error) {
	var rules string
	var created, used int64
	err = s.Scan(&x.ID, &x.Agent, &x.Fingerprint, &x.Capability, &x.Scope, &x.Duration, &x.Conversation, &x.Effect, &rules, &created, &used)
	if err != nil {
		return x, err
	}
	x.CreatedAt, x.LastUsedAt = fromDB(created), fromDB(used)
	return x, json.Unmarshal([]byte(rules), &x.Rules)
}
