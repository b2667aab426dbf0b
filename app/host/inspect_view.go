package host

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/uiapi"
	"lineup/capability/plain"
	"lineup/surface"
)

var keyInspect = keyT{Kind: uiapi.KeyInspect}

// inspected is the host's own record of a surface, for the inspector.
type inspected struct {
	key    inspectKey
	conv   *conv
	su     conversation.Surface
	height int
}

// inspectedSurface looks a surface up; refused outside developer mode.
func (h *Host) inspectedSurface(ctx context.Context, k inspectKey) (v inspected, err error) {
	c := h.conv(k.conv)
	switch {
	case !h.inspect.on.Load():
		return v, uiapi.Fail(uiapi.RefusedCode)
	case c == nil:
		return v, errNotFound
	}
	select {
	case <-c.loaded:
	case <-ctx.Done():
		return v, ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	it := c.state.Item(k.item)
	if it == nil || it.Kind != conversation.KindSurface {
		return v, errNotFound
	}
	v = inspected{key: k, conv: c, su: *it.Data.(*conversation.Surface), height: c.extraOf(k.item).height}
	return v, nil
}

// inspectOpen starts to show a page what happens to a surface.
func (h *Host) inspectOpen(ctx context.Context, client *uiapi.Client, p uiapi.InspectParams) (uiapi.InspectView, error) {
	v, err := h.inspectedSurface(ctx, keyOf(p))
	if err != nil {
		return uiapi.InspectView{}, err
	}
	h.inspect.keep(v.conv, v.key.item, v.su)
	in := &h.inspect
	in.mu.Lock()
	if in.watch == nil {
		in.watch = map[*uiapi.Client]*inspectWatch{}
	}
	in.watch[client] = &inspectWatch{key: v.key}
	in.wake(v.key) // the meters may be on their way
	in.mu.Unlock()
	return h.inspectView(client, v), nil
}

// inspectUpdate is what changed since the page was told last; nil: it looks at nothing.
func (h *Host) inspectUpdate(client *uiapi.Client) *uiapi.InspectView {
	in := &h.inspect
	in.mu.Lock()
	w := in.watch[client]
	in.mu.Unlock()
	if w == nil {
		return nil
	}
	v, err := h.inspectedSurface(h.ctx, w.key)
	if err != nil {
		return nil
	}
	out := h.inspectView(client, v)
	return &out
}

func (h *Host) inspectView(client *uiapi.Client, v inspected) uiapi.InspectView {
	name, _, _ := plain.Show(v.su.App.Name)
	out := uiapi.InspectView{
		ConversationID: string(v.key.conv), ItemID: v.key.item,
		Surface: uiapi.InspectSurface{
			InstanceID: string(v.su.Instance), AppID: v.su.App.ID, Name: name, Version: v.su.App.Version,
			Status: string(v.su.Status), Reason: v.su.Reason, Events: append([]string{}, v.su.App.Events...),
			StateRevision: v.su.Revision,
		},
	}
	burst, live := h.frames.spent(client, v.key)
	at, lang := h.now(), h.language()
	in := &h.inspect
	in.mu.Lock()
	defer in.mu.Unlock()
	r := in.recording(v.key)
	out.LastSeq = r.seq
	out.Meters = r.meters(at, v, burst, live)
	out.Entries = []uiapi.InspectEntry{}
	if w := in.watch[client]; w != nil && w.key == v.key {
		out.Entries = worded(r.since(w.rev), lang)
		w.rev = r.rev
	}
	return out
}

// worded says of each violation what it means, in words that the validator uses too.
func worded(list []uiapi.InspectEntry, lang string) []uiapi.InspectEntry {
	for i := range list {
		if p := list[i].Problem; p != nil && p.Kind == "violation" {
			said := *p
			v := surface.Violation{Code: p.Code, Directive: p.Directive, Blocked: p.Text}
			said.What, said.Fix = v.Finding().Words(lang)
			list[i].Problem = &said
		}
	}
	return list
}

// spent is what is left of the burst in the busiest frame of a surface, and how
// many surfaces' frames run on a page.
func (fs *frames) spent(client *uiapi.Client, k inspectKey) (burst, live int) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	burst = surface.EventBurst
	for _, f := range fs.byID {
		if f.conv == nil {
			continue
		}
		if f.client == client {
			live++
		}
		if f.conv.id == k.conv && f.item == k.item && f.limiter != nil {
			burst = min(burst, f.limiter.Left())
		}
	}
	return burst, live
}

