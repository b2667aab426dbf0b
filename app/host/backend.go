package host

import (
	"context"
	"encoding/json"
	"errors"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/store"
	"lineup/app/uiapi"
	"lineup/surface"
)

var errNotFound = uiapi.Fail(uiapi.NotFound)

type method func(h *Host, ctx context.Context, c *uiapi.Client, raw json.RawMessage) (any, error)

// on makes a method of a function of decoded parameters.
func on[P any](fn func(h *Host, ctx context.Context, c *uiapi.Client, p P) (any, error)) method {
	return func(h *Host, ctx context.Context, c *uiapi.Client, raw json.RawMessage) (any, error) {
		p, err := uiapi.Decode[P](raw)
		if err != nil {
			return nil, err
		}
		return fn(h, ctx, c, p)
	}
}

type none struct{}

// methods are the requests of package uiapi's comment.
var methods = map[string]method{
	"conversation.create": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.ConversationParams) (any, error) {
		return h.createConversation(ctx, p.AgentID)
	}),
	"conversation.open": on(func(h *Host, ctx context.Context, c *uiapi.Client, p uiapi.ConversationOpenParams) (any, error) {
		return h.openConversation(ctx, c, p)
	}),
	"conversation.rename": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.ConversationParams) (any, error) {
		return nil, h.renameConversation(ctx, p)
	}),
	"conversation.pin": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.ConversationParams) (any, error) {
		return nil, h.changed(p.ConversationID, h.store.SetPinned(ctx, envelope.ConversationID(p.ConversationID), p.Pinned))
	}),
	"conversation.draft": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.ConversationParams) (any, error) {
		if len(p.Draft) > conversation.MaxMessage {
			return nil, uiapi.Bad("draft", "at most 1 MiB")
		}
		return nil, known(h.store.SetDraft(ctx, envelope.ConversationID(p.ConversationID), p.Draft))
	}),
	"conversation.delete": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.ConversationParams) (any, error) {
		return nil, h.deleteConversation(ctx, envelope.ConversationID(p.ConversationID))
	}),
	"conversation.restore": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.ConversationParams) (any, error) {
		return nil, h.restoreConversation(ctx, envelope.ConversationID(p.ConversationID))
	}),
	"message.send": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.SendParams) (any, error) {
		return nil, h.send(ctx, p)
	}),
	"run.stop": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.ConversationParams) (any, error) {
		return nil, h.stopRun(ctx, envelope.ConversationID(p.ConversationID))
	}),
	"component.answer": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.AnswerParams) (any, error) {
		return nil, h.answer(ctx, p)
	}),
	"prompt.shown": on(func(h *Host, _ context.Context, c *uiapi.Client, p uiapi.PromptShownParams) (any, error) {
		return h.shown(c, p.PromptID)
	}),
	"prompt.answer": on(func(h *Host, _ context.Context, c *uiapi.Client, p uiapi.PromptAnswerParams) (any, error) {
		return nil, h.answerPrompt(c, p)
	}),
	"surface.show": on(func(h *Host, _ context.Context, c *uiapi.Client, p uiapi.ShowParams) (any, error) {
		return nil, h.show(c, p)
	}),
	"surface.gone": on(func(h *Host, _ context.Context, c *uiapi.Client, p uiapi.SlotParams) (any, error) {
		h.gone(c, p.ItemID)
		return nil, nil
	}),
	"surface.wake": on(func(h *Host, _ context.Context, c *uiapi.Client, p uiapi.SlotParams) (any, error) {
		h.wake(c, p.ItemID)
		return nil, nil
	}),
	"surface.spare": on(func(h *Host, _ context.Context, c *uiapi.Client, _ none) (any, error) {
		return h.spareFrame(c)
	}),
	"surface.uplink": on(func(h *Host, _ context.Context, c *uiapi.Client, p uiapi.UplinkParams) (any, error) {
		return nil, h.uplink(c, p)
	}),
	"surface.unmount": on(func(h *Host, _ context.Context, c *uiapi.Client, p uiapi.FrameParams) (any, error) {
		h.frames.forgetAll(func(f *frame) bool { return f.client == c && f.id == p.FrameID })
		return nil, nil
	}),
	"surface.navigated": on(func(h *Host, _ context.Context, c *uiapi.Client, p uiapi.FrameParams) (any, error) {
		h.navigated(c, p.FrameID)
		return nil, nil
	}),
	"surface.silent": on(func(h *Host, _ context.Context, c *uiapi.Client, p uiapi.SilentParams) (any, error) {
		h.silent(c, p.FrameIDs)
		return nil, nil
	}),
	"surface.close": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.InstanceParams) (any, error) {
		return nil, h.inConv(ctx, p.ConversationID, func(c *conv) error { return c.closeSurface(surface.InstanceID(p.InstanceID)) })
	}),
	"surface.restart": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.InstanceParams) (any, error) {
		return nil, h.inConv(ctx, p.ConversationID, func(c *conv) error { return c.restartSurface(surface.InstanceID(p.InstanceID)) })
	}),
	"probe.mount": on(func(h *Host, _ context.Context, c *uiapi.Client, _ none) (any, error) {
		return h.mountProbe(c)
	}),
	"probe.failed": on(func(h *Host, _ context.Context, _ *uiapi.Client, _ none) (any, error) {
		if h.sandbox.view().State == "probing" {
			h.failProbe("no_report")
		}
		return nil, nil
	}),
	"agent.add": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.AgentParams) (any, error) {
		return h.addAgent(ctx, p)
	}),
	"agent.remove": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.AgentParams) (any, error) {
		return nil, h.removeAgent(ctx, p.AgentID)
	}),
	"agent.token": on(func(h *Host, _ context.Context, _ *uiapi.Client, p uiapi.AgentParams) (any, error) {
		return nil, h.setToken(p.AgentID, p.Token)
	}),
	"agent.reconnect": on(func(h *Host, _ context.Context, _ *uiapi.Client, p uiapi.AgentParams) (any, error) {
		return nil, h.reconnect(p.AgentID)
	}),
	"settings.set": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.Settings) (any, error) {
		return nil, h.setSettings(ctx, p)
	}),
	"search": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.SearchParams) (any, error) {
		return h.search(ctx, p)
	}),
	"activity.list": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.ActivityParams) (any, error) {
		return h.activity(ctx, p)
	}),
	"grants.list": on(func(h *Host, ctx context.Context, _ *uiapi.Client, _ none) (any, error) {
		return h.grants(ctx)
	}),
	"grants.revoke": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.GrantParams) (any, error) {
		return nil, h.revokeGrant(ctx, p.ID)
	}),
	"trust.list": on(func(h *Host, _ context.Context, _ *uiapi.Client, _ none) (any, error) {
		return h.trusts(), nil
	}),
	"trust.add_key": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.TrustKeyParams) (any, error) {
		return nil, h.trustKey(ctx, p)
	}),
	"trust.remove_key": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.TrustKeyParams) (any, error) {
		return nil, h.distrustKey(ctx, p.Key)
	}),
	"trust.allow": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.InstanceParams) (any, error) {
		return nil, h.inConv(ctx, p.ConversationID, func(c *conv) error { return c.allowExactly(ctx, surface.InstanceID(p.InstanceID)) })
	}),
	"trust.disallow": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.AllowedParams) (any, error) {
		return nil, h.disallow(ctx, p)
	}),
	"apps.view": on(func(h *Host, ctx context.Context, _ *uiapi.Client, _ none) (any, error) {
		return h.apps(ctx)
	}),
	"json.view": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.ItemParams) (any, error) {
		return h.jsonView(ctx, p)
	}),
	"inspect.open": on(func(h *Host, ctx context.Context, c *uiapi.Client, p uiapi.InspectParams) (any, error) {
		return h.inspectOpen(ctx, c, p)
	}),
	"inspect.close": on(func(h *Host, _ context.Context, c *uiapi.Client, _ none) (any, error) {
		h.inspect.leave(c)
		return nil, nil
	}),
	"inspect.document": on(func(h *Host, ctx context.Context, c *uiapi.Client, p uiapi.InspectParams) (any, error) {
		return h.inspectDocument(ctx, c, p)
	}),
	"inspect.state": on(func(h *Host, ctx context.Context, _ *uiapi.Client, p uiapi.InspectParams) (any, error) {
		return h.inspectState(ctx, p)
	}),
	"ui.visible": on(func(h *Host, _ context.Context, c *uiapi.Client, p uiapi.VisibleParams) (any, error) {
		h.pageVisible(c, p.Visible)
		return nil, nil
	}),
	"ui.reading": on(func(h *Host, _ context.Context, _ *uiapi.Client, p uiapi.Reading) (any, error) {
		return nil, h.noteReading(p)
	}),
	"ui.appearance": on(func(h *Host, _ context.Context, c *uiapi.Client, p uiapi.Appearance) (any, error) {
		return nil, h.appearance(c, p)
	}),
	"open.link": on(func(h *Host, _ context.Context, c *uiapi.Client, p uiapi.OpenURLParams) (any, error) {
		return nil, h.openLink(c, p.URL)
	}),
}

