package capability

import (
	"sort"
	"time"
)

// Prompt is a call that waits for the user, or (Busy) that the user has just
// answered and that is at work.
type Prompt struct {
	ID         PromptID
	Call       Call
	Descriptor Descriptor
	Risk       Risk // may be stricter than the descriptor's
	CreatedAt  time.Time
	Quiet      bool
	Busy       bool
	Remember   []Decision // of Conversation, Always; empty: only once

	entry *entry
	rule  func(lang string) string
}

// Present says in lang what exactly will run.
func (p Prompt) Present(lang string) Presentation { return p.entry.present(p.Call.Args, lang) }

// Rule spells out in lang what a remembered answer would stand for; empty if
// nothing can be remembered.
func (p Prompt) Rule(lang string) string {
	if len(p.Remember) == 0 || p.rule == nil {
		return ""
	}
	return p.rule(lang)
}

// Prompts returns the queue, oldest first.
func (b *Broker) Prompts() []Prompt {
	b.mu.Lock()
	list := make([]*open, 0, len(b.prompts))
	for _, o := range b.prompts {
		list = append(list, o)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].order < list[j].order })
	out := make([]Prompt, len(list))
	for i, o := range list {
		out[i] = Prompt{
			ID: o.prompt, Call: o.call, Descriptor: o.entry.desc, Risk: o.risk, CreatedAt: o.createdAt,
			Quiet: o.quiet, Busy: o.busy, Remember: append([]Decision(nil), o.remember...),
			entry: o.entry, rule: o.rule,
		}
		out[i].Call.Args = clone(o.call.Args)
	}
	b.mu.Unlock()
	return out
}

// ask puts a call into the queue.
func (b *Broker) ask(o *open) {
	b.order++
	o.prompt, o.order = PromptID(b.opt.IDs()), b.order
	o.quiet = b.refusals[o.call.Agent] >= b.opt.QuietAfter
	b.prompts[o.prompt] = o
	b.promptsChanged()
	b.arm()
}

func (b *Broker) promptsChanged() {
	if f := b.opt.OnPromptsChanged; f != nil {
		b.events.addOnce(f)
	}
}

// refused counts a no. From QuietAfter in a row on, what the agent has in the
// queue and what it still sends waits quietly; prompts stay quiet once they are.
func (b *Broker) refused(agent AgentID) {
	b.refusals[agent]++
	if b.refusals[agent] < b.opt.QuietAfter {
		return
	}
	for _, o := range b.prompts {
		if o.call.Agent == agent && !o.busy {
			o.quiet = true
		}
	}
}
