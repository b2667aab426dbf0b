package host

import (
	"regexp"
	"sync"
	"time"

	"lineup/app/envelope"
	"lineup/app/uiapi"
	"lineup/surface"
)

// page is what the host knows of one client of the UI socket.
type page struct {
	mu     sync.Mutex
	open   envelope.ConversationID // whose items it gets
	revs   map[string]int64        // by item id: revision of the message blocks it has
	shown  map[string]shownAt      // by prompt id
	look   surface.Theme
	hidden time.Duration // since when nobody can see it (mono); 0: it can be seen
	hung   bool          // it stopped answering and is being ended

	settling sync.Mutex // one Host.settle at a time; taken before all other locks
}

type shownAt struct {
	nonce string
	at    time.Duration
}

func (h *Host) pageOf(c *uiapi.Client) *page {
	h.mu.Lock()
	defer h.mu.Unlock()
	p, ok := h.pages[c]
	if !ok {
		p = &page{revs: map[string]int64{}, shown: map[string]shownAt{}, look: surface.Theme{Name: "light"}}
		h.pages[c] = p
	}
	return p
}

func (p *page) hiddenSince() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hidden
}

// pageVisible notes whether anybody can see a page. One that comes back into sight
// wakes what sleeps in its view.
func (h *Host) pageVisible(client *uiapi.Client, yes bool) {
	p := h.pageOf(client)
	p.mu.Lock()
	switch {
	case yes:
		p.hidden = 0
	case p.hidden == 0:
		p.hidden = h.mono()
	}
	p.mu.Unlock()
	if yes {
		h.settle(client)
	}
}

func (h *Host) lookOf(c *uiapi.Client) surface.Theme {
	p := h.pageOf(c)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.look
}

var (
	tokenName  = regexp.MustCompile(`^--lineup-[a-z0-9-]{1,40}$`)
	tokenValue = regexp.MustCompile(`^[A-Za-z0-9#%.,()'" /_+*-]{1,500}$`)
)

const maxTokens = 64

// appearance takes the look that the page has resolved, to give it to surfaces.
func (h *Host) appearance(c *uiapi.Client, a uiapi.Appearance) error {
	switch a.Theme {
	case "light", "dark", "contrast":
	default:
		return uiapi.Bad("theme", "light, dark or contrast")
	}
	if len(a.Tokens) > maxTokens {
		return uiapi.Bad("tokens", "at most 64")
	}
	for k, v := range a.Tokens {
		if !tokenName.MatchString(k) || !tokenValue.MatchString(v) {
			return uiapi.Bad("tokens."+k, "a --lineup- name and a plain CSS value")
		}
	}
	p := h.pageOf(c)
	p.mu.Lock()
	p.look = surface.Theme{Name: a.Theme, Tokens: a.Tokens}
	p.mu.Unlock()
	h.restyle(c)
	return nil
}
