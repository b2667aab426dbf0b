package host

import (
	"sort"
	"sync"
	"time"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/uiapi"
	"lineup/capability"
	"lineup/capability/plain"
)

// promptGuard is how long a prompt must have been visible before an answer
// that grants is taken (UX §3.2).
const promptGuard = 500 * time.Millisecond

// surfacePrompt asks whether an agent may show its own interface.
type surfacePrompt struct {
	id    string
	conv  *conv
	cause envelope.ID
	item  string
	su    conversation.Surface
	at    time.Time
	// strikes: the app hung that often, and the question is about it alone; 0: the
	// question is whether the agent may show interfaces of its own at all.
	strikes int
}

// surfacePrompts is the queue of those questions.
type surfacePrompts struct {
	h    *Host
	mu   sync.Mutex
	list []*surfacePrompt
}

func (s *surfacePrompts) add(c *conv, cause envelope.ID, item string, su conversation.Surface, strikes int) {
	s.mu.Lock()
	for _, p := range s.list {
		if p.conv == c && p.cause == cause {
			s.mu.Unlock()
			return
		}
	}
	s.list = append(s.list, &surfacePrompt{id: "surface:" + s.h.newID(), conv: c, cause: cause, item: item, su: su, at: s.h.now(), strikes: strikes})
	s.mu.Unlock()
	s.h.hub.Mark(keyPrompts)
}

func (s *surfacePrompts) forget(id envelope.ConversationID, cause envelope.ID) {
	s.mu.Lock()
	for i, p := range s.list {
		if p.conv.id == id && p.cause == cause {
			s.list = append(s.list[:i:i], s.list[i+1:]...)
			break
		}
	}
	s.mu.Unlock()
	s.h.hub.Mark(keyPrompts)
}

// take removes the questions that match and returns them.
func (s *surfacePrompts) take(match func(*surfacePrompt) bool) (out []*surfacePrompt) {
	s.mu.Lock()
	var keep []*surfacePrompt
	for _, p := range s.list {
		if match(p) {
			out = append(out, p)
		} else {
			keep = append(keep, p)
		}
	}
	s.list = keep
	s.mu.Unlock()
	if len(out) > 0 {
		s.h.hub.Mark(keyPrompts)
	}
	return out
}

func (s *surfacePrompts) find(id string) *surfacePrompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.list {
		if p.id == id {
			return p
		}
	}
	return nil
}

// prompts is the whole queue, oldest first, in the user's language. For each
// agent one question about its interface stands for all of them.
func (h *Host) prompts() []uiapi.Prompt {
	l := h.language()
	out := []uiapi.Prompt{}
	for _, p := range h.broker.Prompts() {
		out = append(out, h.capabilityPrompt(p, l))
	}
	h.surfacePrompts.mu.Lock()
	asked := map[*link]bool{}
	for _, p := range h.surfacePrompts.list {
		if p.strikes == 0 && asked[p.conv.agent] {
			continue
		}
		asked[p.conv.agent] = asked[p.conv.agent] || p.strikes == 0
		out = append(out, p.show(l))
	}
	h.surfacePrompts.mu.Unlock()
	sort.SliceStable(out, func(i, j int) bool { return out[i].CreatedAt < out[j].CreatedAt })
	return out
}

func (h *Host) capabilityPrompt(p capability.Prompt, l string) uiapi.Prompt {
	pres := p.Present(l)
	name, url := h.agentName(string(p.Call.Agent))
	out := uiapi.Prompt{
		ID: string(p.ID), Kind: "capability", ConversationID: p.Call.Conversation,
		AgentName: name, AgentURL: url, Title: say(l).wantsTo(name, pres.Title), Risk: string(p.Risk),
		Reason: show(p.Call.Reason), Arguments: []uiapi.PromptArg{}, Warnings: pres.Warnings,
		MayRemember: []string{}, RememberRule: p.Rule(l), CreatedAt: p.CreatedAt.UnixMilli(), Busy: p.Busy, Quiet: p.Quiet,
	}
	hidden := out.Reason.Escaped
	for _, a := range pres.Args {
		v := show(a.Value)
		hidden = hidden || v.Escaped
		out.Arguments = append(out.Arguments, uiapi.PromptArg{Name: a.Name, Label: a.Label, Value: v})
	}
	out.Warnings = withHidden(out.Warnings, hidden)
	for _, d := range p.Remember {
		out.MayRemember = append(out.MayRemember, string(d))
	}
	if !p.Call.ExpiresAt.IsZero() {
		out.ExpiresAt = p.Call.ExpiresAt.UnixMilli()
	}
	return out
}

