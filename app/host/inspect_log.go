package host

import (
	"encoding/json"
	"errors"
	"strings"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/uiapi"
	"lineup/surface"
)

// down notes a message to a frame.
func (in *inspector) down(c *conv, item, message string) {
	if in.on.Load() {
		in.note(c, item, seen{dir: "down", typ: typeOf(message), text: message})
	}
}

// typeOf reads the type of a message of our own making, where it comes first.
func typeOf(message string) string {
	_, rest, _ := strings.Cut(message, `"type":"`)
	typ, _, _ := strings.Cut(rest, `"`)
	return typ
}

// up notes what a frame said and whether it was taken: err is the decoder's. A
// good event is left to event, which knows what became of it.
func (in *inspector) up(c *conv, item, message string, up surface.Uplink, err error) {
	if !in.on.Load() || err == nil && up.Type == surface.UplinkEvent {
		return
	}
	s := seen{dir: "up", typ: up.Type, name: up.Event, text: message}
	switch {
	case err != nil:
		s.typ, s.problem = "refused", refusedProblem(err)
	case up.Type == surface.UplinkError && up.Kind == "violation":
		v := surface.Explain(up.Message)
		s.problem = &uiapi.InspectProblem{Kind: "violation", Code: v.Code, Directive: v.Directive, Text: v.Blocked}
	case up.Type == surface.UplinkError:
		s.problem = &uiapi.InspectProblem{Kind: "error", Code: up.Kind, Text: up.Message}
	}
	in.note(c, item, s)
}

// event notes a well-formed event. why says that it was not sent on: rate or
// undeclared; "" = it was.
func (in *inspector) event(c *conv, item string, up surface.Uplink, why string) {
	if !in.on.Load() {
		return
	}
	s := seen{dir: "up", typ: up.Type, name: up.Event, text: string(up.Data)}
	if why != "" {
		s.problem = &uiapi.InspectProblem{Kind: "dropped", Code: why}
	}
	in.note(c, item, s)
}

// happened notes what became of a frame: a surface.LifeEvent.
func (in *inspector) happened(c *conv, item, what string) {
	in.note(c, item, seen{dir: "host", typ: what})
}

func refusedProblem(err error) *uiapi.InspectProblem {
	var r *surface.Refusal
	if errors.As(err, &r) {
		return &uiapi.InspectProblem{Kind: "refused", Code: r.Code, Field: r.Field, Text: r.Expected}
	}
	return &uiapi.InspectProblem{Kind: "refused", Code: surface.CodeBadUplink, Text: err.Error()}
}

// log notes what agent and host told each other about a surface. Called with
// c.mu held, for each entry that was applied.
func (in *inspector) log(c *conv, e conversation.Entry, d conversation.Delta) {
	if !in.on.Load() {
		return
	}
	var about struct {
		InstanceID surface.InstanceID `json:"instance_id"`
		Event      string             `json:"event"`
		Status     string             `json:"status"`
		Code       string             `json:"code"`
		Message    string             `json:"message"`
	}
	switch e.Env.Type {
	case envelope.TypeUIOpen, envelope.TypeUIPatch, envelope.TypeUIClose, envelope.TypeUIEvent, envelope.TypeUIResult:
	default:
		return
	}
	if json.Unmarshal(e.Env.Payload, &about) != nil {
		return
	}
	s := seen{dir: "in", typ: strings.TrimPrefix(string(e.Env.Type), envelope.Prefix), name: about.Event, text: string(e.Env.Payload)}
	if e.Dir == conversation.Out {
		s.dir = "out"
	}
	if e.Env.Type == envelope.TypeUIResult && about.Status != "ok" {
		s.problem = &uiapi.InspectProblem{Kind: "refused", Code: about.Code, Text: about.Message}
		if about.Code == "" {
			s.problem.Code = about.Status
		}
	}
	for _, it := range concerned(c, about.InstanceID, e.Env.Type, d) {
		if su, ok := it.Data.(*conversation.Surface); ok {
			in.keep(c, it.ID, *su)
			in.note(c, it.ID, s)
		}
	}
}

// concerned names the surfaces that an entry is about: one instance may have an
// old card beside its new one.
func concerned(c *conv, id surface.InstanceID, t envelope.Type, d conversation.Delta) (out []*conversation.Item) {
	if t == envelope.TypeUIOpen || t == envelope.TypeUIResult {
		for _, it := range d.Changed {
			if it.Kind == conversation.KindSurface {
				out = append(out, it)
			}
		}
	}
	out = append(out, d.Patched...)
	if len(out) == 0 {
		out = append(out, d.Closed...)
	}
	if it := c.state.Surface(id); len(out) == 0 && it != nil {
		out = append(out, it)
	}
	return out
}
