package capability

import (
	"context"
	"time"
)

// Decision is the user's answer to a prompt.
type Decision string

// The answers. ByGrant and ByPolicy stand in the audit log where nobody was asked.
const (
	Once         Decision = "once"
	Conversation Decision = "conversation"
	Always       Decision = "always"
	Deny         Decision = "deny"
	ByGrant      Decision = "grant"
	ByPolicy     Decision = "policy"
)

// GrantIdle is how long an unused grant lives.
const GrantIdle = 90 * 24 * time.Hour

// Grant is a remembered answer for agent + capability + scope. It is only as
// good as the Fingerprint of the host's own record of the agent: a changed URL
// or command voids it.
type Grant struct {
	ID           string
	Agent        AgentID
	Fingerprint  string
	Capability   Name
	Scope        string
	Duration     Decision          // Conversation or Always
	Conversation string            // only when Duration is Conversation
	Effect       Effect            // Allow; Forbid for a standing no
	Rules        map[string]string // the rule as it was spelled out, by language
	CreatedAt    time.Time
	LastUsedAt   time.Time // zero: never
}

// Rule returns the rule in lang, else in English.
func (g Grant) Rule(lang string) string {
	if r, ok := g.Rules[lang]; ok {
		return r
	}
	return g.Rules["en"]
}

// Stale tells whether the grant was idle for too long at now.
func (g Grant) Stale(now time.Time) bool {
	last := g.LastUsedAt
	if last.Before(g.CreatedAt) {
		last = g.CreatedAt
	}
	return now.Sub(last) >= GrantIdle
}

// covers tells whether the grant speaks about this call.
func (g Grant) covers(c Call, scope, fingerprint string, now time.Time) bool {
	if g.Agent != c.Agent || g.Capability != c.Capability || g.Scope != scope || g.Fingerprint != fingerprint || g.Stale(now) {
		return false
	}
	return g.Duration == Always || g.Duration == Conversation && g.Conversation == c.Conversation
}

// Grants keeps remembered answers; they are added by Ledger.Advance only, so
// that the grant and its first use are one transaction.
type Grants interface {
	// Match returns all grants of this agent, capability and scope.
	Match(ctx context.Context, agent AgentID, name Name, scope string) ([]Grant, error)

	// List returns all grants, newest first.
	List(ctx context.Context) ([]Grant, error)

	// Revoke deletes a grant and writes rec to the audit log; false if there is none.
	Revoke(ctx context.Context, id string, rec Record) (bool, error)

	// ForgetConversation deletes the grants that were for one conversation.
	ForgetConversation(ctx context.Context, conversation string, at time.Time) error

	// ForgetAgent deletes all grants of an agent.
	ForgetAgent(ctx context.Context, agent AgentID, at time.Time) error
}