// Hello implements uiapi.Backend.
func (h *Host) Hello(ctx context.Context, c *uiapi.Client, p uiapi.HelloParams) (uiapi.Snapshot, error) {
	h.pageOf(c)
	if p.Locale != "" && len(p.Locale) <= 35 {
		h.setPageLocale(ctx, p.Locale)
	}
	convs, err := h.conversationViews(ctx)
	if err != nil {
		return uiapi.Snapshot{}, err
	}
	open, _, err := h.store.Setting(ctx, settingOpen)
	if err != nil {
		return uiapi.Snapshot{}, err
	}
	if h.conversationView(ctx, envelope.ConversationID(open)).Deleted {
		open = ""
	}
	h.mu.Lock()
	settings, agent := h.settings, h.defaultAgent
	h.mu.Unlock()
	return uiapi.Snapshot{
		Epoch: h.epoch, Shell: h.shell, Version: h.version, BundlePolicy: string(h.policy), DevMode: h.devMode || settings.DevMode,
		SurfaceOrigin: h.frames.server.Origin(), Settings: settings, Agents: h.agentViews(),
		Conversations: convs, Prompts: h.prompts(), Sandbox: h.sandbox.view(),
		DefaultAgent: agent, OpenConversation: open, Reading: h.readingOf(open), Preview: h.previewView(),
	}, nil
}

