package host

import (
	"errors"

	"lineup/app/conversation"
	"lineup/surface"
)

// judgeOpen returns verdictOpen, verdictAsk, or the code of a refusal.
func (c *conv) judgeOpen(su conversation.Surface, open int) (code, message string) {
	if err := surface.Check(su.App); err != nil {
		return refusalOf(err)
	}
	if _, err := surface.CheckState(su.State); err != nil {
		return refusalOf(err)
	}
	code, message = judgeBundle(c.facts(su.App))
	if code != verdictOpen && code != verdictAsk {
		return code, message
	}
	if open >= MaxOpenSurfaces {
		return "too_many", "at most 32 surfaces may be open in a conversation"
	}
	if c.h.sandbox.failed() {
		return "unsealed", "surfaces cannot be shown safely on this system"
	}
	return code, ""
}

func refusalOf(err error) (code, message string) {
	var r *surface.Refusal
	if errors.As(err, &r) {
		return r.Code, r.Error()
	}
	return "bad_app", "the surface was refused"
}

// facts finds out what the policy wants to know of an app.
func (c *conv) facts(a surface.App) bundleFacts {
	h := c.h
	f := bundleFacts{
		Policy: h.policy, Demo: c.agent.demo(), Developer: h.developer(), Allowed: h.maySurface(c.agent),
		Inline: a.Inline(), Integrity: integrityAbsent, Installed: installedNone,
	}
	digest := ""
	if a.Inline() {
		digest = surface.Digest(a.HTML, a.CSS, a.JS)
		f.Listed = h.trust.listed(c.agent.id, c.agent.fingerprint(), digest)
	}
	if a.Integrity != "" && a.Inline() {
		f.Integrity = integrityWrong
		if a.Integrity == digest {
			f.Integrity = integrityRight
		}
	}
	f.Signature, f.Signer = h.trust.signature(a)
	if h.opt.Installed != nil {
		if versions := h.opt.Installed.Digests(a.ID); versions != nil {
			f.Installed = installedOther
			if d, ok := versions[a.Version]; ok && (!a.Inline() || d == digest) {
				f.Installed = installedSame
			}
		}
	}
	return f
}

// marked is what was checked of a surface, and at which revision of the trust.
type marked struct {
	rev    int
	mark   string
	checks []string
}

// mark gives a surface's mark and checks. A surface that is closed or was refused
// has no bundle any more: it keeps what was found before. Called with c.mu held.
func (c *conv) mark(x *surfaceExtra, su *conversation.Surface) (string, []string) {
	if rev := c.h.trust.revision(); su.App.Inline() && x.marked.rev != rev {
		x.marked.rev = rev
		x.marked.mark, x.marked.checks = markOf(c.facts(su.App))
	}
	if x.marked.mark == "" {
		return markUnverified, []string{}
	}
	return x.marked.mark, x.marked.checks
}

// developer says whether this is a place for trying surfaces out.
func (h *Host) developer() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.opt.Developer || h.devMode || h.settings.DevMode || h.opt.Preview != nil
}

// remark redraws the surfaces that pages show, since their marks may be others now.
func (h *Host) remark() {
	h.trust.bump()
	for _, client := range h.hub.Clients() {
		p := h.pageOf(client)
		p.mu.Lock()
		id := p.open
		p.mu.Unlock()
		if c := h.conv(id); c != nil {
			client.Mark(c.surfaceKeys()...)
		}
	}
}