func (r *recording) meters(at time.Time, v inspected, burst, live int) []uiapi.InspectMeter {
	su := r.whole(v.su)
	out := []uiapi.InspectMeter{
		{Code: "events_per_second", Value: r.events.perSecond(at), Max: surface.EventsPerSecond},
		{Code: "burst_left", Value: burst, Max: surface.EventBurst},
		{Code: "state_bytes", Value: len(su.State), Max: surface.MaxState},
		{Code: "bundle_bytes", Value: bundleBytes(su.App), Max: surface.MaxBundle},
		{Code: "live_frames", Value: live, Max: maxLive},
		{Code: "height", Value: v.height, Max: surface.MaxHeight},
	}
	for _, code := range []string{"events", "resizes", "dropped", "refused", "errors", "violations"} {
		out = append(out, uiapi.InspectMeter{Code: code, Value: r.counts[code]})
	}
	return out
}

// whole is the surface, or what is kept of one that has lost its bundle.
func (r *recording) whole(su conversation.Surface) conversation.Surface {
	if !su.App.Inline() && r.kept.App.Inline() {
		return r.kept
	}
	return su
}

func bundleBytes(a surface.App) int { return len(a.HTML) + len(a.CSS) + len(a.JS) }

func keyOf(p uiapi.InspectParams) inspectKey {
	return inspectKey{envelope.ConversationID(p.ConversationID), p.ItemID}
}

// inspectWhole is the surface with its bundle, as far as anybody has it still.
func (h *Host) inspectWhole(ctx context.Context, p uiapi.InspectParams) (conversation.Surface, error) {
	v, err := h.inspectedSurface(ctx, keyOf(p))
	if err != nil {
		return conversation.Surface{}, err
	}
	h.inspect.mu.Lock()
	defer h.inspect.mu.Unlock()
	if r := h.inspect.byKey[v.key]; r != nil {
		return r.whole(v.su), nil
	}
	return v.su, nil
}

// inspectDocument gives the document of a surface and the headers it is served with.
func (h *Host) inspectDocument(ctx context.Context, client *uiapi.Client, p uiapi.InspectParams) (uiapi.InspectDocument, error) {
	su, err := h.inspectWhole(ctx, p)
	if err != nil {
		return uiapi.InspectDocument{}, err
	}
	doc, head := surface.BuildDocument(surface.Frame{App: su.App, InstanceID: su.Instance,
		Locale: h.language(), Theme: h.lookOf(client), Ancestors: h.ancestors})
	const policy = "Content-Security-Policy"
	out := uiapi.InspectDocument{
		HTML: bounded(su.App.HTML), CSS: bounded(su.App.CSS), JS: bounded(su.App.JS), Bytes: len(doc),
		CSP: strings.Split(head.Get(policy), "; "), Headers: []uiapi.InspectHeader{},
	}
	if !su.App.Inline() {
		out.Bytes = 0
	}
	for name := range head {
		if name != policy {
			out.Headers = append(out.Headers, uiapi.InspectHeader{Name: name, Value: head.Get(name)})
		}
	}
	slices.SortFunc(out.Headers, func(a, b uiapi.InspectHeader) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// inspectState gives the present state, or the last one.
func (h *Host) inspectState(ctx context.Context, p uiapi.InspectParams) (uiapi.InspectState, error) {
	su, err := h.inspectWhole(ctx, p)
	if err != nil {
		return uiapi.InspectState{}, err
	}
	return uiapi.InspectState{Revision: su.Revision, Bytes: len(su.State), JSON: bounded(pretty(su.State))}, nil
}

// maxInspectText bounds one text that is shown: a whole bundle, or a state that
// indenting made three times as long.
const maxInspectText = 768 << 10

func bounded(s string) uiapi.InspectText {
	out := uiapi.InspectText{Text: strings.ToValidUTF8(s, "\uFFFD"), Bytes: len(s)}
	if len(out.Text) > maxInspectText {
		out.Text, out.Cut = strings.ToValidUTF8(out.Text[:maxInspectText], ""), true
	}
	return out
}
