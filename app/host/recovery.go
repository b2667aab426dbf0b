package host

import (
	"slices"
	"time"

	"lineup/app/conversation"
	"lineup/app/uiapi"
	"lineup/surface"
)

// Why a surface is stopped: codes that the page has words for.
const (
	stopNotReady  = "not_ready"
	stopNavigated = "navigated"
	stopHung      = "hung"       // with others: nobody knows which it was
	stopHungAlone = "hung_alone" // it was the only one that ran
	stopCrashed   = "crashed"
	stopMemory    = "memory"
)

const (
	watchEvery = 100 * time.Millisecond
	// hungAfter is how long a visible page may leave a ping unanswered (SANDBOX.md §3).
	hungAfter = 3 * time.Second
)

// watch looks after pages and frames until the host ends. Time is the monotonic
// clock's, which stands still while the machine sleeps.
func (h *Host) watch() {
	defer h.wg.Done()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	last := h.mono()
	for {
		select {
		case <-h.ctx.Done():
			return
		case <-tick.C:
		}
		now := h.mono()
		stood := now-last > 10*watchEvery
		last = now
		for _, client := range h.hub.Clients() {
			switch {
			case stood || h.pageOf(client).hiddenSince() != 0:
				// This process did not run, or nobody sees the page and the system may slow it down.
				client.Excuse()
			case client.Silent() > hungAfter:
				h.hung(client)
			}
		}
		h.sleepIdle(now)
		h.frames.sweep(now)
	}
}

// hung ends a page that stopped answering. A frame runs in the page's own
// process, so any of its frames may be the cause.
func (h *Host) hung(client *uiapi.Client) {
	page := h.pageOf(client)
	page.mu.Lock()
	again := page.hung
	page.hung = true
	page.mu.Unlock()
	if again {
		return
	}
	all := h.frames.running(client)
	h.log.Warn("the page stopped answering", "silent", client.Silent(), "frames", len(all))
	if h.opt.EndPage == nil {
		return // a browser: it is the user's to end
	}
	h.blame(all, stopHung, stopHungAlone)
	h.opt.EndPage()
}

// ProcessGone is the shell's word that the web process ended. What ran in it
// stays stopped until the user starts it again, and the new process is probed.
func (h *Host) ProcessGone(reason string) {
	code := stopCrashed
	if reason == stopMemory {
		code = stopMemory
	}
	h.blame(h.frames.running(nil), code, code)
	h.Reprobe()
}

// ran is a surface whose frame was running.
type ran struct {
	conv *conv
	item string
}

// running lists what runs on a page; nil: on any, and what waits for its page's new socket.
func (fs *frames) running(client *uiapi.Client) (out []ran) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range fs.byID {
		if r := (ran{f.conv, f.item}); f.conv != nil && (client == nil || f.client == client) && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// blame stops all that ran. Only one that ran alone is known to be the cause.
func (h *Host) blame(all []ran, together, alone string) {
	code := together
	if len(all) == 1 {
		code = alone
		s := h.surfaceOf(all[0].conv, all[0].item)
		h.strike(all[0].conv.agent, s.su.App.ID)
	}
	for _, r := range all {
		r.conv.halt(r.item, code)
	}
}

// halt stops a surface on every page, for a reason.
func (c *conv) halt(item, reason string) {
	c.mu.Lock()
	it := c.state.Item(item)
	if it != nil {
		if su, ok := it.Data.(*conversation.Surface); !ok || su.Status != conversation.SurfaceOpen {
			it = nil
		}
	}
	if it != nil {
		c.extraOf(item).stopped = reason
	}
	c.mu.Unlock()
	if it == nil {
		return
	}
	c.h.frames.forgetAll(func(f *frame) bool { return f.conv == c && f.item == item }) // orphans
	c.h.settleItem(c, item)
	c.h.hub.Mark(keyItem(c.id, item))
}

// restartSurface gives the surface a fresh frame with its present state on every page.
func (c *conv) restartSurface(instance surface.InstanceID) error {
	c.mu.Lock()
	it := c.state.Surface(instance)
	if it != nil {
		x := c.extraOf(it.ID)
		x.stopped, x.errors, x.dropped = "", 0, 0
	}
	c.mu.Unlock()
	if it == nil {
		return errNotFound
	}
	fs := &c.h.frames
	fs.mu.Lock()
	for _, pl := range fs.places {
		if pl.conv == c && pl.item == it.ID {
			fs.step(pl, surface.LifeRestart)
			pl.wanted, pl.offered = true, ""
		}
	}
	fs.mu.Unlock()
	c.h.settleItem(c, it.ID)
	c.h.hub.Mark(keyItem(c.id, it.ID))
	return nil
}
