package uiapi

import (
	"crypto/rand"
	"encoding/base64"
	"sync"
	"time"

	"lineup/weak"
)

// TicketLife is how long a ticket may wait for its one use.
const TicketLife = 60 * time.Second

// maxTokens bounds how many pages may hold a token; the oldest goes first.
const maxTokens = 64

// Gate hands out one-time tickets and exchanges them for tokens that live as
// long as the host process (SANDBOX.md §3). Safe for concurrent use.
type Gate struct {
	now func() time.Time

	mu      sync.Mutex
	tickets map[string]time.Time // → when it dies
	tokens  []string
}

// NewGate returns a gate; now is the clock (nil: time.Now).
func NewGate(now func() time.Time) *Gate {
	if now == nil {
		now = time.Now
	}
	return &Gate{now: now, tickets: map[string]time.Time{}}
}

// Ticket issues a ticket.
func (g *Gate) Ticket() string {
	t := Secret()
	g.mu.Lock()
	defer g.mu.Unlock()
	for old, dies := range g.tickets {
		if g.now().After(dies) {
			delete(g.tickets, old)
		}
	}
	g.tickets[t] = g.now().Add(TicketLife)
	return t
}

// Enter takes a token that is still known, or burns a ticket for a new one.
func (g *Gate) Enter(ticket, token string) (string, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, t := range g.tokens {
		if token != "" && t == token {
			return t, true
		}
	}
	dies, ok := g.tickets[ticket]
	delete(g.tickets, ticket)
	if (!ok || g.now().After(dies)) && !weak.Ticket {
		return "", false
	}
	t := Secret()
	g.tokens = append(g.tokens, t)
	if len(g.tokens) > maxTokens {
		g.tokens = g.tokens[1:]
	}
	return t, true
}

// Secret returns 256 random bits for a URL.
func Secret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // crypto/rand.Read does not fail
	return base64.RawURLEncoding.EncodeToString(b[:])
}
