package uiapi

import (
	"testing"
	"time"
)

func TestTicketsAreForOnce(t *testing.T) {
	now := time.Unix(1000, 0)
	g := NewGate(func() time.Time { return now })
	ticket := g.Ticket()
	if _, ok := g.Enter("", ""); ok {
		t.Error("let in with nothing")
	}
	if _, ok := g.Enter("made up", "made up"); ok {
		t.Error("let in with what was made up")
	}
	token, ok := g.Enter(ticket, "")
	if !ok || token == "" || token == ticket {
		t.Fatalf("ticket refused: %q", token)
	}
	if _, ok := g.Enter(ticket, ""); ok {
		t.Error("a ticket was taken twice")
	}
	if again, ok := g.Enter("", token); !ok || again != token {
		t.Error("a token was refused")
	}
	late := g.Ticket()
	now = now.Add(TicketLife + time.Second)
	if _, ok := g.Enter(late, ""); ok {
		t.Error("a ticket was taken after its life")
	}
	if _, ok := g.Enter("", token); !ok {
		t.Error("a token must not age")
	}
}

func TestTokensAreBounded(t *testing.T) {
	g := NewGate(nil)
	first, _ := g.Enter(g.Ticket(), "")
	for range maxTokens {
		g.Enter(g.Ticket(), "")
	}
	if _, ok := g.Enter("", first); ok {
		t.Error("the oldest token is still good")
	}
	if len(g.tokens) > maxTokens {
		t.Errorf("%d tokens", len(g.tokens))
	}
}
