package host

import (
	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/uiapi"
	"lineup/surface"
)

// Previewed is what became of the previewed conversation, for a check without
// eyes (`lineup preview --check`).
type Previewed struct {
	Surfaces []PreviewedSurface
	PageHung bool  // a page does not answer, and nobody can end it
	Noted    int64 // grows with all that is noted: equal to before = nothing happened
}

// PreviewedSurface is one surface of it.
type PreviewedSurface struct {
	Instance surface.InstanceID
	Status   string        // as uiapi.SurfaceItem
	Reason   string        // refused, closed: as uiapi.SurfaceItem; stopped: as uiapi.Slot
	Phase    surface.Phase // on the page that has its card; "" = no page has
	Height   int           // CSS pixels that the content needs; 0 = it never said
	Problems []uiapi.InspectEntry
}

// Previewed looks at the previewed conversation; empty in an ordinary host.
func (h *Host) Previewed() (out Previewed) {
	h.preview.mu.Lock()
	c := h.conv(envelope.ConversationID(h.preview.conv))
	h.preview.mu.Unlock()
	if c == nil {
		return out
	}
	for _, client := range h.hub.Clients() {
		page := h.pageOf(client)
		page.mu.Lock()
		out.PageHung = out.PageHung || page.hung
		page.mu.Unlock()
	}
	c.mu.Lock()
	items, _ := c.state.Items(0, pageMax)
	var ids []string
	for _, it := range items {
		su, ok := it.Data.(*conversation.Surface)
		if !ok {
			continue
		}
		x := c.extraOf(it.ID)
		s := PreviewedSurface{Instance: su.Instance, Status: string(su.Status), Reason: su.Reason, Height: x.height}
		if x.stopped != "" {
			s.Reason = x.stopped
		}
		ids = append(ids, it.ID)
		out.Surfaces = append(out.Surfaces, s)
	}
	c.mu.Unlock()
	lang := h.language()
	for i, id := range ids {
		s := &out.Surfaces[i]
		h.frames.look(c, id, s)
		problems, noted := h.inspect.problemsOf(inspectKey{c.id, id})
		s.Problems = worded(problems, lang)
		out.Noted += noted
	}
	return out
}

// look fills in how far the surface is on a page.
func (fs *frames) look(c *conv, item string, s *PreviewedSurface) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, pl := range fs.places {
		if pl.conv != c || pl.item != item {
			continue
		}
		s.Phase = pl.phase
		if pl.reason != "" {
			s.Reason = pl.reason
		}
	}
}

// problemsOf lists the problems that were noted of a surface, and how much was.
func (in *inspector) problemsOf(k inspectKey) (list []uiapi.InspectEntry, noted int64) {
	in.mu.Lock()
	defer in.mu.Unlock()
	r := in.byKey[k]
	if r == nil {
		return nil, 0
	}
	for i := range r.list {
		if r.list[i].Problem != nil {
			list = append(list, r.list[i].InspectEntry)
		}
	}
	return list, r.rev
}
