package capability

import "time"

// rule combines risk, policy and grants into what happens next: Forbid, Ask or
// Allow, by what, and by which grant. It fills in o's risk and what may be
// remembered. Deny beats ask beats allow; what cannot be read asks.
func (b *Broker) rule(o *open, now time.Time) (effect Effect, by Decision, grantID string) {
	c := o.call
	var ruling Ruling
	if b.opt.Policy != nil {
		ruling = b.opt.Policy.Rule(c, o.entry.desc, o.scope)
	}
	o.risk = stricter(o.entry.desc.Risk, ruling.Risk)
	o.remember = nil
	if ruling.Effect == Forbid {
		return Forbid, ByPolicy, ""
	}
	id := b.opt.Identify(c.Agent)
	if o.risk.Rememberable() && o.scope != "" && id.Fingerprint != "" {
		o.remember = []Decision{Conversation}
		if id.MayAlways {
			o.remember = append(o.remember, Always)
		}
	}
	allowing := ""
	if o.scope != "" && id.Fingerprint != "" {
		grants, err := b.opt.Grants.Match(b.ctx, c.Agent, c.Capability, o.scope)
		if err != nil {
			b.opt.Log.Error("grants", "err", err)
			ruling.Effect = Ask
		}
		for _, g := range grants {
			if !g.covers(c, o.scope, id.Fingerprint, now) {
				continue
			}
			switch {
			case g.Effect == Forbid:
				return Forbid, ByGrant, g.ID
			case g.Effect == Allow && g.permitted(id):
				allowing = g.ID
			}
		}
	}
	switch {
	case ruling.Effect == Ask:
		return Ask, "", ""
	case o.risk == DisplayOnly:
		return Allow, ByPolicy, ""
	case !o.risk.Rememberable():
		return Ask, "", ""
	case allowing != "":
		return Allow, ByGrant, allowing
	case ruling.Effect == Allow:
		return Allow, ByPolicy, ""
	}
	return Ask, "", ""
}

// permitted tells whether a grant of this duration may still hold for the agent.
func (g Grant) permitted(id Identity) bool { return g.Duration != Always || id.MayAlways }

// newGrant makes the grant that a remembered yes stands for.
func (b *Broker) newGrant(o *open, d Decision, now time.Time) *Grant {
	g := &Grant{
		ID: b.opt.IDs(), Agent: o.call.Agent, Fingerprint: b.opt.Identify(o.call.Agent).Fingerprint,
		Capability: o.call.Capability, Scope: o.scope, Duration: d, Effect: Allow, CreatedAt: now, LastUsedAt: now,
		Rules: map[string]string{"en": o.rule("en"), "zh-CN": o.rule("zh-CN")},
	}
	if d == Conversation {
		g.Conversation = o.call.Conversation
	}
	return g
}
