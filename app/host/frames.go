package host

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"

	"lineup/app/conversation"
	"lineup/app/uiapi"
	"lineup/surface"
)

// FrameServer is the surface origin (package web).
type FrameServer interface {
	Origin() string
	Issue(doc []byte, h http.Header) (url, token string)
	Burn(token string)
}

// frame is one iframe of one page: a surface's, the probe's, or a spare one that
// is kept warm for the next surface.
type frame struct {
	id    string
	url   string
	token string
	probe bool

	// guarded by frames.mu
	client   *uiapi.Client // nil: its page's socket broke and may come back
	orphaned time.Duration
	place    *place // nil: the probe, or a spare
	conv     *conv  // likewise
	item     string
	spare    bool
	warm     bool // a spare said ready: it can be filled
	filling  bool // a spare became a surface's; its document is still to be sent
	ready    bool
	inited   bool
	sentRev  int64
	sent     json.RawMessage // the state it has; nil: send it whole
	theme    bool            // the theme changed since it was sent
	limiter  *surface.Limiter
}

// frames is the set of iframes and of the cards they stand in.
type frames struct {
	server FrameServer

	mu     sync.Mutex
	byID   map[string]*frame
	places map[placeKey]*place
	mountN int64
}

const (
	// maxFrames bounds what pages may have at once.
	maxFrames = 256
	// orphanLife is how long a frame waits for its page's new socket.
	orphanLife = 30 * time.Second
)

func (fs *frames) get(client *uiapi.Client, id string) *frame {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := fs.byID[id]
	if f == nil || f.client != client {
		return nil
	}
	return f
}

// of lists the frames that show an item.
func (fs *frames) of(c *conv, item string) (out []*frame) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range fs.byID {
		if f.conv == c && f.item == item {
			out = append(out, f)
		}
	}
	return out
}

// forget takes a frame out; its address is burnt. The caller holds mu.
func (fs *frames) forget(f *frame) {
	if fs.byID[f.id] == f {
		delete(fs.byID, f.id)
		fs.server.Burn(f.token)
	}
}

func (fs *frames) forgetAll(match func(*frame) bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range fs.byID {
		if match(f) && f.place == nil {
			fs.forget(f)
		}
	}
}

func (fs *frames) countPlaces(client *uiapi.Client) (n int) {
	for k := range fs.places {
		if k.client == client {
			n++
		}
	}
	return n
}

// placesOf lists the cards of a page, in a steady order. The caller holds mu.
func (fs *frames) placesOf(client *uiapi.Client) (out []*place) {
	for k, pl := range fs.places {
		if k.client == client {
			out = append(out, pl)
		}
	}
	slices.SortFunc(out, func(a, b *place) int { return cmp.Compare(a.item, b.item) })
	return out
}

// pagesOf lists the pages with a card of a surface.
func (fs *frames) pagesOf(c *conv, item string) (out []*uiapi.Client) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for k, pl := range fs.places {
		if pl.conv == c && (item == "" || k.item == item) && !slices.Contains(out, k.client) {
			out = append(out, k.client)
		}
	}
	return out
}

// leave takes a page's frames from it. For a moment they wait for its next socket.
func (fs *frames) leave(client *uiapi.Client, now time.Duration) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for k := range fs.places {
		if k.client == client {
			delete(fs.places, k)
		}
	}
	for _, f := range fs.byID {
		if f.client != client {
			continue
		}
		if f.conv == nil {
			fs.forget(f)
			continue
		}
		f.client, f.place, f.orphaned = nil, nil, now
	}
}

// dropConv takes a conversation's cards and frames from every page.
func (fs *frames) dropConv(c *conv) {
	fs.mu.Lock()
	for k, pl := range fs.places {
		if pl.conv == c {
			fs.step(pl, surface.LifeLeave)
			delete(fs.places, k)
		}
	}
	fs.mu.Unlock()
	fs.forgetAll(func(f *frame) bool { return f.conv == c })
}

// sweep forgets frames whose page did not come back.
func (fs *frames) sweep(now time.Duration) {
	fs.forgetAll(func(f *frame) bool { return f.client == nil && now-f.orphaned >= orphanLife })
}

// add issues the document and registers the frame; false when there are too many.
// The caller holds mu.
func (fs *frames) add(f *frame, doc []byte, head http.Header) bool {
	if len(fs.byID) >= maxFrames {
		return false
	}
	f.id = uiapi.Secret()
	f.url, f.token = fs.server.Issue(doc, head)
	fs.byID[f.id] = f
	return true
}

