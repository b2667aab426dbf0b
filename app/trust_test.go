package app

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"

	"lineup/app/envelope"
	"lineup/app/host"
	"lineup/app/uiapi"
	"lineup/surface"
)

// publisher makes a key and signs with it.
type publisher struct {
	t    *testing.T
	pub  minisign.PublicKey
	priv minisign.PrivateKey
}

func newPublisher(t *testing.T) publisher {
	t.Helper()
	pub, priv, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return publisher{t, pub, priv}
}

func (p publisher) sign(a surface.App) surface.App {
	p.t.Helper()
	var err error
	if a.Signature, err = surface.Sign(a, p.priv, time.Unix(1700000000, 0)); err != nil {
		p.t.Fatal(err)
	}
	return a
}

func openPayload(t *testing.T, instance string, a surface.App) string {
	t.Helper()
	raw, err := json.Marshal(envelope.UIOpen{InstanceID: instance, App: envelope.App{ID: a.ID, Name: a.Name, Version: a.Version,
		HTML: a.HTML, CSS: a.CSS, JS: a.JS, Events: a.Events, HostStyles: a.HostStyles, Integrity: a.Integrity, Signature: a.Signature}})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func widget() surface.App {
	return surface.App{ID: "com.example.w", Name: "W", Version: "1.0.0", HTML: "<p>w</p>", Events: []string{"press"}}
}

// marked waits until the surface of an instance has the mark and check.
func (p *testPage) marked(instance, mark, check string) {
	p.t.Helper()
	p.until(instance+" is "+mark+" by "+check, func() bool {
		for _, it := range p.items {
			if s := it.Surface; s != nil && s.InstanceID == instance && s.Status == "open" {
				return s.Mark == mark && slices.Contains(s.Checks, check)
			}
		}
		return false
	})
}

func TestSignedInterfaces(t *testing.T) {
	dir := t.TempDir()
	agent, _, c, p, conv := started(t, dir, host.PolicyAllowlisted)
	acme, other := newPublisher(t), newPublisher(t)
	text, err := acme.pub.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	p.must("trust.add_key", uiapi.TrustKeyParams{Name: "Acme", Key: string(text)}, nil)

	n := 0
	answer := func(a surface.App) string {
		t.Helper()
		n++
		id := "o" + string(rune('a'+n))
		agent.say(conv, id, "ui.open", openPayload(t, id, a))
		got := agent.reply(p, id)
		if got["status"] == "ok" {
			return "ok"
		}
		code, _ := got["code"].(string)
		return code
	}
	signed := acme.sign(widget())
	tampered, renamed, moved, unsigned := signed, signed, signed, widget()
	tampered.HTML = "<p>evil</p>"
	renamed.Name = "Your bank"
	moved.ID = "com.example.v"
	both := signed
	both.Integrity = surface.Digest("<p>other</p>", "", "")
	garbage := signed
	garbage.Signature = "trust me"
	for name, x := range map[string]struct {
		app  surface.App
		want string
	}{
		"signed":              {signed, "ok"},
		"tampered":            {tampered, "signature"},
		"renamed":             {renamed, "signature"},
		"of another app":      {moved, "signature"},
		"unsigned":            {unsigned, "policy"},
		"by somebody else":    {other.sign(widget()), "policy"},
		"not a signature":     {garbage, "signature"},
		"with a wrong digest": {both, "integrity"},
	} {
		if got := answer(x.app); got != x.want {
			t.Errorf("%s: %s, want %s", name, got, x.want)
		}
	}
	agent.say(conv, "s1", "ui.open", openPayload(t, "s", signed))
	p.marked("s", "verified", "signed_by:Acme")
	p.mu.Lock()
	if len(p.prompts) != 0 {
		t.Errorf("asked: %+v", p.prompts)
	}
	p.mu.Unlock()

	// What is trusted outlives the process, and is gone once it is removed.
	stopCore[c]()
	c, _ = startCore(t, dir, agent.url(), host.PolicyAllowlisted)
	p = dialPage(t, c, "")
	p.open(conv)
	p.marked("s", "verified", "signed_by:Acme")
	var list uiapi.Trust
	p.must("trust.list", struct{}{}, &list)
	if len(list.Keys) != 1 || list.Keys[0].Name != "Acme" || list.Keys[0].Key != acme.pub.String() || len(list.Keys[0].KeyID) != 16 {
		t.Fatalf("%+v", list)
	}
	p.must("trust.remove_key", uiapi.TrustKeyParams{Key: list.Keys[0].Key}, nil)
	p.marked("s", "unverified", "signature_unknown_key")
	if got := answer(signed); got != "policy" {
		t.Errorf("without the key: %s", got)
	}
	var log []uiapi.ActivityEntry
	p.must("activity.list", uiapi.ActivityParams{}, &log)
	events := ""
	for _, e := range log {
		if e.Capability == "publisher.key" {
			events += e.Event + " " + e.Summary + "; "
		}
	}
	if id := list.Keys[0].KeyID; events != "grant_revoked Acme "+id+"; granted Acme "+id+"; " {
		t.Errorf("activity %q", events)
	}
}

func TestAllowExactly(t *testing.T) {
	dir := t.TempDir()
	agent, _, c, p, conv := started(t, dir, host.PolicyAsk)
	agent.say(conv, "o1", "ui.open", openPayload(t, "i", widget()))
	p.decide("once")
	p.marked("i", "unverified", "agent_allowed")
	where := uiapi.InstanceParams{ConversationID: conv, InstanceID: "i"}
	if err := p.call("trust.allow", uiapi.InstanceParams{ConversationID: conv, InstanceID: "nobody"}, nil); err == nil {
		t.Error("an interface that is not there was allowed")
	}
	p.must("trust.allow", where, nil)
	p.marked("i", "unverified", "allowlisted")

	// Under the strict policy that interface opens, whatever it calls itself, and no other.
	stopCore[c]()
	c, _ = startCore(t, dir, agent.url(), host.PolicyAllowlisted)
	p = dialPage(t, c, "")
	p.probe("")
	p.open(conv)
	agent.say(conv, "o2", "ui.open", openPayload(t, "j", widget()))
	if got := agent.reply(p, "o2"); got["status"] != "ok" {
		t.Errorf("the same: %v", got)
	}
	p.marked("j", "unverified", "allowlisted")
	changed := widget()
	changed.HTML += " "
	agent.say(conv, "o3", "ui.open", openPayload(t, "k", changed))
	if got := agent.reply(p, "o3"); got["code"] != "policy" {
		t.Errorf("another: %v", got)
	}
	var list uiapi.Trust
	p.must("trust.list", struct{}{}, &list)
	if len(list.Allowed) != 1 || list.Allowed[0].Digest != surface.Digest("<p>w</p>", "", "") || list.Allowed[0].AppID != "com.example.w" {
		t.Fatalf("%+v", list)
	}
	b := list.Allowed[0]
	p.must("trust.disallow", uiapi.AllowedParams{AgentID: b.AgentID, Digest: b.Digest}, nil)
	if err := p.call("trust.disallow", uiapi.AllowedParams{AgentID: b.AgentID, Digest: b.Digest}, nil); err == nil {
		t.Error("it was there twice")
	}
	agent.say(conv, "o4", "ui.open", openPayload(t, "l", widget()))
	if got := agent.reply(p, "o4"); got["code"] != "policy" {
		t.Errorf("after removing: %v", got)
	}
	// Another agent has nothing of it, and removing the agent forgets it.
	p.must("trust.allow", uiapi.InstanceParams{ConversationID: conv, InstanceID: "j"}, nil)
	second := startRawAgent(t)
	var added uiapi.Agent
	p.must("agent.add", uiapi.AgentParams{URL: second.url()}, &added)
	var made uiapi.Created
	p.must("conversation.create", uiapi.ConversationParams{AgentID: added.ID}, &made)
	p.say(made.ConversationID, "hello")
	second.count(p, "lineup.v1.message", 1)
	second.say(made.ConversationID, "x1", "ui.open", openPayload(t, "i", widget()))
	if got := second.reply(p, "x1"); got["code"] != "policy" {
		t.Errorf("another agent: %v", got)
	}
	p.must("agent.remove", uiapi.AgentParams{AgentID: b.AgentID}, nil)
	p.must("trust.list", struct{}{}, &list)
	if len(list.Allowed) != 0 {
		t.Errorf("left of a removed agent: %+v", list.Allowed)
	}
}

func TestTrustRefusesWhatIsWrong(t *testing.T) {
	_, _, _, p, _ := started(t, t.TempDir(), host.PolicyAsk)
	acme := newPublisher(t)
	good := acme.pub.String()
	p.must("trust.add_key", uiapi.TrustKeyParams{Name: "  Acme ", Key: good}, nil)
	for name, c := range map[string]struct{ name, key, field string }{
		"no name":         {"", newPublisher(t).pub.String(), "name"},
		"long name":       {strings.Repeat("x", 65), newPublisher(t).pub.String(), "name"},
		"hidden in it":    {"Ac\u202eme", newPublisher(t).pub.String(), "name"},
		"name taken":      {"Acme", newPublisher(t).pub.String(), "name"},
		"key taken":       {"Acme 2", good, "key"},
		"no key":          {"X", "", "key"},
		"not a key":       {"X", "RWno", "key"},
		"a private key":   {"X", "untrusted comment: minisign encrypted secret key\nRWQAAEIyAAAA", "key"},
		"a very long key": {"X", strings.Repeat("R", 100000), "key"},
	} {
		err := p.call("trust.add_key", uiapi.TrustKeyParams{Name: c.name, Key: c.key}, nil)
		var e *uiapi.Error
		if !errors.As(err, &e) || e.Code != uiapi.BadParams || e.Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	var list uiapi.Trust
	p.must("trust.list", struct{}{}, &list)
	if len(list.Keys) != 1 || list.Keys[0].Name != "Acme" {
		t.Errorf("%+v", list)
	}
}
