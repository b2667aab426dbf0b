package host

import (
	"context"
	"time"

	"lineup/app/envelope"
	"lineup/app/uiapi"
	"lineup/capability"
	"lineup/inventory"
)

// newTracker wires the inventory to the store, the broker and the links.
func (h *Host) newTracker() (err error) {
	h.tracker, err = inventory.NewTracker(inventory.Options{
		Store: h.store, Compose: h.compose, OnChange: h.inventoryChanged, Clock: wallClock{}, Log: h.log,
	})
	return err
}

// compose is what an agent may be told. In this version no app can be
// installed yet, so every agent gets the same.
func (h *Host) compose(string) inventory.Content {
	return inventory.Compose(inventory.Input{Components: inventory.Standard(), Capabilities: h.broker.Descriptors()})
}

func (h *Host) visible(a capability.AgentID, n capability.Name) capability.Visibility {
	return h.tracker.Visible(a, n)
}

func (h *Host) inventoryChanged(agentID string, r inventory.Revision) {
	h.mu.Lock()
	l := h.links[agentID]
	h.mu.Unlock()
	if l != nil {
		if err := l.pushInventory(r); err != nil {
			h.log.Error("the inventory cannot be sent", "agent", agentID, "err", err)
		}
	}
	if err := h.broker.Recheck(h.ctx); err != nil {
		h.log.Error("pending calls cannot be judged anew", "err", err)
	}
}

// offerInventory queues the agent's present inventory as the first thing on a
// connection.
func (l *link) offerInventory(ctx context.Context) error {
	r, err := l.h.tracker.Current(ctx, l.id)
	if err != nil {
		return err
	}
	return l.pushInventory(r)
}

func (l *link) pushInventory(r inventory.Revision) error {
	inv := envelope.Inventory{Revision: r.ID()}
	for _, c := range r.Content.StandardComponents {
		inv.StandardComponents = append(inv.StandardComponents, envelope.InventoryComponent(c))
	}
	for _, a := range r.Content.Applications {
		app := envelope.InventoryApp{ID: a.ID, Version: a.Version}
		for _, s := range a.Surfaces {
			app.Surfaces = append(app.Surfaces, envelope.InventorySurface(s))
		}
		inv.Applications = append(inv.Applications, app)
	}
	for _, c := range r.Content.Capabilities {
		inv.Capabilities = append(inv.Capabilities, envelope.CapabilityInfo{Name: c.Name, Version: c.Version, Risk: c.Risk})
	}
	if err := l.pushNew(envelope.TypeInventory, inv); err != nil {
		return err
	}
	l.mu.Lock()
	list := l.wantsAppList
	l.mu.Unlock()
	if !list {
		return nil
	}
	var out envelope.AppList
	for _, c := range r.Content.AppList() {
		out.Capabilities = append(out.Capabilities, envelope.CapabilityInfo{Name: c.Name, Version: c.Version, Risk: c.Risk, InputSchema: c.InputSchema})
	}
	return l.pushNew(envelope.TypeAppList, out)
}

// pushNew queues a connection-level envelope.
func (l *link) pushNew(t envelope.Type, payload any) error {
	e, err := l.h.entry("", envelope.ID(l.h.newID()), t, clientParty, "", payload)
	if err != nil {
		return err
	}
	return l.push(e.Env)
}

// apps is the Apps screen.
func (h *Host) apps(ctx context.Context) (uiapi.AppsView, error) {
	out := uiapi.AppsView{Apps: []uiapi.AppRow{}, Capabilities: []uiapi.CapabilityRow{}}
	h.mu.Lock()
	id := h.defaultAgent
	h.mu.Unlock()
	if id == "" {
		id = DemoAgentID
	}
	r, err := h.tracker.Current(ctx, id)
	if err != nil {
		return out, err
	}
	out.Revision = r.ID()
	l := h.language()
	for _, c := range r.Content.Capabilities {
		out.Capabilities = append(out.Capabilities, uiapi.CapabilityRow{Name: c.Name,
			Title: h.broker.Title(capability.Name(c.Name), l), Version: c.Version, Risk: c.Risk})
	}
	return out, nil
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	return time.AfterFunc(d, f).Stop
}
