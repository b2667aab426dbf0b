package capability

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"
)

// The events of the audit log. The application adds its own for surfaces and apps.
const (
	EventRequested    = "requested"
	EventPrompted     = "prompted"
	EventAllowed      = "allowed"
	EventDenied       = "denied"
	EventExecuted     = "executed"
	EventFailed       = "failed"
	EventCancelled    = "cancelled"
	EventExpired      = "expired"
	EventUnsupported  = "unsupported"
	EventReused       = "call_id_reused"
	EventGranted      = "granted"
	EventGrantRevoked = "grant_revoked"
	EventChainOpened  = "chain_opened" // in the host's chain: an agent's chain begins
)

// Record is one row of the audit log. Records form one chain an agent, plus the
// host's own (Chain empty). Row, Seq, Prev and Hash are the store's to set.
type Record struct {
	Row          int64     `json:"row"` // position in the whole log, grows over all chains
	Chain        AgentID   `json:"chain"`
	Seq          int64     `json:"seq"` // 1, 2, 3 … in the chain
	At           time.Time `json:"at"`  // UTC, whole milliseconds
	Event        string    `json:"event"`
	Call         CallID    `json:"call_id,omitempty"`
	Conversation string    `json:"conversation_id,omitempty"`
	Capability   Name      `json:"capability,omitempty"`
	Decision     Decision  `json:"decision,omitempty"`
	Code         string    `json:"code,omitempty"`
	Summary      string    `json:"summary,omitempty"` // redacted by the capability, escaped by package plain
	Prev         string    `json:"prev_hash"`         // hex SHA-256; empty in the first
	Hash         string    `json:"hash"`
}

// Sum returns the record's hash: SHA-256 over each field that has a meaning,
// Prev included, each preceded by its length as 8 bytes big-endian, in the
// order of the JSON export without row and hash. Row is not covered: it is
// where the store happens to keep the record.
func (r Record) Sum() string {
	b := make([]byte, 0, 512)
	for _, f := range [...]string{
		"lineup.audit.v1", string(r.Chain), strconv.FormatInt(r.Seq, 10), strconv.FormatInt(r.At.UnixMilli(), 10), r.Event, string(r.Call),
		r.Conversation, string(r.Capability), string(r.Decision), r.Code, r.Summary, r.Prev,
	} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(f)))
		b = append(b, f...)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// BadRecord names the first entry of the audit log that does not hold.
type BadRecord struct {
	Chain AgentID
	Seq   int64  // the entry that is wrong, or the first that is missing
	Why   string // stable: changed, missing, out_of_order, added, cut_off, head_missing, head_forged, chain_missing
}

func (b *BadRecord) Error() string {
	chain := "the host's chain"
	if b.Chain != "" {
		chain = "the chain of " + string(b.Chain)
	}
	return fmt.Sprintf("audit: entry %d of %s: %s", b.Seq, chain, b.Why)
}

// Audit reads and extends the audit log. It is append-only: there is no other
// way to write. An attacker who holds the HMAC key, or who puts an old copy of
// the whole store back, is not detected.
type Audit interface {
	// Append adds a record that belongs to no call and returns it as stored.
	Append(ctx context.Context, r Record) (Record, error)

	// Page returns up to limit records with Row < before (0: the newest), newest first.
	Page(ctx context.Context, before int64, limit int) ([]Record, error)

	// Each calls fn with every record after Row after, oldest first, until fn
	// returns an error, which it returns.
	Each(ctx context.Context, after int64, fn func(Record) error) error

	// Verify checks every chain and the authenticity of its head. It returns
	// how many records hold, and the first that does not as a *BadRecord.
	Verify(ctx context.Context) (checked int64, err error)
}
