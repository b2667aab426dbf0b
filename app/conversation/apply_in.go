package conversation

import (
	"cmp"
	"strings"

	"lineup/app/envelope"
)

// MaxMessage is the largest message in bytes (PROTOCOL.md §7).
const MaxMessage = 1 << 20

func (s *State) applyIn(d *Delta, e Entry) {
	id := string(e.Env.ID)
	switch e.Env.Type {
	case envelope.TypeMessage:
		m := payload[envelope.Message](e)
		it := s.put(d, e, "a:"+id, KindMessage, FromAgent, &Message{text: []byte(m.Text), Plain: m.Format == "plain"})
		s.lastText = it
		d.Ended = append(d.Ended, it)
	case envelope.TypeMessageDelta:
		s.delta(d, e)
	case envelope.TypeMessageEnd:
		s.end(d, e)
	case envelope.TypeStatus:
		p := payload[envelope.Status](e)
		key := "s:" + cmp.Or(p.StatusID, "@"+id)
		s.put(d, e, key, KindStatus, FromAgent, &p)
		s.setLive(key, p.State == "working")
	case envelope.TypeProgress:
		p := payload[envelope.Progress](e)
		s.put(d, e, "p:"+p.ProgressID, KindProgress, FromAgent, &p)
	case envelope.TypeError:
		p := payload[envelope.ErrorPayload](e)
		s.put(d, e, "e:"+id, KindError, FromAgent, &p)
		s.failed = true
		s.endRun(d)
	case envelope.TypeChoice:
		s.ask(s.put(d, e, "c:"+id, KindChoice, FromAgent, &Choice{Choice: payload[envelope.Choice](e)}))
	case envelope.TypeConfirm:
		s.ask(s.put(d, e, "c:"+id, KindConfirm, FromAgent, &Confirm{Confirm: payload[envelope.Confirm](e)}))
	case envelope.TypeInput:
		s.input(d, e)
	case envelope.TypeTool:
		p := payload[envelope.Tool](e)
		s.put(d, e, "t:"+p.ToolID, KindTool, FromAgent, &p)
		s.setLive("t:"+p.ToolID, p.State == "running" || p.State == "streaming")
	case envelope.TypeReasoning:
		p := payload[envelope.Reasoning](e)
		key := "r:" + cmp.Or(p.ReasoningID, "@"+id)
		s.put(d, e, key, KindReasoning, FromAgent, &p)
		s.setLive(key, p.State == "working")
	case envelope.TypePlan:
		p := payload[envelope.Plan](e)
		s.put(d, e, "l:"+cmp.Or(p.PlanID, "@"+id), KindPlan, FromAgent, &p)
	case envelope.TypeTable:
		p := payload[envelope.Table](e)
		s.put(d, e, "a:"+id, KindTable, FromAgent, &p)
	case envelope.TypeCode:
		p := payload[envelope.Code](e)
		s.put(d, e, "a:"+id, KindCode, FromAgent, &p)
	case envelope.TypeDiff:
		p := payload[envelope.Diff](e)
		s.put(d, e, "a:"+id, KindDiff, FromAgent, &p)
	case envelope.TypeFile:
		p := payload[envelope.File](e)
		s.put(d, e, "a:"+id, KindFile, FromAgent, &p)
	case envelope.TypeCitation:
		p := payload[envelope.Citation](e)
		s.put(d, e, "a:"+id, KindCitation, FromAgent, &p)
	case envelope.TypeUIOpen:
		s.open(d, e)
	case envelope.TypeUIPatch:
		s.patch(d, e)
	case envelope.TypeUIClose:
		s.close(d, e)
	case envelope.TypeAppCall:
		s.call(d, e)
	case envelope.TypeAppCancel:
		p := payload[envelope.AppCancel](e)
		d.Effects = append(d.Effects, Effect{Cause: e.Env.ID, Drop: &p})
	default:
		s.unknown(d, e)
	}
}

func (s *State) setLive(key string, on bool) {
	if on {
		s.live[key] = true
	} else {
		delete(s.live, key)
	}
}

