package conversation

import (
	"encoding/json"

	"lineup/app/envelope"
	"lineup/surface"
)

func (s *State) applyOut(d *Delta, e Entry) {
	switch e.Env.Type {
	case envelope.TypeMessage:
		m := payload[envelope.Message](e)
		it := s.put(d, e, "u:"+string(e.Env.ID), KindMessage, FromUser, &Message{text: []byte(m.Text), Plain: true})
		s.lastText = it
		d.Ended = append(d.Ended, it)
		if s.firstUserText == "" {
			s.firstUserText = m.Text
		}
		s.unheard, s.failed = true, false
	case envelope.TypeComponentResult:
		s.answered(d, e)
	case envelope.TypeCancel:
		s.unheard = false
		s.endRun(d)
	case envelope.TypeUIResult:
		if r := payload[envelope.UIResult](e); r.Op == "open" {
			s.opened(d, e, r)
		}
	case envelope.TypeUIEvent:
		p := payload[envelope.UIEvent](e)
		if p.Event != "close" {
			return
		}
		if it := s.surfaces[surface.InstanceID(p.InstanceID)]; it != nil {
			s.shut(d, e, it, "user")
		}
	case envelope.TypeAppResult:
		s.settled(d, e)
	}
}

func (s *State) answered(d *Delta, e Entry) {
	p := payload[envelope.ComponentResult](e)
	it := s.byID["c:"+p.ComponentID]
	if it == nil {
		return
	}
	a := Answer{Status: p.Status, Value: p.Value}
	switch c := it.Data.(type) {
	case *Choice:
		c.Answer = a
	case *Confirm:
		c.Answer = a
	case *Input:
		c.Answer = a
	}
	delete(s.waiting, it.ID)
	it.Seq = e.Seq
	d.change(it)
	if p.Status == "answered" {
		s.unheard = true
	}
}

func (s *State) settled(d *Delta, e Entry) {
	p := payload[envelope.AppResult](e)
	it := s.byID["k:"+p.CallID]
	if it == nil {
		return
	}
	c := it.Data.(*Call)
	if c.Status != "pending" || e.Env.ReplyTo != it.Env {
		return // the answer to a repeat, or to another call that took the same id
	}
	c.Status = p.Status
	if p.Error != nil {
		c.Code = p.Error.Code
	}
	delete(s.waiting, it.ID)
	it.Seq = e.Seq
	d.change(it)
}

func (s *State) applyLocal(d *Delta, e Entry) {
	switch e.Env.Type {
	case TypeLocalMalformed:
		var f MalformedFact
		_ = json.Unmarshal(e.Env.Payload, &f) // our own record; a field that is missing is empty
		if n := len(s.items); n > 0 {
			if last, ok := s.items[n-1].Data.(*Notice); ok && last.Code == "bad_envelope" {
				last.Count++
				last.Field = f.Field
				s.items[n-1].Seq = e.Seq
				d.change(s.items[n-1])
				return
			}
		}
		s.put(d, e, "n:"+string(e.Env.ID), KindNotice, FromHost, &Notice{Code: "bad_envelope", Field: f.Field, Count: 1})
	case TypeLocalClosed:
		var f ClosedFact
		_ = json.Unmarshal(e.Env.Payload, &f)
		if it := s.surfaces[surface.InstanceID(f.InstanceID)]; it != nil {
			s.shut(d, e, it, f.Reason)
		}
	}
}
