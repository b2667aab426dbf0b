package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"sort"

	"lineup/app/agent"
	"lineup/app/envelope"
	"lineup/app/store"
	"lineup/app/uiapi"
	"lineup/capability"
)

// DemoAgentID is the record of the embedded demo agent.
const DemoAgentID = "demo"

func (h *Host) newLink(rec store.Agent) *link {
	return &link{h: h, id: rec.ID, rec: rec, state: agent.State{Phase: agent.Offline},
		sent: map[envelope.ConversationID]int64{}, sentSeq: map[envelope.ConversationID]int64{}, wake: make(chan struct{}, 1)}
}

// orphan stands for an agent that was removed: its conversations stay readable.
func (h *Host) orphan(id string) *link {
	l := h.newLink(store.Agent{ID: id, Name: id})
	if rec, ok, err := h.store.Agent(h.ctx, id); err == nil && ok {
		l.rec = rec
	}
	return l
}

func (h *Host) loadAgents(ctx context.Context) error {
	list, err := h.store.Agents(ctx)
	if err != nil {
		return err
	}
	for _, rec := range list {
		l := h.newLink(rec)
		marks, err := h.store.Watermarks(ctx, rec.ID)
		if err != nil {
			return err
		}
		for _, m := range marks {
			l.sentSeq[m.Conversation] = m.SentSeq
		}
		h.links[rec.ID] = l
	}
	return nil
}

// start dials, if the link is not already wanted.
func (l *link) start() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel != nil || l.rec.URL == "" {
		return
	}
	ctx, cancel := context.WithCancel(l.h.ctx)
	l.cancel = cancel
	l.state = agent.State{Phase: agent.Connecting}
	l.conn = l.h.dial(l.rec.URL, func() string { return l.h.secrets.Get(l.id) }, l)
	conn := l.conn
	l.h.wg.Add(1)
	go func() {
		defer l.h.wg.Done()
		if err := conn.Run(ctx); err != nil {
			l.h.log.Warn("link ended", "agent", l.id, "err", err)
		}
	}()
}

// end gives the connection up.
func (l *link) end() {
	l.mu.Lock()
	cancel := l.cancel
	l.cancel, l.conn = nil, nil
	l.state = agent.State{Phase: agent.Offline}
	l.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

func (l *link) name() string {
	l.mu.Lock()
	name := l.rec.Name
	l.mu.Unlock()
	if name == "" {
		return say(l.h.language()).unnamed // not under l.mu: the language needs Host.mu
	}
	return name
}

func (l *link) url() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rec.URL
}

func (l *link) demo() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rec.Demo
}

// fingerprint changes when the agent's record does, and with it every grant.
// The embedded demo agent listens on another port at each start; its record
// is the host's own, so the port does not count.
func (l *link) fingerprint() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	where := l.rec.URL
	if l.rec.Demo {
		where = "embedded"
	}
	sum := sha256.Sum256([]byte(l.id + "\x00" + where))
	return hex.EncodeToString(sum[:])
}

// identify is what the broker may remember about an agent.
func (h *Host) identify(id capability.AgentID) capability.Identity {
	h.mu.Lock()
	l := h.links[string(id)]
	h.mu.Unlock()
	if l == nil {
		return capability.Identity{}
	}
	// Plain ws:// is only ever dialled to loopback, so "always" is open to all.
	return capability.Identity{Fingerprint: l.fingerprint(), MayAlways: true}
}

func (h *Host) agentName(id string) (name, where string) {
	h.mu.Lock()
	l := h.links[id]
	h.mu.Unlock()
	if l == nil {
		l = h.orphan(id)
	}
	return l.name(), l.url()
}

func (h *Host) allLinks() []*link {
	h.mu.Lock()
	links := make([]*link, 0, len(h.links))
	for _, l := range h.links {
		links = append(links, l)
	}
	h.mu.Unlock()
	return links
}

// agentViews is the list for the page, the demo agent first.
func (h *Host) agentViews() []uiapi.Agent {
	links := h.allLinks()
	out := make([]uiapi.Agent, 0, len(links))
	for _, l := range links {
		out = append(out, l.view())
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Demo != out[j].Demo {
			return out[i].Demo
		}
		return out[i].Name < out[j].Name
	})
	return out
}

func (l *link) view() uiapi.Agent {
	queued, err := l.h.store.CountQueued(l.h.ctx, l.id)
	if err != nil {
		queued = 0
	}
	hasToken := l.h.secrets.Get(l.id) != ""
	name := l.name()
	l.mu.Lock()
	defer l.mu.Unlock()
	a := uiapi.Agent{ID: l.id, Name: name, URL: l.rec.URL, Demo: l.rec.Demo, State: string(l.state.Phase),
		Error: string(l.state.Code), Queued: queued, Version: l.rec.Version, HasToken: hasToken}
	if !l.state.RetryAt.IsZero() {
		a.RetryAt = l.state.RetryAt.UnixMilli()
	}
	return a
}

