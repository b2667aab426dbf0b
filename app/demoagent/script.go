package demoagent

import (
	"context"
	"encoding/json"
	"strings"

	"lineup/app/envelope"
)

// idle says that e only needs to be noted as seen.
func idle(e envelope.Envelope) bool {
	switch e.Type {
	case envelope.TypeError:
		return true // the host could not use something of ours; it has shown or logged that
	case envelope.TypeUIResult:
		r, err := envelope.Payload[envelope.UIResult](e)
		return err == nil && r.Status == "ok"
	}
	return false
}

// script does what the run's cause asks for.
func (r *run) script() error {
	r.lang = r.lastLang()
	switch r.cause.Type {
	case envelope.TypeMessage:
		m, err := envelope.Payload[envelope.Message](r.cause)
		if err != nil {
			return r.unreadable(err)
		}
		return r.answer(m)
	case envelope.TypeUIEvent:
		ev, err := envelope.Payload[envelope.UIEvent](r.cause)
		if err != nil {
			return r.unreadable(err)
		}
		return r.event(ev)
	case envelope.TypeUIResult:
		res, err := envelope.Payload[envelope.UIResult](r.cause)
		if err != nil {
			return r.unreadable(err)
		}
		return r.surfaceResult(res)
	case envelope.TypeAppResult:
		res, err := envelope.Payload[envelope.AppResult](r.cause)
		if err != nil {
			return r.unreadable(err)
		}
		return r.callResult(res)
	case envelope.TypeComponentResult:
		res, err := envelope.Payload[envelope.ComponentResult](r.cause)
		if err != nil {
			return r.unreadable(err)
		}
		return r.componentResult(res)
	case envelope.TypeCancel:
		return r.cancel()
	case typeChartEnd:
		return r.chartEnd()
	}
	return nil
}

// unreadable answers an envelope whose payload is not what its type says.
func (r *run) unreadable(err error) error {
	_, err = r.emit(envelope.TypeError, envelope.ErrorPayload{Code: string(envelope.InvalidPayload), Message: err.Error()})
	return err
}

// answer replies to a message of the user's.
func (r *run) answer(m envelope.Message) error {
	r.lang = textLang(m.Text)
	r.remember("lang", r.lang)
	if t, ok := findTopic(m.Text); ok {
		return t.script(r, m.Text)
	}
	return r.chat(m)
}

// lastLang is the language of the latest message.
func (r *run) lastLang() lang {
	l := english
	r.recall("lang", &l)
	return codeLang(string(l))
}

// cancel stops what goes on in the background; the run under way was stopped
// when the cancel arrived.
func (r *run) cancel() error {
	for _, id := range r.c.tickerNames() {
		if err := r.stopChart(id); err != nil {
			return err
		}
	}
	_, err := r.emit(envelope.TypeStatus, envelope.Status{
		StatusID: "s." + r.base, Text: pick(r.lang, "Stopped.", "已停止。"), State: "done",
	})
	return err
}

// greet sends the first words into a new conversation.
func (c *conversation) greet(l lang) {
	text := pick(l,
		"Hello! I am the LineUp demo agent. I am a script, not a model, but everything I show is real.\n\nTry **weather**, **canvas**, **chart** or **everything** – or **help** for the whole list.",
		"你好！我是 LineUp 演示代理。我是一段脚本，不是模型，但我展示的一切都是真的。\n\n试试 **天气**、**画板**、**图表** 或 **全部**，也可以说 **帮助** 看完整的列表。")
	err := c.append(context.WithoutCancel(c.s.ctx), "d.greet."+derive(c.id), envelope.TypeMessage, "", envelope.Message{Text: text}, true)
	if err != nil {
		c.s.log.Error("demo agent: cannot greet", "err", err)
	}
}

// purpose reads what an id of ours says about itself: kind.purpose.lang.hash.
// Results can be understood this way even when nothing is remembered.
func purpose(id, kind string) (name string, l lang, ok bool) {
	parts := strings.Split(id, ".")
	if len(parts) != 4 || parts[0] != kind {
		return "", "", false
	}
	return parts[1], codeLang(parts[2]), true
}

func (r *run) idFor(kind, name string) string {
	return kind + "." + name + "." + string(r.langCode()) + "." + r.base
}

func (r *run) langCode() lang {
	if r.lang == chinese {
		return chinese
	}
	return english
}

// settled says whether id (of a call or component) was answered before, and
// notes that it now is. The last 128 are remembered.
func (r *run) settled(id string) bool {
	var ids []string
	r.recall("settled", &ids)
	for _, was := range ids {
		if was == id {
			return true
		}
	}
	ids = append(ids, id)
	if len(ids) > 128 {
		ids = ids[len(ids)-128:]
	}
	r.remember("settled", ids)
	return false
}

// raw is v as JSON; v is always one of our own plain values.
func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
