package host

import (
	"cmp"
	"slices"
	"time"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/uiapi"
	"lineup/surface"
)

const (
	// maxLive is how many frames run on a page at once (PROTOCOL.md §7).
	maxLive = 8
	// readyWithin is how long a frame may take to say ready.
	readyWithin = 5 * time.Second
	// idleAfter is how long a frame runs that nobody can see.
	idleAfter = 5 * time.Minute
	// maxPlaces bounds what one page may say it shows.
	maxPlaces = 1024
)

type placeKey struct {
	client *uiapi.Client
	item   string
}

// place is the card of one surface on one page. Guarded by frames.mu.
type place struct {
	conv   *conv
	item   string
	phase  surface.Phase
	reason string // why it is stopped on this page alone
	frame  *frame // while phase.Framed()

	offered string // a frame that stands in the card already
	inView  bool
	pinned  bool
	wanted  bool          // the user asked for it: it may take another's place
	unseen  time.Duration // when it was last in view
	mounted int64         // grows with each mount
}

// shown is what a surface is apart from any page.
type shownSurface struct {
	su      conversation.Surface
	exists  bool
	stopped string // why it is stopped on every page
}

func (h *Host) surfaceOf(c *conv, item string) (s shownSurface) {
	c.mu.Lock()
	defer c.mu.Unlock()
	it := c.state.Item(item)
	if it == nil {
		return s
	}
	su, ok := it.Data.(*conversation.Surface)
	if !ok {
		return s
	}
	return shownSurface{su: *su, exists: true, stopped: c.extraOf(item).stopped}
}

// show notes that a page shows the card of a surface.
func (h *Host) show(client *uiapi.Client, p uiapi.ShowParams) error {
	c := h.conv(envelope.ConversationID(p.ConversationID))
	if c == nil {
		return errNotFound
	}
	if s := h.surfaceOf(c, p.ItemID); !s.exists {
		return errNotFound
	}
	k := placeKey{client, p.ItemID}
	fs := &h.frames
	fs.mu.Lock()
	pl := fs.places[k]
	if pl == nil {
		if fs.countPlaces(client) >= maxPlaces {
			fs.mu.Unlock()
			return uiapi.Fail(uiapi.Busy)
		}
		pl = &place{conv: c, item: p.ItemID}
		fs.places[k] = pl
		fs.claim(client, pl, p.FrameID)
	}
	if pl.frame == nil {
		pl.offered = p.FrameID
	}
	if pl.inView && !p.InView {
		pl.unseen = h.mono()
	}
	pl.inView, pl.pinned = p.InView, p.Pinned
	fs.mu.Unlock()
	client.Mark(keySlot(p.ItemID))
	h.settle(client)
	return nil
}

// claim gives a page back a frame that it kept while its socket broke. What was
// sent meanwhile may be lost, so the frame gets everything anew.
func (fs *frames) claim(client *uiapi.Client, pl *place, id string) {
	f := fs.byID[id]
	if f == nil || f.client != nil || f.conv != pl.conv || f.item != pl.item {
		return
	}
	f.client, f.place, pl.frame = client, pl, f
	f.theme, f.sentRev, f.sent = true, 0, nil
	pl.phase = surface.PhaseOpening
	if f.ready {
		pl.phase = surface.PhaseLive
	}
	fs.mountN++
	pl.mounted = fs.mountN
	client.Mark(keyFrame(id))
}

// gone notes that a card left the page.
func (h *Host) gone(client *uiapi.Client, item string) {
	fs := &h.frames
	fs.mu.Lock()
	if pl := fs.places[placeKey{client, item}]; pl != nil {
		fs.step(pl, surface.LifeLeave)
		delete(fs.places, placeKey{client, item})
	}
	fs.mu.Unlock()
	h.settle(client)
}

// wake is the user's wish for a frame that sleeps or was late.
func (h *Host) wake(client *uiapi.Client, item string) {
	fs := &h.frames
	fs.mu.Lock()
	if pl := fs.places[placeKey{client, item}]; pl != nil {
		pl.wanted, pl.inView = true, true
		if pl.phase == surface.PhaseStopped {
			fs.step(pl, surface.LifeRestart)
		}
	}
	fs.mu.Unlock()
	client.Mark(keySlot(item))
	h.settle(client)
}

// settleItem brings all pages up to date about one surface.
func (h *Host) settleItem(c *conv, item string) {
	for _, client := range h.frames.pagesOf(c, item) {
		client.Mark(keySlot(item))
		h.settle(client)
	}
}

