package host

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/uiapi"
	"lineup/surface"
)

// Preview is what an agent's developer looks at instead of the chat: the agent
// of one conversation, which the host shows by itself. Nil in Options is the
// ordinary host. No method may block on the host.
type Preview interface {
	// Attach gives the two calls back: changed when the view is another,
	// fresh for a new conversation (Begin) in place of the present one. Both
	// may be called from any goroutine, but not with locks that View needs.
	Attach(changed, fresh func())
	Begin(conversationID string)
	View(lang string) uiapi.Preview
	Log(after int64) []uiapi.PreviewEntry
	// CheckState gives the problems of a state's text, and the state unless one
	// of them is an error.
	CheckState(text, lang string) ([]byte, []uiapi.PreviewFinding)
	SetState(instanceID string, present, next json.RawMessage)
	Play()
	Pause()
	Step()
	SetSpeed(speed float64)
}

// previewing is the conversation that is previewed.
type previewing struct {
	mu   sync.Mutex
	conv string
}

// startPreview begins before the agent is dialled.
func (h *Host) startPreview() error {
	if h.opt.Preview == nil {
		return nil
	}
	h.opt.Preview.Attach(func() { h.hub.Mark(keyPreview) }, func() {
		if err := h.freshPreview(); err != nil && h.ctx.Err() == nil {
			h.log.Error("the preview cannot be started again", "err", err)
		}
	})
	return h.freshPreview()
}

// freshPreview begins a new conversation and puts the old one away.
func (h *Host) freshPreview() error {
	h.preview.mu.Lock()
	defer h.preview.mu.Unlock()
	created, err := h.createConversation(h.ctx, "")
	if err != nil {
		return err
	}
	old := h.preview.conv
	h.preview.conv = created.ConversationID
	h.opt.Preview.Begin(created.ConversationID)
	if old == "" {
		return nil
	}
	return h.deleteConversation(h.ctx, envelope.ConversationID(old))
}

func (h *Host) previewView() *uiapi.Preview {
	if h.opt.Preview == nil {
		return nil
	}
	v := h.opt.Preview.View(h.language())
	return &v
}

// inPreview makes a method that only `lineup preview` has.
func inPreview[P any](fn func(h *Host, ctx context.Context, p P) (any, error)) method {
	return on(func(h *Host, ctx context.Context, _ *uiapi.Client, p P) (any, error) {
		if h.opt.Preview == nil {
			return nil, errNotFound
		}
		return fn(h, ctx, p)
	})
}

// previewMethods are the methods of `lineup preview`.
var previewMethods = map[string]method{
	"preview.log": inPreview(func(h *Host, _ context.Context, p uiapi.PreviewLogParams) (any, error) {
		return h.opt.Preview.Log(p.After), nil
	}),
	"preview.state": inPreview(func(h *Host, _ context.Context, p uiapi.PreviewStateParams) (any, error) {
		state, err := h.previewState(p.InstanceID)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := json.Indent(&b, state, "", "  "); err != nil {
			return nil, err
		}
		return uiapi.PreviewState{Text: b.String(), Problems: []uiapi.PreviewFinding{}}, nil
	}),
	"preview.set_state": inPreview(func(h *Host, _ context.Context, p uiapi.PreviewStateParams) (any, error) {
		if len(p.Text) > 4*surface.MaxState {
			return nil, uiapi.Bad("text", "at most 1 MiB")
		}
		next, problems := h.opt.Preview.CheckState(p.Text, h.language())
		out := uiapi.PreviewState{Problems: problems}
		if next == nil || !p.Apply {
			return out, nil
		}
		// A closed one is opened again by the agent, so it need not be there.
		present, err := h.previewState(p.InstanceID)
		if err != nil && !surface.InstanceID(p.InstanceID).Valid() {
			return nil, err
		}
		h.opt.Preview.SetState(p.InstanceID, present, next)
		out.Applied = true
		return out, nil
	}),
	"preview.do": inPreview(func(h *Host, _ context.Context, p uiapi.PreviewDoParams) (any, error) {
		switch p.Action {
		case "restart":
			return nil, h.freshPreview()
		case "play":
			h.opt.Preview.Play()
		case "pause":
			h.opt.Preview.Pause()
		case "step":
			h.opt.Preview.Step()
		case "speed":
			h.opt.Preview.SetSpeed(p.Speed)
		default:
			return nil, uiapi.Bad("action", "restart, play, pause, step or speed")
		}
		return nil, nil
	}),
}

// previewState is the state of an open surface of the previewed conversation.
func (h *Host) previewState(instance string) (json.RawMessage, error) {
	h.preview.mu.Lock()
	c := h.conv(envelope.ConversationID(h.preview.conv))
	h.preview.mu.Unlock()
	if c == nil {
		return nil, errNotFound
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	it := c.state.Surface(surface.InstanceID(instance))
	if it == nil {
		return nil, errNotFound
	}
	return it.Data.(*conversation.Surface).State, nil
}