// mount gives a card a frame: the spare one that stands in it, or a new one. The
// caller holds mu.
func (h *Host) mount(client *uiapi.Client, pl *place, su conversation.Surface, look surface.Theme, lang string) {
	fs := &h.frames
	f := fs.byID[pl.offered]
	if f != nil && f.client == client && f.spare && f.warm {
		f.spare, f.filling = false, true
		client.Mark(keyFrame(f.id))
	} else {
		doc, head := surface.BuildDocument(surface.Frame{
			App: su.App, InstanceID: su.Instance, Locale: lang, Theme: look, Ancestors: h.ancestors,
		})
		f = &frame{client: client}
		if !fs.add(f, doc, head) {
			fs.step(pl, surface.LifeFull)
			client.Mark(keySlot(pl.item))
			return
		}
	}
	f.conv, f.item, f.place, f.limiter = pl.conv, pl.item, pl, surface.NewLimiter(h.now)
	fs.step(pl, surface.LifeMount)
	fs.mountN++
	pl.frame, pl.offered, pl.wanted, pl.mounted = f, "", false, fs.mountN
	pl.unseen = h.mono()
	id := f.id
	time.AfterFunc(h.readyWithin, func() { h.late(client, id) })
	client.Mark(keySlot(pl.item))
}

// late stops a frame that has not said ready in time.
func (h *Host) late(client *uiapi.Client, id string) {
	if h.pageOf(client).hiddenSince() != 0 { // a hidden page may hardly run at all
		time.AfterFunc(h.readyWithin, func() { h.late(client, id) })
		return
	}
	fs := &h.frames
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := fs.byID[id]
	if f == nil || f.ready || f.place == nil || f.client != client {
		return
	}
	pl := f.place
	if fs.step(pl, surface.LifeLate) {
		pl.reason = stopNotReady
		client.Mark(keySlot(pl.item))
	}
}

// spareFrame gives a page an empty frame to keep warm. It has one at most.
func (h *Host) spareFrame(client *uiapi.Client) (uiapi.Mount, error) {
	if !h.sandbox.allowed() {
		return uiapi.Mount{}, uiapi.Fail(uiapi.RefusedCode)
	}
	doc, head := surface.BuildSpare(surface.Frame{
		Locale: h.language(), Theme: h.lookOf(client), Ancestors: h.ancestors,
	})
	h.frames.forgetAll(func(f *frame) bool { return f.client == client && f.spare })
	f := &frame{client: client, spare: true}
	h.frames.mu.Lock()
	defer h.frames.mu.Unlock()
	if !h.frames.add(f, doc, head) {
		return uiapi.Mount{}, uiapi.Fail(uiapi.Busy)
	}
	return uiapi.Mount{FrameID: f.id, URL: f.url}, nil
}

// down gives the messages a frame is to be sent now.
func (h *Host) down(client *uiapi.Client, id string) (out []uiapi.FrameDown) {
	f := h.frames.get(client, id)
	if f == nil || f.probe {
		return nil
	}
	h.frames.mu.Lock()
	c, item := f.conv, f.item
	h.frames.mu.Unlock()
	if c == nil {
		return nil
	}
	s := h.surfaceOf(c, item)
	if s.su.Status != conversation.SurfaceOpen {
		return nil
	}
	look, lang := h.lookOf(client), h.language()

	h.frames.mu.Lock()
	defer h.frames.mu.Unlock()
	add := func(m string) {
		out = append(out, uiapi.FrameDown{FrameID: id, Message: m})
		h.inspect.down(c, item, m)
	}
	switch {
	case f.filling:
		f.filling, f.inited, f.theme = false, true, false
		add(surface.FillMessage(surface.Frame{App: s.su.App, InstanceID: s.su.Instance, Locale: lang, Theme: look}))
		add(surface.InitMessage(s.su.Instance, s.su.State, look, lang))
	case f.inited:
		if f.theme {
			f.theme = false
			add(surface.ThemeMessage(look, lang))
		}
		if s.su.Revision > f.sentRev {
			add(stateMessage(f.sent, s.su.State))
		}
	case !f.ready:
		return nil
	default:
		f.inited, f.theme = true, false
		add(surface.InitMessage(s.su.Instance, s.su.State, look, lang))
	}
	f.sentRev, f.sent = s.su.Revision, s.su.State
	return out
}

// stateMessage carries the whole state, or what changed in a large one.
func stateMessage(has, state json.RawMessage) string {
	if len(has) > 0 {
		if ops, ok := surface.Diff(has, state); ok {
			return surface.DiffMessage(ops)
		}
	}
	return surface.StateMessage(state)
}

// restyle sends the present look to all frames of a page.
func (h *Host) restyle(client *uiapi.Client) {
	h.frames.mu.Lock()
	var ids []string
	for id, f := range h.frames.byID {
		if f.client == client && f.inited {
			f.theme = true
			ids = append(ids, id)
		}
	}
	h.frames.mu.Unlock()
	for _, id := range ids {
		client.Mark(keyFrame(id))
	}
}

func keySlot(item string) keyT { return keyT{Kind: uiapi.KeySlot, A: item} }
