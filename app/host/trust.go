package host

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"lineup/app/conversation"
	"lineup/app/store"
	"lineup/app/uiapi"
	"lineup/capability"
	"lineup/capability/plain"
	"lineup/surface"
)

// Bounds of what the user may trust: more are no list that a person oversees.
const (
	maxKeys    = 100
	maxKeyName = 64 // characters
	maxAllowed = 1000
)

// Installed knows the apps of the app centre: for an app's id the digest of each
// installed, enabled version; nil: no app of that id is installed.
type Installed interface {
	Digests(appID string) map[string]string
}

// trust is what the user trusts, as the store has it.
type trust struct {
	store *store.Trust

	mu      sync.Mutex
	rev     int // grows with each change, of the developer mode and of agents' permissions too
	keys    []store.PublisherKey
	parsed  []surface.PublicKey // of keys
	allowed []store.AllowedBundle
}

func (t *trust) load(ctx context.Context) error {
	keys, err := t.store.Keys(ctx)
	if err != nil {
		return err
	}
	allowed, err := t.store.Allowed(ctx)
	if err != nil {
		return err
	}
	parsed := make([]surface.PublicKey, len(keys))
	for i, k := range keys {
		// What cannot be read stays the zero key, which signs nothing.
		parsed[i], _ = surface.ParsePublicKey(k.Key)
	}
	t.mu.Lock()
	t.keys, t.parsed, t.allowed = keys, parsed, allowed
	t.rev++
	t.mu.Unlock()
	return nil
}

func (t *trust) revision() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rev
}

// bump says that marks may have changed for another reason than the lists here.
func (t *trust) bump() {
	t.mu.Lock()
	t.rev++
	t.mu.Unlock()
}

// signature judges an app's signature by the trusted keys.
func (t *trust) signature(a surface.App) (state surface.SignatureState, signer string) {
	t.mu.Lock()
	keys, parsed := t.keys, t.parsed
	t.mu.Unlock()
	state, by := surface.CheckSignature(a, parsed)
	if by >= 0 {
		signer = keys[by].Name
	}
	return state, signer
}

func (t *trust) listed(agent, fingerprint, digest string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, b := range t.allowed {
		if b.AgentID == agent && b.Digest == digest && b.Fingerprint == fingerprint {
			return true
		}
	}
	return false
}

// trusts is what Settings shows under "Trusted interfaces".
func (h *Host) trusts() uiapi.Trust {
	h.trust.mu.Lock()
	keys, parsed, allowed := h.trust.keys, h.trust.parsed, h.trust.allowed
	h.trust.mu.Unlock()
	out := uiapi.Trust{Keys: []uiapi.TrustedKey{}, Allowed: []uiapi.AllowedBundle{}}
	for i, k := range keys {
		out.Keys = append(out.Keys, uiapi.TrustedKey{Key: k.Key, KeyID: parsed[i].ID(), Name: k.Name, AddedAt: k.AddedAt.UnixMilli()})
	}
	for _, b := range allowed {
		name, _ := h.agentName(b.AgentID)
		out.Allowed = append(out.Allowed, uiapi.AllowedBundle{AgentID: b.AgentID, AgentName: name, Digest: b.Digest,
			AppID: b.AppID, Name: b.Name, AddedAt: b.AddedAt.UnixMilli()})
	}
	return out
}

// trustKey adds a publisher's key under the user's own word for it.
func (h *Host) trustKey(ctx context.Context, p uiapi.TrustKeyParams) error {
	name := strings.TrimSpace(p.Name)
	shown, escaped, n := plain.Show(name)
	if name == "" || n > maxKeyName || escaped || shown != name {
		return uiapi.Bad("name", fmt.Sprintf("1 to %d visible characters", maxKeyName))
	}
	key, err := surface.ParsePublicKey(p.Key)
	if err != nil {
		return uiapi.Bad("key", "a minisign public key")
	}
	h.trust.mu.Lock()
	full := len(h.trust.keys) >= maxKeys
	taken := slices.ContainsFunc(h.trust.keys, func(k store.PublisherKey) bool { return k.Name == name })
	h.trust.mu.Unlock()
	switch {
	case full:
		return uiapi.Fail(uiapi.RefusedCode)
	case taken:
		return uiapi.Bad("name", "a name that no other key has")
	}
	ok, err := h.trust.store.AddKey(ctx, store.PublisherKey{Key: key.String(), Name: name, AddedAt: h.now()},
		h.trustRecord("", capPublisher, true, name+" "+key.ID()))
	if err == nil && !ok {
		return uiapi.Bad("key", "a key that is not on the list yet")
	}
	return h.trustChanged(ctx, err)
}

func (h *Host) distrustKey(ctx context.Context, key string) error {
	summary := ""
	h.trust.mu.Lock()
	for i, k := range h.trust.keys {
		if k.Key == key {
			summary = k.Name + " " + h.trust.parsed[i].ID()
		}
	}
	h.trust.mu.Unlock()
	ok, err := h.trust.store.RemoveKey(ctx, key, h.trustRecord("", capPublisher, false, summary))
	if err == nil && !ok {
		return errNotFound
	}
	return h.trustChanged(ctx, err)
}

// allowExactly puts the digest of an open surface on its agent's allowlist.
func (c *conv) allowExactly(ctx context.Context, instance surface.InstanceID) error {
	c.mu.Lock()
	it := c.state.Surface(instance)
	var app surface.App
	if it != nil {
		app = it.Data.(*conversation.Surface).App
	}
	c.mu.Unlock()
	if it == nil || !app.Inline() {
		return errNotFound
	}
	h := c.h
	h.trust.mu.Lock()
	full := len(h.trust.allowed) >= maxAllowed
	h.trust.mu.Unlock()
	if full {
		return uiapi.Fail(uiapi.RefusedCode)
	}
	name := oneLine(app.Name, 128)
	return h.trustChanged(ctx, h.trust.store.Allow(ctx, store.AllowedBundle{
		AgentID: c.agent.id, Fingerprint: c.agent.fingerprint(), Digest: surface.Digest(app.HTML, app.CSS, app.JS),
		AppID: app.ID, Name: name, AddedAt: h.now(),
	}, h.trustRecord(c.agent.id, capBundle, true, app.ID)))
}

func (h *Host) disallow(ctx context.Context, p uiapi.AllowedParams) error {
	ok, err := h.trust.store.Disallow(ctx, p.AgentID, p.Digest, h.trustRecord(p.AgentID, capBundle, false, oneLine(p.Digest, 64)))
	if err == nil && !ok {
		return errNotFound
	}
	return h.trustChanged(ctx, err)
}

// What stands in the audit log for the things that are trusted here.
const (
	capPublisher capability.Name = "publisher.key"
	capBundle    capability.Name = "ui.bundle"
)

func (h *Host) trustRecord(agent string, what capability.Name, given bool, summary string) capability.Record {
	r := capability.Record{Chain: capability.AgentID(agent), At: h.now().UTC().Truncate(time.Millisecond),
		Event: capability.EventGrantRevoked, Capability: what, Summary: summary}
	if given {
		r.Event, r.Decision = capability.EventGranted, capability.Always
	}
	return r
}

// trustChanged takes a change of the store over, and shows what it changes.
func (h *Host) trustChanged(ctx context.Context, err error) error {
	if err != nil {
		return err
	}
	if err := h.trust.load(ctx); err != nil {
		return err
	}
	h.hub.Mark(keyActivity)
	h.remark()
	return nil
}