// Call implements uiapi.Backend.
func (h *Host) Call(ctx context.Context, c *uiapi.Client, name string, params json.RawMessage) (any, error) {
	m, ok := methods[name]
	if !ok {
		m, ok = previewMethods[name]
	}
	if !ok {
		return nil, uiapi.Bad("method", "a method of this host")
	}
	res, err := m(h, ctx, c, params)
	if errors.Is(err, errConvGone) || errors.Is(err, store.ErrNotFound) {
		err = errNotFound
	}
	return res, err
}

// Gone implements uiapi.Backend.
func (h *Host) Gone(c *uiapi.Client) {
	h.frames.leave(c, h.mono())
	h.inspect.leave(c)
	h.mu.Lock()
	delete(h.pages, c)
	h.mu.Unlock()
}

// Render implements uiapi.Backend.
func (h *Host) Render(c *uiapi.Client, keys []uiapi.Key) (uiapi.Update, bool) {
	var u uiapi.Update
	some := false
	page := h.pageOf(c)
	page.mu.Lock()
	open := page.open
	page.mu.Unlock()
	var items []string
	for _, k := range keys {
		switch k.Kind {
		case uiapi.KeySettings:
			h.mu.Lock()
			s := h.settings
			h.mu.Unlock()
			u.Settings = &s
		case uiapi.KeyAgents:
			a := h.agentViews()
			u.Agents = &a
		case uiapi.KeyConversation:
			u.Conversations = append(u.Conversations, h.conversationView(h.ctx, envelope.ConversationID(k.A)))
		case uiapi.KeyPrompts:
			p := h.prompts()
			u.Prompts = &p
		case uiapi.KeySandbox:
			s := h.sandbox.view()
			u.Sandbox = &s
		case uiapi.KeyItem:
			if k.A != string(open) {
				continue
			}
			items = append(items, k.B)
		case uiapi.KeyActivity:
			u.ActivityDirty = true
		case uiapi.KeyPreview:
			u.Preview = h.previewView()
		case uiapi.KeyInspect:
			if u.Inspect = h.inspectUpdate(c); u.Inspect == nil {
				continue
			}
		case uiapi.KeyFrame:
			u.Frames = append(u.Frames, h.down(c, k.A)...)
			if len(u.Frames) == 0 {
				continue
			}
		case uiapi.KeySlot:
			s, ok := h.slot(c, k.A)
			if !ok {
				continue
			}
			u.Slots = append(u.Slots, s)
		}
		some = true
	}
	if len(items) > 0 {
		u.ConversationID = string(open)
		u.Items = h.itemViews(page, open, items)
	}
	return u, some
}
