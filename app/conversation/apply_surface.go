package conversation

import (
	"encoding/json"
	"errors"

	"lineup/app/envelope"
	"lineup/surface"
)

// open adds an asking surface. The bundle is checked by the host, which
// answers with a ui.result; only then does the surface take its instance over.
func (s *State) open(d *Delta, e Entry) {
	p := payload[envelope.UIOpen](e)
	state := p.State
	if len(state) == 0 {
		state = json.RawMessage(`{}`)
	}
	su := &Surface{
		Instance: surface.InstanceID(p.InstanceID),
		App: surface.App{ID: p.App.ID, Name: p.App.Name, Version: p.App.Version, Surface: p.App.Surface,
			Integrity: p.App.Integrity, Signature: p.App.Signature,
			HTML: p.App.HTML, CSS: p.App.CSS, JS: p.App.JS, Events: p.App.Events,
			HostStyles: p.App.HostStyles},
		Title: p.Title, State: state, Status: SurfaceAsking, Revision: e.Seq,
	}
	if p.Size != nil {
		su.Size = p.Size.Height
	}
	it := s.put(d, e, "f:"+string(e.Env.ID), KindSurface, FromAgent, su)
	s.asking[e.Env.ID] = it
	s.owe(d, Effect{Cause: e.Env.ID, Open: &OpenRequest{ItemID: it.ID, Open: p}})
}

// opened settles an asking surface by the host's own ui.result.
func (s *State) opened(d *Delta, e Entry, r envelope.UIResult) {
	it := s.asking[e.Env.ReplyTo]
	if it == nil {
		return
	}
	delete(s.asking, e.Env.ReplyTo)
	su := it.Data.(*Surface)
	it.Seq = e.Seq
	d.change(it)
	if r.Status != "ok" {
		su.Status, su.Reason = SurfaceRefused, r.Code
		su.drop()
		return
	}
	if old := s.surfaces[su.Instance]; old != nil {
		s.shut(d, e, old, "replaced")
	}
	su.Status = SurfaceOpen
	s.surfaces[su.Instance] = it
	s.openN++
}

// target finds what a patch or close of an instance is about: the open
// surface, or else the newest that is still asking.
func (s *State) target(id surface.InstanceID) *Item {
	if it := s.surfaces[id]; it != nil {
		return it
	}
	var found *Item
	for _, it := range s.asking {
		if it.Data.(*Surface).Instance == id && (found == nil || it.Pos > found.Pos) {
			found = it
		}
	}
	return found
}

func (s *State) patch(d *Delta, e Entry) {
	p := payload[envelope.UIPatch](e)
	res := envelope.UIResult{InstanceID: p.InstanceID, Op: "patch", Status: "ok"}
	it := s.target(surface.InstanceID(p.InstanceID))
	if it == nil {
		res.Status = "unknown_instance"
	} else {
		su := it.Data.(*Surface)
		var next json.RawMessage
		var err error
		if len(p.JSONPatch) > 0 {
			next, err = surface.JSONPatch(su.State, p.JSONPatch)
		} else {
			next, err = surface.MergePatch(su.State, p.State)
		}
		if err != nil {
			res.Status = "refused"
			res.Code, res.Message = refusal(err)
		} else {
			su.State = next
			su.Revision = e.Seq
			it.Seq = e.Seq
			d.Patched = append(d.Patched, it)
		}
	}
	s.owe(d, Effect{Cause: e.Env.ID, Reply: &Reply{Type: envelope.TypeUIResult, Payload: res}})
}

// close ends an instance on the agent's word. One that is still asking is
// closed too: its ui.open is then answered refused/closed.
func (s *State) close(d *Delta, e Entry) {
	p := payload[envelope.UIClose](e)
	res := envelope.UIResult{InstanceID: p.InstanceID, Op: "close", Status: "ok"}
	switch it := s.target(surface.InstanceID(p.InstanceID)); {
	case it == nil:
		res.Status = "unknown_instance"
	case it.Data.(*Surface).Status == SurfaceOpen:
		s.shut(d, e, it, "agent")
	default:
		d.Closed = append(d.Closed, it) // the host withdraws its question and answers the open
	}
	s.owe(d, Effect{Cause: e.Env.ID, Reply: &Reply{Type: envelope.TypeUIResult, Payload: res}})
}

// shut closes an open surface.
func (s *State) shut(d *Delta, e Entry, it *Item, reason string) {
	su := it.Data.(*Surface)
	if su.Status != SurfaceOpen {
		return
	}
	su.Status, su.Reason = SurfaceClosed, reason
	su.drop()
	s.openN--
	if s.surfaces[su.Instance] == it {
		delete(s.surfaces, su.Instance)
	}
	it.Seq = e.Seq
	d.change(it)
	d.Closed = append(d.Closed, it)
}

// drop lets go of what a dead surface no longer needs.
func (su *Surface) drop() {
	su.App.HTML, su.App.CSS, su.App.JS = "", "", ""
	su.State = nil
}

func refusal(err error) (code, message string) {
	var r *surface.Refusal
	if errors.As(err, &r) {
		return r.Code, r.Error()
	}
	return "bad_patch", "the patch could not be applied"
}
