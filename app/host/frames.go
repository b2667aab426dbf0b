package host

import (
	"net/http"
	"sync"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/uiapi"
	"lineup/surface"
)

// FrameServer is the surface origin (package web).
type FrameServer interface {
	Origin() string
	Issue(doc []byte, h http.Header) (url, token string)
	Burn(token string)
}

// frame is one live iframe in one page.
type frame struct {
	id     string
	client *uiapi.Client
	conv   *conv
	item   string
	token  string
	probe  bool

	// guarded by frames.mu
	ready   bool
	inited  bool
	sentRev int64
	theme   bool // the theme changed since it was sent
	limiter *surface.Limiter
}

// frames is the set of live iframes.
type frames struct {
	server FrameServer

	mu   sync.Mutex
	byID map[string]*frame
}

// maxFrames bounds what pages may have mounted at once.
const maxFrames = 256

func (fs *frames) get(client *uiapi.Client, id string) *frame {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := fs.byID[id]
	if f == nil || f.client != client {
		return nil
	}
	return f
}

func (fs *frames) of(id envelope.ConversationID, item string) (out []*frame) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range fs.byID {
		if f.conv != nil && f.conv.id == id && f.item == item {
			out = append(out, f)
		}
	}
	return out
}

func (fs *frames) drop(match func(*frame) bool) {
	fs.mu.Lock()
	var tokens []string
	for id, f := range fs.byID {
		if match(f) {
			delete(fs.byID, id)
			tokens = append(tokens, f.token)
		}
	}
	fs.mu.Unlock()
	for _, t := range tokens {
		fs.server.Burn(t)
	}
}

func (fs *frames) dropItem(id envelope.ConversationID, item string) {
	fs.drop(func(f *frame) bool { return f.conv != nil && f.conv.id == id && f.item == item })
}

func (fs *frames) dropClient(c *uiapi.Client) {
	fs.drop(func(f *frame) bool { return f.client == c })
}

// add issues the document and registers the frame; false when there are too many.
func (fs *frames) add(f *frame, doc []byte, head http.Header) (uiapi.Mount, bool) {
	fs.mu.Lock()
	full := len(fs.byID) >= maxFrames
	fs.mu.Unlock()
	if full {
		return uiapi.Mount{}, false
	}
	url, token := fs.server.Issue(doc, head)
	f.token = token
	fs.mu.Lock()
	fs.byID[f.id] = f
	fs.mu.Unlock()
	return uiapi.Mount{FrameID: f.id, URL: url}, true
}

// mount gives a page a frame for an open surface. An earlier frame of the same
// page for it is dropped.
func (h *Host) mount(client *uiapi.Client, p uiapi.MountParams) (uiapi.Mount, error) {
	c := h.conv(envelope.ConversationID(p.ConversationID))
	if c == nil {
		return uiapi.Mount{}, errNotFound
	}
	if !h.sandbox.allowed() {
		return uiapi.Mount{}, uiapi.Fail(uiapi.RefusedCode)
	}
	c.mu.Lock()
	it := c.state.Surface(surface.InstanceID(p.InstanceID))
	if it == nil || c.extraOf(it.ID).navigated {
		c.mu.Unlock()
		return uiapi.Mount{}, errNotFound
	}
	su := *it.Data.(*conversation.Surface)
	c.mu.Unlock()

	h.frames.drop(func(f *frame) bool { return f.client == client && f.conv == c && f.item == it.ID })
	look := h.lookOf(client)
	doc, head := surface.BuildDocument(surface.Frame{
		App: su.App, InstanceID: su.Instance, Locale: h.language(), Theme: look,
		Ancestors: h.ancestors,
	})
	f := &frame{id: uiapi.Secret(), client: client, conv: c, item: it.ID, limiter: surface.NewLimiter(h.now)}
	m, ok := h.frames.add(f, doc, head)
	if !ok {
		return uiapi.Mount{}, uiapi.Fail(uiapi.Busy)
	}
	return m, nil
}

// down gives the messages a frame is to be sent now.
func (h *Host) down(f *frame) (out []uiapi.FrameDown) {
	if f.conv == nil {
		return nil
	}
	f.conv.mu.Lock()
	it := f.conv.state.Item(f.item)
	if it == nil || it.Data.(*conversation.Surface).Status != conversation.SurfaceOpen {
		f.conv.mu.Unlock()
		return nil
	}
	su := *it.Data.(*conversation.Surface)
	f.conv.mu.Unlock()
	look := h.lookOf(f.client)

	h.frames.mu.Lock()
	defer h.frames.mu.Unlock()
	add := func(m string) { out = append(out, uiapi.FrameDown{FrameID: f.id, Message: m}) }
	switch {
	case !f.ready:
		return nil
	case !f.inited:
		f.inited, f.theme = true, false
		add(surface.InitMessage(su.Instance, su.State, look, h.language()))
	default:
		if f.theme {
			f.theme = false
			add(surface.ThemeMessage(look, h.language()))
		}
		if su.Revision > f.sentRev {
			add(surface.StateMessage(su.State))
		}
	}
	f.sentRev = su.Revision
	return out
}

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
	if err != nil {
		h.log.Debug("refused a surface's message", "frame", f.id, "err", err)
		f.conv.countError(f.item)
		return nil
	}
	switch up.Type {
	case "ready":
		h.frames.mu.Lock()
		first := !f.ready
		f.ready = true
		h.frames.mu.Unlock()
		if first {
			client.Mark(keyFrame(f.id))
		}
	case "event":
		return f.conv.surfaceEvent(f, up)
	case "resize":
		f.conv.resized(f.item, int(up.Height))
	case "error":
		f.conv.countError(f.item)
	}
	return nil
}

// surfaceEvent sends a frame's event to the agent, within its rate.
func (c *conv) surfaceEvent(f *frame, up surface.Uplink) error {
	c.h.frames.mu.Lock()
	ok := f.ready && f.limiter.Allow()
	c.h.frames.mu.Unlock()
	if !ok {
		c.mu.Lock()
		c.extraOf(f.item).dropped++
		c.mu.Unlock()
		c.h.hub.Mark(keyItem(c.id, f.item))
		return nil
	}
	// Waited for: the page's next message is taken only when this one is stored,
	// so a flood is held back at the page's socket.
	return c.do(c.h.ctx, func() error {
		c.mu.Lock()
		it := c.state.Item(f.item)
		open := it != nil && it.Data.(*conversation.Surface).Status == conversation.SurfaceOpen
		var su conversation.Surface
		if open {
			su = *it.Data.(*conversation.Surface)
		}
		c.mu.Unlock()
		if !open || !su.App.Allows(up.Event) {
			c.countError(f.item)
			return nil
		}
		return c.out(envelope.TypeUIEvent, userParty, "", envelope.UIEvent{
			InstanceID: string(su.Instance), Event: up.Event, Data: up.Data})
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
	f := h.frames.get(client, id)
	if f == nil || f.conv == nil {
		return
	}
	f.conv.mu.Lock()
	f.conv.extraOf(f.item).navigated = true
	f.conv.mu.Unlock()
	h.frames.dropItem(f.conv.id, f.item)
	h.hub.Mark(keyItem(f.conv.id, f.item))
}

// restyle sends the present look to all frames of a page.
func (h *Host) restyle(client *uiapi.Client) {
	h.frames.mu.Lock()
	var ids []string
	for id, f := range h.frames.byID {
		if f.client == client && f.ready {
			f.theme = true
			ids = append(ids, id)
		}
	}
	h.frames.mu.Unlock()
	for _, id := range ids {
		client.Mark(keyFrame(id))
	}
}