func (s *State) ask(it *Item) { s.waiting[it.ID] = it }

// endRun closes streams that an error cut off, so that nothing stays "streaming" for ever.
func (s *State) endRun(d *Delta) {
	for key := range s.live {
		if it := s.byID[key]; it != nil && it.Kind == KindMessage {
			it.Data.(*Message).Streaming = false
			d.change(it)
			d.Ended = append(d.Ended, it)
		}
	}
	clear(s.live)
}

func (s *State) delta(d *Delta, e Entry) {
	p := payload[envelope.MessageDelta](e)
	key := "m:" + p.MessageID
	it := s.byID[key]
	if it == nil {
		it = s.put(d, e, key, KindMessage, FromAgent, &Message{Streaming: true})
	} else {
		it.Seq = e.Seq
		d.change(it)
	}
	m := it.Data.(*Message)
	if len(m.text)+len(p.Delta) > MaxMessage {
		s.owe(d, Effect{Cause: e.Env.ID, Reply: &Reply{Type: envelope.TypeError, Payload: envelope.ErrorPayload{
			Code: "too_large", Message: "payload.delta: the message would be larger than 1 MiB"}}})
		return
	}
	m.text = append(m.text, p.Delta...)
	m.Streaming = true
	s.setLive(key, true)
	s.lastText = it
}

func (s *State) end(d *Delta, e Entry) {
	p := payload[envelope.MessageEnd](e)
	key := "m:" + p.MessageID
	it := s.byID[key]
	if it == nil {
		it = s.put(d, e, key, KindMessage, FromAgent, &Message{})
	} else {
		it.Seq = e.Seq
		d.change(it)
	}
	m := it.Data.(*Message)
	if p.Text != nil && *p.Text != string(m.text) {
		m.text = []byte(*p.Text)
		m.Whole++
	}
	m.Streaming = false
	s.setLive(key, false)
	s.lastText = it
	d.Ended = append(d.Ended, it)
}

func (s *State) input(d *Delta, e Entry) {
	p := payload[envelope.Input](e)
	if path, secret := envelope.SecretField(p); secret {
		s.put(d, e, "n:"+string(e.Env.ID), KindNotice, FromHost, &Notice{Code: "password_refused", Type: string(e.Env.Type), Field: path, Count: 1})
		s.owe(d, Effect{Cause: e.Env.ID, Reply: &Reply{Type: envelope.TypeError, Payload: envelope.ErrorPayload{
			Code: "secret_input", Message: path + ": an input must not ask for a secret"}}})
		return
	}
	s.ask(s.put(d, e, "c:"+string(e.Env.ID), KindInput, FromAgent, &Input{Input: p}))
}

func (s *State) call(d *Delta, e Entry) {
	p := payload[envelope.AppCall](e)
	key := "k:" + p.CallID
	// A repeated call_id does not make a second line: the broker answers it
	// with what the first one got, or refuses other arguments.
	if s.byID[key] == nil {
		s.ask(s.put(d, e, key, KindCall, FromAgent, &Call{AppCall: p, Status: "pending"}))
	}
	s.owe(d, Effect{Cause: e.Env.ID, Call: &p})
}

// unknown answers what this version cannot do; it is never executed.
func (s *State) unknown(d *Delta, e Entry) {
	t := strings.TrimPrefix(string(e.Env.Type), envelope.Prefix)
	code := "unknown_type"
	switch {
	case envelope.Known(e.Env.Type):
		code = "unexpected_type" // a client's type, sent by an agent
	case strings.HasPrefix(t, "ui.") || strings.HasPrefix(t, "app."):
		code = "unsupported"
	}
	s.put(d, e, "n:"+string(e.Env.ID), KindNotice, FromHost, &Notice{Code: code, Type: string(e.Env.Type), Count: 1, JSON: true})
	if code != "unknown_type" {
		s.owe(d, Effect{Cause: e.Env.ID, Reply: &Reply{Type: envelope.TypeError, Payload: envelope.ErrorPayload{
			Code: code, Message: "type: this client does not take " + string(e.Env.Type) + " from an agent"}}})
	}
}