// settle brings every card of a page to where it should be now: what is closed or
// stopped loses its frame, and frames are given out while there is room. It works
// from the present state alone, so calling it once too often does no harm.
func (h *Host) settle(client *uiapi.Client) {
	page := h.pageOf(client)
	page.settling.Lock()
	defer page.settling.Unlock()

	look, lang, allowed := h.lookOf(client), h.language(), h.sandbox.allowed()
	fs := &h.frames
	fs.mu.Lock()
	list := fs.placesOf(client)
	fs.mu.Unlock()
	now := make(map[*place]shownSurface, len(list))
	for _, pl := range list {
		now[pl] = h.surfaceOf(pl.conv, pl.item)
	}

	fs.mu.Lock()
	defer fs.mu.Unlock()
	var waiting []*place
	for _, pl := range list {
		s := now[pl]
		before := pl.phase
		switch {
		case !s.exists || s.su.Status == conversation.SurfaceClosed || s.su.Status == conversation.SurfaceRefused:
			fs.step(pl, surface.LifeClose)
		case s.su.Status != conversation.SurfaceOpen: // asking
		case s.stopped != "":
			fs.step(pl, stopEvents[s.stopped])
		case !allowed:
			fs.step(pl, surface.LifeSeal)
		case pl.phase == surface.PhaseNone, pl.phase == surface.PhaseAsleep && (pl.wanted || pl.inView):
			waiting = append(waiting, pl)
		}
		if pl.phase != before {
			client.Mark(keySlot(pl.item))
		}
	}
	// Who was asked for comes first, then who can be seen, then the order on the page.
	slices.SortStableFunc(waiting, func(a, b *place) int { return cmp.Compare(rank(a), rank(b)) })
	for _, pl := range waiting {
		if !fs.room(client, pl, list) {
			fs.step(pl, surface.LifeFull)
			client.Mark(keySlot(pl.item))
			continue
		}
		h.mount(client, pl, now[pl].su, look, lang)
	}
}

func rank(p *place) int {
	switch {
	case p.wanted:
		return 0
	case p.inView:
		return 1
	}
	return 2
}

// stopEvents are the ways a surface is stopped on every page, by the code that the user's words are found by.
var stopEvents = map[string]surface.LifeEvent{
	stopNavigated: surface.LifeNavigate,
	stopHung:      surface.LifeHang, stopHungAlone: surface.LifeHang,
	stopCrashed: surface.LifeCrash, stopMemory: surface.LifeCrash,
}

// room makes sure that one more frame may run, if need be by putting another to
// sleep: one that nobody sees, or, for one that the user asked for, the oldest.
func (fs *frames) room(client *uiapi.Client, for_ *place, list []*place) bool {
	live := 0
	var victim *place
	for _, pl := range list {
		if !pl.phase.Framed() {
			continue
		}
		live++
		if pl.pinned || (pl.inView && !for_.wanted) {
			continue
		}
		if victim == nil || betterVictim(pl, victim) {
			victim = pl
		}
	}
	if live < maxLive {
		return true
	}
	if victim == nil || !(for_.wanted || for_.inView) {
		return false
	}
	fs.step(victim, surface.LifeYield)
	client.Mark(keySlot(victim.item))
	return true
}

func betterVictim(a, b *place) bool {
	if a.inView != b.inView {
		return !a.inView
	}
	return a.mounted < b.mounted
}

// step moves a place on and lets its frame go when the new phase has none. The caller holds mu.
func (fs *frames) step(pl *place, e surface.LifeEvent) bool {
	next, ok := pl.phase.Next(e)
	if !ok {
		return false
	}
	pl.phase = next
	pl.conv.h.inspect.happened(pl.conv, pl.item, string(e))
	if next != surface.PhaseStopped {
		pl.reason = ""
	}
	if !next.Framed() && pl.frame != nil {
		fs.forget(pl.frame)
		pl.frame = nil
	}
	return true
}

// slot is what a page is told of a card.
func (h *Host) slot(client *uiapi.Client, item string) (uiapi.Slot, bool) {
	fs := &h.frames
	fs.mu.Lock()
	pl := fs.places[placeKey{client, item}]
	if pl == nil {
		fs.mu.Unlock()
		return uiapi.Slot{}, false
	}
	s := uiapi.Slot{ItemID: item, Phase: string(pl.phase), Reason: pl.reason}
	if pl.frame != nil {
		s.FrameID, s.URL = pl.frame.id, pl.frame.url
	}
	c := pl.conv
	fs.mu.Unlock()
	if s.Phase == string(surface.PhaseStopped) && s.Reason == "" {
		s.Reason = h.surfaceOf(c, item).stopped
	}
	return s, true
}

// sleepIdle puts frames to sleep that nobody has seen for a while.
func (h *Host) sleepIdle(now time.Duration) {
	for _, client := range h.hub.Clients() {
		hidden := h.pageOf(client).hiddenSince()
		fs := &h.frames
		fs.mu.Lock()
		for _, pl := range fs.placesOf(client) {
			since := pl.unseen
			if pl.inView && hidden == 0 {
				continue
			}
			if pl.inView || (hidden != 0 && hidden < since) {
				since = hidden
			}
			if now-since >= h.idleAfter && fs.step(pl, surface.LifeIdle) {
				client.Mark(keySlot(pl.item))
			}
		}
		fs.mu.Unlock()
	}
}
