package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"lineup/app/uiapi"
	"lineup/capability"
	"lineup/capability/plain"
)

// newBroker wires the broker to the store, the inventory and the pages.
func (h *Host) newBroker() error {
	b, err := capability.NewBroker(capability.Options{
		Ledger:    h.store.Ledger(h.opt.AuditKey),
		Grants:    h.store.Grants(h.opt.AuditKey),
		Audit:     h.store.Audit(h.opt.AuditKey),
		Providers: h.opt.Providers,
		Visible:   h.visible,
		Identify:  h.identify,
		IDs:       h.newID,
		Lang:      h.language,
		Log:       h.log,
		OnResult:  h.onResult,
		OnState:   func(capability.Call, capability.Phase, capability.Result) { h.hub.Mark(keyActivity) },
		OnPromptsChanged: func() {
			h.hub.Mark(keyPrompts)
		},
	})
	h.broker = b
	return err
}

// brokerError puts the broker's refusals in the page's vocabulary.
func brokerError(err error) error {
	switch {
	case errors.Is(err, capability.ErrUnknownPrompt):
		return errNotFound
	case errors.Is(err, capability.ErrAnswered):
		return uiapi.Fail(uiapi.AlreadyAnswered)
	case errors.Is(err, capability.ErrExpired):
		return uiapi.Fail(uiapi.Expired)
	case errors.Is(err, capability.ErrRevoked), errors.Is(err, capability.ErrForbidden):
		return uiapi.Fail(uiapi.RefusedCode)
	case errors.Is(err, capability.ErrNotRememberable), errors.Is(err, capability.ErrBadDecision):
		return uiapi.Bad("decision", "one that this prompt offers")
	}
	return err
}

// summary is one line about a call's arguments, from its provider.
func (h *Host) summary(name capability.Name, args json.RawMessage, l string) (s string) {
	p := h.providers[name]
	if p == nil {
		return ""
	}
	defer func() {
		if recover() != nil {
			s = "" // arguments that were refused need no summary
		}
	}()
	return p.Present(args, l).Summary
}

// activity is the audit log for people, newest first.
func (h *Host) activity(ctx context.Context, p uiapi.ActivityParams) ([]uiapi.ActivityEntry, error) {
	limit := min(cmp.Or(max(p.Limit, 0), pageDefault), pageMax)
	records, err := h.store.Audit(h.opt.AuditKey).Page(ctx, p.Before, limit)
	if err != nil {
		return nil, err
	}
	l := h.language()
	out := make([]uiapi.ActivityEntry, 0, len(records))
	for _, r := range records {
		e := uiapi.ActivityEntry{Seq: r.Row, At: r.At.UnixMilli(), ConversationID: r.Conversation, CallID: string(r.Call),
			Capability: oneLine(string(r.Capability), 128), Event: r.Event, Decision: string(r.Decision), Summary: r.Summary}
		if r.Chain != "" {
			e.AgentName, _ = h.agentName(string(r.Chain))
		}
		if r.Capability != "" {
			switch r.Capability {
			case capSurface:
				e.Title = say(l).showOwn
			case capBundle:
				e.Title = say(l).showExactly
			case capPublisher:
				e.Title = say(l).trustKey
			default:
				e.Title = h.broker.Title(r.Capability, l)
			}
		}
		out = append(out, e)
	}
	return out, nil
}

// capSurface stands in the audit log for "show its own interface".
const capSurface capability.Name = "ui.open"

func (h *Host) auditSurface(sp *surfacePrompt, yes bool) {
	r := capability.Record{Chain: capability.AgentID(sp.conv.agent.id), At: h.now().UTC().Truncate(time.Millisecond),
		Event: capability.EventDenied, Conversation: string(sp.conv.id), Capability: capSurface, Decision: capability.Deny}
	r.Summary, _, _ = plain.Show(sp.su.App.ID)
	if yes {
		r.Event, r.Decision = capability.EventAllowed, capability.Always
	}
	if _, err := h.store.Audit(h.opt.AuditKey).Append(h.ctx, r); err != nil {
		h.log.Error("cannot write the audit log", "err", err)
	}
	h.hub.Mark(keyActivity)
}

const surfaceGrant = "surface:" // + agent id: the grant of allowSurfaces, as the page names it

// grants lists what is remembered: capability grants, and agents that may show
// their own interface.
func (h *Host) grants(ctx context.Context) ([]uiapi.Grant, error) {
	list, err := h.store.Grants(h.opt.AuditKey).List(ctx)
	if err != nil {
		return nil, err
	}
	l := h.language()
	out := []uiapi.Grant{}
	for _, g := range list {
		name, _ := h.agentName(string(g.Agent))
		u := uiapi.Grant{ID: g.ID, AgentName: name, Rule: g.Rule(l), Scope: string(g.Duration), CreatedAt: g.CreatedAt.UnixMilli()}
		if !g.LastUsedAt.IsZero() {
			u.LastUsedAt = g.LastUsedAt.UnixMilli()
		}
		out = append(out, u)
	}
	for _, x := range h.allLinks() {
		if h.maySurface(x) {
			out = append(out, uiapi.Grant{ID: surfaceGrant + x.id, AgentName: x.name(), Rule: say(l).showOwnRule(x.name()), Scope: string(capability.Always)})
		}
	}
	return out, nil
}

func (h *Host) revokeGrant(ctx context.Context, id string) error {
	if agent, ok := strings.CutPrefix(id, surfaceGrant); ok {
		defer h.remark()
		return h.store.SetSetting(ctx, settingSurface+agent, "")
	}
	ok, err := h.broker.RevokeGrant(ctx, id)
	if err == nil && !ok {
		return errNotFound
	}
	h.hub.Mark(keyActivity)
	return err
}
