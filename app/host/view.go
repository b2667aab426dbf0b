package host

import (
	"bytes"
	"encoding/json"
	"strings"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/markdown"
	"lineup/app/uiapi"
	"lineup/capability/plain"
	"lineup/surface"
)

// messageView renders one message block by block as it grows.
type messageView struct {
	doc   *markdown.Doc
	fed   int // bytes of the text given to doc
	whole int // Message.Whole that doc stands for
	ended bool
}

// messageDoc brings the rendering up to date. Called with c.mu held.
func (c *conv) messageDoc(id string, m *conversation.Message) *messageView {
	v := c.views[id]
	if v == nil || v.whole != m.Whole || v.fed > m.Len() || (v.ended && m.Streaming) {
		v = &messageView{doc: markdown.New(markdown.Options{}), whole: m.Whole}
		c.views[id] = v
	}
	if v.fed < m.Len() {
		v.doc.Append(m.Since(v.fed))
		v.fed = m.Len()
	}
	if !m.Streaming && !v.ended {
		v.doc.End(nil)
		v.ended = true
	}
	return v
}

// item makes what the page shows of it. rev is the page's revision of a
// message's blocks (0: it has none); the new one is returned. With c.mu held.
func (c *conv) item(it *conversation.Item, l string, rev int64) (uiapi.Item, int64) {
	out := uiapi.Item{ID: it.ID, Pos: it.Pos, Kind: string(it.Kind), From: string(it.From), At: it.At.UnixMilli()}
	switch d := it.Data.(type) {
	case *conversation.Message:
		m := &uiapi.MessageItem{Streaming: d.Streaming, Blocks: []uiapi.Block{}}
		if it.From == conversation.FromUser {
			m.Text = d.Text()
			out.Queue = c.agent.queued(c.id, it.Pos)
		} else if d.Plain {
			m.Text = d.Text()
		} else {
			v := c.messageDoc(it.ID, d)
			var blocks []string
			m.BlocksFrom, blocks, rev = v.doc.BlocksSince(rev)
			m.Blocks = make([]uiapi.Block, len(blocks))
			for i, b := range blocks {
				m.Blocks[i].HTML = b
			}
		}
		out.Message = m
	case *envelope.Status:
		out.Status = &uiapi.StatusItem{Text: d.Text, State: d.State}
	case *envelope.Progress:
		p := &uiapi.ProgressItem{Label: d.Label, Value: d.Value, Max: 100, Steps: steps(d.Steps)}
		if d.Max != nil {
			p.Max = *d.Max
		}
		out.Progress = p
	case *envelope.ErrorPayload:
		out.Error = &uiapi.ErrorItem{Code: d.Code, Message: d.Message, Retryable: d.Retryable}
	case *conversation.Choice:
		lo, hi := d.Bounds()
		ch := &uiapi.ChoiceItem{Prompt: d.Prompt, Multiple: d.Multiple, Min: lo, Max: hi, Answer: answer(d.Answer, d.ExpiresAt)}
		for _, o := range d.Options {
			ch.Options = append(ch.Options, uiapi.ChoiceOption{ID: o.ID, Label: o.Label, Description: o.Description, Disabled: o.Disabled})
		}
		out.Choice = ch
	case *conversation.Confirm:
		tone := d.Tone
		if tone == "" {
			tone = "neutral"
		}
		out.Confirm = &uiapi.ConfirmItem{Prompt: d.Prompt, ConfirmLabel: d.ConfirmLabel, CancelLabel: d.CancelLabel,
			Tone: tone, Answer: answer(d.Answer, d.ExpiresAt)}
	case *conversation.Input:
		out.Input = &uiapi.InputItem{Prompt: d.Prompt, Schema: d.Schema, Initial: d.Initial, SubmitLabel: d.SubmitLabel,
			Multiline: d.Multiline, Placeholder: d.Placeholder, Answer: answer(d.Answer, d.ExpiresAt)}
	case *conversation.Surface:
		out.Surface = c.surfaceItem(it, d)
	case *conversation.Call:
		out.Call = c.h.callItem(d, l)
	case *conversation.Notice:
		out.Notice = &uiapi.NoticeItem{Code: d.Code, Type: oneLine(d.Type, 128), Field: oneLine(d.Field, 128), HasJSON: d.JSON}
	case *envelope.Tool:
		out.Tool = &uiapi.ToolItem{Name: d.Name, Arguments: pretty(d.Arguments), Result: pretty(d.Result), State: d.State}
	case *envelope.Reasoning:
		out.Reasoning = &uiapi.ReasoningItem{Text: d.Text, State: d.State}
	case *envelope.Plan:
		out.Plan = &uiapi.PlanItem{Title: d.Title, Steps: steps(d.Steps)}
	case *envelope.Table:
		out.Table = &uiapi.TableItem{Caption: d.Caption, Columns: d.Columns, Rows: d.Rows}
	case *envelope.Code:
		out.Code = &uiapi.CodeItem{Language: d.Language, Filename: d.Filename, HTML: markdown.Highlight(d.Language, d.Text), Text: d.Text}
	case *envelope.Diff:
		out.Diff = &uiapi.DiffItem{Path: d.Path, Lines: diffLines(*d)}
	case *envelope.File:
		out.File = &uiapi.FileItem{ArtifactID: d.ArtifactID, Name: oneLine(d.Name, 200), MIME: d.MIME, Size: d.Size, Preview: preview(*d)}
	case *envelope.Citation:
		out.Citation = &uiapi.CitationItem{Title: d.Title, URL: d.URL, Quote: d.Quote}
	}
	return out, rev
}

func (c *conv) surfaceItem(it *conversation.Item, d *conversation.Surface) *uiapi.SurfaceItem {
	x := c.extraOf(it.ID)
	name, _, _ := plain.Show(d.App.Name)
	if name == "" {
		name = d.App.ID
	}
	title, _, _ := plain.Show(d.Title)
	mark, checks := c.mark(x, d)
	out := &uiapi.SurfaceItem{
		InstanceID: string(d.Instance), AppID: d.App.ID, Name: name, Title: title, Version: d.App.Version,
		Mark: mark, Checks: checks, Status: string(d.Status), Reason: d.Reason, Height: x.height,
		Dropped: x.dropped, Errors: x.errors,
	}
	if out.Height == 0 {
		out.Height = min(max(d.Size, 0), surface.MaxHeight)
	}
	if x.stopped != "" && d.Status == conversation.SurfaceOpen {
		out.Status, out.Reason = "stopped", x.stopped
		out.Strikes = c.h.strikes(c.agent)[d.App.ID]
	}
	return out
}

func answer(a conversation.Answer, exp *envelope.Time) uiapi.Answer {
	out := uiapi.Answer{Status: a.Status, Value: a.Value}
	if exp != nil {
		out.ExpiresAt = exp.UnixMilli()
	}
	return out
}

func steps(in []envelope.ProgressStep) []uiapi.Step {
	var out []uiapi.Step
	for _, s := range in {
		out = append(out, uiapi.Step{Label: s.Label, State: s.State})
	}
	return out
}

func pretty(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// maxPreview bounds the image that is shown in the log without asking.
const maxPreview = 512 << 10

func preview(f envelope.File) string {
	switch f.MIME {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		if len(f.Data) > 0 && len(f.Data) <= maxPreview && !strings.ContainsAny(f.Data, "\"'<>() \n") {
			return "data:" + f.MIME + ";base64," + f.Data
		}
	}
	return ""
}
