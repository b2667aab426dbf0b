package host

import (
	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/uiapi"
	"lineup/surface"
	"lineup/weak"
)

// uplink takes what a frame said. Everything is checked here again; what the
// page checked is only for speed.
func (h *Host) uplink(client *uiapi.Client, p uiapi.UplinkParams) error {
	f := h.frames.get(client, p.FrameID)
	if f == nil {
		return nil // a frame that was just torn down may still speak
	}
	if f.probe {
		h.probeReport(f, p.Message)
		return nil
	}
	up, err := surface.DecodeUplink(p.Message)
	c, item := h.frames.owner(f)
	h.inspect.up(c, item, p.Message, up, err)
	if err != nil {
		h.log.Debug("refused a surface's message", "frame", f.id, "err", err)
		if c != nil {
			c.countError(item)
		}
		return nil
	}
	if c == nil { // a spare has one word
		if up.Type == surface.UplinkReady {
			h.frames.warmed(f)
		}
		return nil
	}
	switch up.Type {
	case surface.UplinkReady, surface.UplinkFilled:
		h.becomeReady(client, f, up.Type)
	case surface.UplinkEvent:
		return c.surfaceEvent(f, up)
	case surface.UplinkResize:
		c.resized(item, int(up.Height))
	case surface.UplinkError:
		c.countError(item)
	}
	return nil
}

// owner is whose frame it is; nil: a spare's.
func (fs *frames) owner(f *frame) (*conv, string) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return f.conv, f.item
}

func (fs *frames) warmed(f *frame) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f.warm = f.spare
}

// becomeReady takes the first ready of a fresh frame, or the word of a filled one.
func (h *Host) becomeReady(client *uiapi.Client, f *frame, word string) {
	fs := &h.frames
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if f.ready || f.place == nil || f.warm != (word == surface.UplinkFilled) {
		return
	}
	f.ready = true
	if fs.step(f.place, surface.LifeReady) {
		client.Mark(keySlot(f.item), keyFrame(f.id))
	}
}

// surfaceEvent sends a frame's event to the agent, within its rate.
func (c *conv) surfaceEvent(f *frame, up surface.Uplink) error {
	c.h.frames.mu.Lock()
	item := f.item
	ok := f.ready && (f.limiter.Allow() || weak.Rate)
	c.h.frames.mu.Unlock()
	if !ok {
		c.mu.Lock()
		c.extraOf(item).dropped++
		c.mu.Unlock()
		c.h.inspect.event(c, item, up, "rate")
		c.h.hub.Mark(keyItem(c.id, item))
		return nil
	}
	// Waited for: the page's next message is taken only when this one is stored,
	// so a flood is held back at the page's socket.
	return c.do(c.h.ctx, func() error {
		s := c.h.surfaceOf(c, item)
		if s.su.Status != conversation.SurfaceOpen || s.stopped != "" || !s.su.App.Allows(up.Event) {
			c.countError(item)
			c.h.inspect.event(c, item, up, "undeclared")
			return nil
		}
		c.h.inspect.event(c, item, up, "")
		return c.out(envelope.TypeUIEvent, userParty, "", envelope.UIEvent{
			InstanceID: string(s.su.Instance), Event: up.Event, Data: up.Data})
	})
}

func (c *conv) resized(item string, height int) {
	c.mu.Lock()
	x := c.extraOf(item)
	changed := x.height != height
	x.height = height
	c.mu.Unlock()
	if changed {
		c.h.hub.Mark(keyItem(c.id, item))
	}
}

func (c *conv) countError(item string) {
	c.mu.Lock()
	x := c.extraOf(item)
	x.errors++
	show := x.errors <= 100
	c.mu.Unlock()
	if show {
		c.h.hub.Mark(keyItem(c.id, item))
	}
}

// navigated tears a frame down that tried to leave its document.
func (h *Host) navigated(client *uiapi.Client, id string) {
	if f := h.frames.get(client, id); f != nil {
		if c, item := h.frames.owner(f); c != nil {
			c.halt(item, stopNavigated)
		}
	}
}

// silent stops frames that answer no ping while their page runs. One that is
// silent by itself is known to be the cause.
func (h *Host) silent(client *uiapi.Client, ids []string) {
	var all []ran
	for _, id := range ids[:min(len(ids), maxLive+1)] {
		if f := h.frames.get(client, id); f != nil {
			if c, item := h.frames.owner(f); c != nil {
				all = append(all, ran{c, item})
			}
		}
	}
	h.blame(all, stopHung, stopHungAlone)
}
