package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"lineup/capability"
)

// Audit is the audit log in a Store. It implements capability.Audit.
type Audit struct {
	s   *Store
	key []byte
}

// Audit gives the audit log. key authenticates the heads of its chains: it is kept
// outside the data file, and the same at each start.
func (s *Store) Audit(key []byte) *Audit { return &Audit{s, key} }

const auditColumns = `n, chain, seq, at, event, call_id, conv, capability, decision, code, summary, prev, hash`

// Append adds a record of something that is no step of a call.
func (a *Audit) Append(ctx context.Context, r capability.Record) (capability.Record, error) {
	var stored capability.Record
	err := a.s.tx(ctx, func(t *sql.Tx) (err error) {
		stored, err = appendAudit(ctx, t, a.key, r)
		return err
	})
	if err != nil {
		return capability.Record{}, err
	}
	return stored, nil
}

// appendAudit puts r at the end of its chain. The first record of an agent's
// chain also leaves a record in the host's, so that a chain that is taken out
// whole is missed.
func appendAudit(ctx context.Context, t *sql.Tx, key []byte, r capability.Record) (capability.Record, error) {
	var head capability.Head
	err := t.QueryRowContext(ctx, `SELECT seq, hash FROM audit_head WHERE chain = ?`, r.Chain).Scan(&head.Seq, &head.Hash)
	if errors.Is(err, sql.ErrNoRows) {
		if err := openChain(ctx, t, key, r); err != nil {
			return r, err
		}
	} else if err != nil {
		return r, fmt.Errorf("store: audit: %w", err)
	}
	r.At = r.At.UTC().Truncate(time.Millisecond)
	r.Seq, r.Prev = head.Seq+1, head.Hash
	r.Hash = r.Sum()
	err = t.QueryRowContext(ctx, `INSERT INTO audit(chain, seq, at, event, call_id, conv, capability, decision, code, summary, prev, hash)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING n`,
		r.Chain, r.Seq, r.At.UnixMilli(), r.Event, r.Call, r.Conversation, r.Capability, r.Decision, r.Code, r.Summary, r.Prev, r.Hash).Scan(&r.Row)
	if err != nil {
		return r, fmt.Errorf("store: audit: %w", err)
	}
	_, err = t.ExecContext(ctx, `INSERT INTO audit_head(chain, seq, hash, mac) VALUES(?, ?, ?, ?)
		ON CONFLICT(chain) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, mac = excluded.mac`,
		r.Chain, r.Seq, r.Hash, capability.HeadMAC(key, r.Chain, r.Seq, r.Hash))
	if err != nil {
		return r, fmt.Errorf("store: audit head: %w", err)
	}
	return r, nil
}

// openChain writes chain_opened into the host's chain before the first record r
// of another.
func openChain(ctx context.Context, t *sql.Tx, key []byte, r capability.Record) error {
	if r.Chain == "" {
		return nil
	}
	_, err := appendAudit(ctx, t, key, capability.Record{At: r.At, Event: capability.EventChainOpened, Summary: string(r.Chain)})
	return err
}

// Page gives at most limit records with Row < before (0: the newest), newest first.
func (a *Audit) Page(ctx context.Context, before int64, limit int) ([]capability.Record, error) {
	if before <= 0 {
		before = 1<<63 - 1
	}
	rows, err := a.s.read.QueryContext(ctx, `SELECT `+auditColumns+` FROM audit WHERE n < ? ORDER BY n DESC LIMIT ?`, before, max(limit, 0))
	return collect(rows, err, "audit", scanAudit)
}

// auditBatch is how many records Each reads at a time.
const auditBatch = 1000

// Each calls fn with every record after Row after, oldest first. No connection is
// held while fn runs.
func (a *Audit) Each(ctx context.Context, after int64, fn func(capability.Record) error) error {
	for {
		rows, err := a.s.read.QueryContext(ctx, `SELECT `+auditColumns+` FROM audit WHERE n > ? ORDER BY n LIMIT ?`, after, auditBatch)
		batch, err := collect(rows, err, "audit", scanAudit)
		if err != nil {
			return err
		}
		for _, r := range batch {
			if err := fn(r); err != nil {
				return err
			}
			after = r.Row
		}
		if len(batch) < auditBatch {
			return nil
		}
	}
}

// Verify checks all chains. It reads one snapshot and holds up no writes.
func (a *Audit) Verify(ctx context.Context) (int64, error) {
	t, err := a.s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, fmt.Errorf("store: verify: %w", kind(err))
	}
	defer t.Rollback()
	v := capability.NewVerifier(a.key)
	rows, err := t.QueryContext(ctx, `SELECT `+auditColumns+` FROM audit ORDER BY n`)
	if err != nil {
		return 0, fmt.Errorf("store: verify: %w", kind(err))
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scanAudit(rows)
		if err != nil {
			return v.Checked(), fmt.Errorf("store: verify: %w", kind(err))
		}
		if err := v.Add(r); err != nil {
			return v.Checked(), err
		}
	}
	if err := rows.Err(); err != nil {
		return v.Checked(), fmt.Errorf("store: verify: %w", kind(err))
	}
	heads, err := t.QueryContext(ctx, `SELECT chain, seq, hash, mac FROM audit_head`)
	all, err := collect(heads, err, "audit head", func(r scanner) (h capability.Head, err error) {
		err = r.Scan(&h.Chain, &h.Seq, &h.Hash, &h.MAC)
		return h, err
	})
	if err != nil {
		return v.Checked(), err
	}
	return v.Checked(), v.End(all)
}

func scanAudit(s scanner) (r capability.Record, err error) {
	var at int64
	err = s.Scan(&r.Row, &r.Chain, &r.Seq, &at, &r.Event, &r.Call, &r.Conversation, &r.Capability, &r.Decision, &r.Code, &r.Summary, &r.Prev, &r.Hash)
	r.At = time.UnixMilli(at).UTC()
	return r, err
}