// EnsureAgent makes sure that an agent with this address is known, and returns
// its id. For the demo agent the address is the one of this run.
func (h *Host) EnsureAgent(ctx context.Context, rawURL, token string, demo bool) (string, error) {
	if err := checkAgentURL(rawURL); err != nil {
		return "", err
	}
	var found *link
	for _, l := range h.allLinks() {
		if (demo && l.demo()) || (!demo && !l.demo() && l.url() == rawURL) {
			found = l
		}
	}
	if found == nil {
		rec := store.Agent{ID: h.newID(), Name: "", URL: rawURL, Demo: demo, CreatedAt: h.now()}
		if demo {
			rec.ID, rec.Name = DemoAgentID, "LineUp Demo"
		}
		if err := h.store.PutAgent(ctx, rec); err != nil {
			return "", err
		}
		found = h.newLink(rec)
		h.mu.Lock()
		h.links[rec.ID] = found
		h.mu.Unlock()
	} else if found.url() != rawURL {
		found.mu.Lock()
		found.rec.URL = rawURL
		rec := found.rec
		found.mu.Unlock()
		if err := h.store.PutAgent(ctx, rec); err != nil {
			return "", err
		}
	}
	if token != "" {
		if err := h.secrets.Set(found.id, token); err != nil {
			return "", err
		}
	}
	h.hub.Mark(keyAgents)
	return found.id, nil
}

// addAgent is the user's own act.
func (h *Host) addAgent(ctx context.Context, p uiapi.AgentParams) (uiapi.Agent, error) {
	id, err := h.EnsureAgent(ctx, p.URL, p.Token, false)
	if err != nil {
		return uiapi.Agent{}, err
	}
	h.mu.Lock()
	l := h.links[id]
	h.mu.Unlock()
	if p.Name != "" {
		l.mu.Lock()
		l.rec.Name = displayName(p.Name, id)
		rec := l.rec
		l.mu.Unlock()
		if err := h.store.PutAgent(ctx, rec); err != nil {
			return uiapi.Agent{}, err
		}
	}
	l.start()
	return l.view(), nil
}

// checkAgentURL refuses what could never be dialled; the link checks again.
func checkAgentURL(raw string) error {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "ws" && u.Scheme != "wss"):
		return uiapi.Bad("url", "a ws:// or wss:// address")
	case u.User != nil:
		return uiapi.Bad("url", "no user name or password in the address")
	case u.Scheme == "ws" && !loopback(u.Hostname()):
		return uiapi.Bad("url", "wss:// (plain ws:// only to this computer)")
	}
	return nil
}

func (h *Host) removeAgent(ctx context.Context, id string) error {
	h.mu.Lock()
	l := h.links[id]
	h.mu.Unlock()
	if l == nil {
		return errNotFound
	}
	if l.demo() {
		return uiapi.Fail(uiapi.RefusedCode)
	}
	if err := h.store.DeleteAgent(ctx, id); err != nil {
		return err
	}
	l.end()
	h.secrets.Delete(id)
	h.tracker.Unwatch(id)
	if err := h.broker.ForgetAgent(ctx, capability.AgentID(id)); err != nil {
		return err
	}
	if err := h.store.SetSetting(ctx, settingSurface+id, ""); err != nil {
		return err
	}
	if err := h.trustChanged(ctx, h.trust.store.ForgetAgent(ctx, id, h.trustRecord(id, capBundle, false, ""))); err != nil {
		return err
	}
	h.mu.Lock()
	delete(h.links, id)
	h.mu.Unlock()
	h.hub.Mark(keyAgents)
	return nil
}

func (h *Host) setToken(id, token string) error {
	h.mu.Lock()
	l := h.links[id]
	h.mu.Unlock()
	if l == nil {
		return errNotFound
	}
	if len(token) > 8192 {
		return uiapi.Bad("token", "at most 8 KiB")
	}
	if token == "" {
		h.secrets.Delete(id)
	} else if err := h.secrets.Set(id, token); err != nil {
		return err
	}
	h.hub.Mark(keyAgents)
	return h.reconnect(id)
}

// reconnect tries at once.
func (h *Host) reconnect(id string) error {
	h.mu.Lock()
	l := h.links[id]
	h.mu.Unlock()
	if l == nil {
		return errNotFound
	}
	l.start()
	l.mu.Lock()
	conn := l.conn
	l.mu.Unlock()
	if conn != nil {
		conn.Retry()
	}
	return nil
}

// SetDefaultAgent says which agent a new conversation is with, if none is named.
func (h *Host) SetDefaultAgent(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.defaultAgent = id
}
