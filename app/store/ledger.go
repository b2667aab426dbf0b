package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"lineup/capability"
)

// Ledger keeps agents' calls in a Store. It implements capability.Ledger.
type Ledger struct {
	s   *Store
	key []byte
}

// Ledger gives the ledger of calls. key is the audit log's (see Audit).
func (s *Store) Ledger(key []byte) *Ledger { return &Ledger{s, key} }

const callColumns = `agent_id, call_id, conv, capability, reason, expires_at, requested_at, args, hash, phase, status, value, code, message, reported`

// Begin stores e unless its agent and call id are known.
func (l *Ledger) Begin(ctx context.Context, e capability.Entry, also capability.Also) (stored capability.Entry, fresh bool, err error) {
	c, r := e.Call, e.Result
	err = l.s.tx(ctx, func(t *sql.Tx) error {
		res, err := t.ExecContext(ctx, `INSERT INTO call(`+callColumns+`, changed_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
			ON CONFLICT(agent_id, call_id) DO NOTHING`,
			c.Agent, c.ID, c.Conversation, c.Capability, c.Reason, toDB(c.ExpiresAt), toDB(c.RequestedAt), orNull(c.Args),
			e.Hash, e.Phase, r.Status, orNull(r.Value), r.Code, r.Message, toDB(c.RequestedAt))
		if err != nil {
			return fmt.Errorf("store: begin call: %w", err)
		}
		n, err := res.RowsAffected()
		if err != nil {
			return fmt.Errorf("store: begin call: %w", err)
		}
		if fresh = n == 1; fresh {
			if err := l.also(ctx, t, also); err != nil {
				return err
			}
		}
		stored, err = scanCall(t.QueryRowContext(ctx, `SELECT `+callColumns+` FROM call WHERE agent_id = ? AND call_id = ?`, c.Agent, c.ID))
		return err
	})
	if err != nil {
		return capability.Entry{}, false, err
	}
	return stored, fresh, nil
}

// Advance moves a call from one phase to another.
func (l *Ledger) Advance(ctx context.Context, k capability.Key, from, to capability.Phase, r capability.Result, at time.Time, also capability.Also) error {
	return l.s.tx(ctx, func(t *sql.Tx) error {
		res, err := t.ExecContext(ctx, `UPDATE call SET phase = ?, status = ?, value = ?, code = ?, message = ?, changed_at = ?
			WHERE agent_id = ? AND call_id = ? AND phase = ?`,
			to, r.Status, orNull(r.Value), r.Code, r.Message, toDB(at), k.Agent, k.ID, from)
		if err != nil {
			return fmt.Errorf("store: advance call: %w", err)
		}
		n, err := res.RowsAffected()
		if err != nil {
			return fmt.Errorf("store: advance call: %w", err)
		}
		if n == 0 {
			return capability.ErrConflict
		}
		return l.also(ctx, t, also)
	})
}

// Find gives one call.
func (l *Ledger) Find(ctx context.Context, k capability.Key) (capability.Entry, bool, error) {
	e, err := scanCall(l.s.read.QueryRowContext(ctx, `SELECT `+callColumns+` FROM call WHERE agent_id = ? AND call_id = ?`, k.Agent, k.ID))
	return found(e, err, "call")
}

// Unfinished gives what is open or not reported, in the order of arrival.
func (l *Ledger) Unfinished(ctx context.Context) ([]capability.Entry, error) {
	rows, err := l.s.read.QueryContext(ctx, `SELECT `+callColumns+` FROM call WHERE reported = 0 ORDER BY n`)
	return collect(rows, err, "calls", scanCall)
}

// Reported notes that the result of a settled call was taken.
func (l *Ledger) Reported(ctx context.Context, k capability.Key) error {
	return l.s.tx(ctx, func(t *sql.Tx) error {
		_, err := t.ExecContext(ctx, `UPDATE call SET reported = 1 WHERE agent_id = ? AND call_id = ? AND phase = 'settled'`, k.Agent, k.ID)
		return err
	})
}

// also writes what belongs to a transition, in its transaction.
func (l *Ledger) also(ctx context.Context, t *sql.Tx, a capability.Also) error {
	if a.Remember != nil {
		if err := putGrant(ctx, t, *a.Remember); err != nil {
			return err
		}
	}
	if a.UsedID != "" {
		if _, err := t.ExecContext(ctx, `UPDATE capability_grant SET last_used_at = ? WHERE id = ?`, toDB(a.UsedAt), a.UsedID); err != nil {
			return fmt.Errorf("store: use grant: %w", err)
		}
	}
	for _, r := range a.Records {
		if _, err := appendAudit(ctx, t, l.key, r); err != nil {
			return err
		}
	}
	return nil
}

func scanCall(s scanner) (e capability.Entry, err error) {
	var expires, requested int64
	var args, value []byte
	c, r := &e.Call, &e.Result
	err = s.Scan(&c.Agent, &c.ID, &c.Conversation, &c.Capability, &c.Reason, &expires, &requested, &args, &e.Hash, &e.Phase,
		&r.Status, &value, &r.Code, &r.Message, &e.Reported)
	c.ExpiresAt, c.RequestedAt = fromDB(expires), fromDB(requested)
	c.Args, r.Value = json.RawMessage(args), json.RawMessage(value)
	return e, err
}

func orNull(b json.RawMessage) any {
	if len(b) == 0 {
		return nil
	}
	return []byte(b)
}