func (p *surfacePrompt) show(l string) uiapi.Prompt {
	w := say(l)
	name, url := p.conv.agent.name(), p.conv.agent.url()
	app := show(p.su.App.Name)
	title, rule := w.wantsTo(name, w.showOwn), w.showOwnRule(name)
	if p.strikes > 0 {
		title, rule = w.wantsTo(name, w.showStruck(p.strikes)), w.struckRule
	}
	return uiapi.Prompt{
		ID: p.id, Kind: "surface", ConversationID: string(p.conv.id), AgentName: name, AgentURL: url,
		Title: title, Risk: string(capability.UserConfirmation), Reason: show(p.su.Title),
		Arguments: []uiapi.PromptArg{
			{Name: "name", Label: w.appLabel, Value: app},
			{Name: "id", Label: w.idLabel, Value: show(p.su.App.ID)},
			{Name: "version", Label: w.versionLbl, Value: show(p.su.App.Version)},
			{Name: "publisher", Label: w.publisher, Value: show(w.signer(p.su.App.Signature))},
		},
		Warnings:    withHidden([]string{"unverified_app"}, app.Escaped),
		MayRemember: []string{}, RememberRule: rule, CreatedAt: p.at.UnixMilli(),
	}
}

func withHidden(warnings []string, hidden bool) []string {
	if warnings == nil {
		warnings = []string{}
	}
	for _, w := range warnings {
		if w == capability.WarnHidden {
			return warnings
		}
	}
	if hidden {
		warnings = append(warnings, capability.WarnHidden)
	}
	return warnings
}

func show(s string) uiapi.PlainText {
	text, escaped, n := plain.Show(s)
	return uiapi.PlainText{Text: text, Escaped: escaped, Length: n}
}

// callItem is the line that a call leaves in the log.
func (h *Host) callItem(d *conversation.Call, l string) *uiapi.CallItem {
	out := &uiapi.CallItem{CallID: d.CallID, Capability: oneLine(d.Capability, 128), Status: d.Status, Code: d.Code}
	out.Title = h.broker.Title(capability.Name(d.Capability), l)
	if out.Title == d.Capability {
		out.Title = out.Capability
	}
	out.Summary = oneLine(h.summary(capability.Name(d.Capability), d.Arguments, l), 160)
	return out
}

// shown notes that a page shows a prompt now; the nonce must come back with
// an answer that grants.
func (h *Host) shown(client *uiapi.Client, id string) (uiapi.PromptShown, error) {
	p := h.pageOf(client)
	p.mu.Lock()
	defer p.mu.Unlock()
	n := uiapi.Secret()
	p.shown[id] = shownAt{nonce: n, at: h.mono()}
	return uiapi.PromptShown{Nonce: n}, nil
}

// answerPrompt decides a request. Granting needs the nonce of the last showing, and that it is 500 ms old.
func (h *Host) answerPrompt(client *uiapi.Client, p uiapi.PromptAnswerParams) error {
	decision := capability.Decision(p.Decision)
	switch decision {
	case capability.Deny:
	case capability.Once, capability.Conversation, capability.Always:
		page := h.pageOf(client)
		page.mu.Lock()
		s, ok := page.shown[p.PromptID]
		page.mu.Unlock()
		if !ok || s.nonce != p.Nonce {
			return uiapi.Bad("nonce", "what prompt.shown returned last")
		}
		if h.mono()-s.at < promptGuard {
			return uiapi.Fail(uiapi.TooSoon)
		}
	default:
		return uiapi.Bad("decision", "once, conversation, always or deny")
	}
	h.lastAnswering.Store(client)
	if sp := h.surfacePrompts.find(p.PromptID); sp != nil {
		return h.answerSurface(sp, decision != capability.Deny)
	}
	return brokerError(h.broker.Decide(h.ctx, capability.PromptID(p.PromptID), decision))
}

// answerSurface settles all of an agent's waiting surfaces at once: the
// question is about the agent.
func (h *Host) answerSurface(sp *surfacePrompt, yes bool) error {
	agent := sp.conv.agent
	if sp.strikes > 0 {
		h.answerStruck(sp, yes)
		return nil
	}
	if yes {
		if err := h.allowSurfaces(agent); err != nil {
			return err
		}
	}
	h.auditSurface(sp, yes)
	for _, p := range h.surfacePrompts.take(func(p *surfacePrompt) bool { return p.conv.agent == agent && p.strikes == 0 }) {
		p.conv.post(func() {
			if yes {
				p.conv.decideOpen(p.cause, conversation.OpenRequest{ItemID: p.item})
			} else {
				p.conv.refuseOpen(p.cause, p.item, "user", "the user does not want to see this agent's own interface")
			}
		})
	}
	return nil
}

// answerStruck settles whether an app that hung too often may open once more.
func (h *Host) answerStruck(sp *surfacePrompt, yes bool) {
	h.auditSurface(sp, yes)
	h.surfacePrompts.forget(sp.conv.id, sp.cause)
	if yes {
		h.forgive(sp.conv.agent, sp.su.App.ID)
	}
	sp.conv.post(func() {
		if yes {
			sp.conv.decideOpen(sp.cause, conversation.OpenRequest{ItemID: sp.item})
		} else {
			sp.conv.refuseOpen(sp.cause, sp.item, "user", "the user does not want to open this app again: it stopped responding")
		}
	})
}
