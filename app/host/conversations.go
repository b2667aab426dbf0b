package host

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/store"
	"lineup/app/uiapi"
)

// known maps the store's "not there" to the page's.
func known(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return errNotFound
	}
	return err
}

// changed redraws a row unless the change failed.
func (h *Host) changed(id string, err error) error {
	if err == nil {
		h.hub.Mark(keyConv(envelope.ConversationID(id)))
	}
	return known(err)
}

// inConv runs fn on a conversation's goroutine.
func (h *Host) inConv(ctx context.Context, id string, fn func(c *conv) error) error {
	c := h.conv(envelope.ConversationID(id))
	if c == nil {
		return errNotFound
	}
	select {
	case <-c.loaded:
	case <-ctx.Done():
		return ctx.Err()
	}
	if c.loadErr != nil {
		return c.loadErr
	}
	return c.do(ctx, func() error { return fn(c) })
}

func (h *Host) createConversation(ctx context.Context, agentID string) (uiapi.Created, error) {
	h.mu.Lock()
	l := h.links[cmp.Or(agentID, h.defaultAgent, DemoAgentID)]
	if l == nil && agentID == "" {
		for _, any := range h.links {
			l = any
		}
	}
	h.mu.Unlock()
	if l == nil {
		return uiapi.Created{}, uiapi.Bad("agent_id", "a known agent")
	}
	at := h.now()
	rec := store.Conversation{ID: envelope.ConversationID("conv_" + h.newID()), AgentID: l.id, CreatedAt: at, UpdatedAt: at}
	if err := h.store.CreateConversation(ctx, rec); err != nil {
		return uiapi.Created{}, err
	}
	h.adopt(rec)
	h.hub.Mark(keyConv(rec.ID))
	return uiapi.Created{ConversationID: string(rec.ID)}, nil
}

const (
	pageDefault = 100
	pageMax     = 500
)

// openConversation gives a window of items. Asking for the newest subscribes
// the page, before the items are read, so nothing falls in between.
func (h *Host) openConversation(ctx context.Context, client *uiapi.Client, p uiapi.ConversationOpenParams) (uiapi.ConversationPage, error) {
	id := envelope.ConversationID(p.ConversationID)
	c := h.conv(id)
	if c == nil {
		return uiapi.ConversationPage{}, errNotFound
	}
	select {
	case <-c.loaded:
	case <-ctx.Done():
		return uiapi.ConversationPage{}, ctx.Err()
	}
	if c.loadErr != nil {
		return uiapi.ConversationPage{}, c.loadErr
	}
	limit := min(cmp.Or(max(p.Limit, 0), pageDefault), pageMax)
	page := h.pageOf(client)
	if p.Before == 0 {
		page.mu.Lock()
		page.open = id
		page.revs = map[string]int64{}
		page.mu.Unlock()
		client.Forget(func(k uiapi.Key) bool { return k.Kind == uiapi.KeyItem })
	}
	out := uiapi.ConversationPage{ConversationID: p.ConversationID, Items: []uiapi.Item{}}
	l := h.language()
	c.mu.Lock()
	items, more := c.state.Items(p.Before, limit)
	out.More = more
	page.mu.Lock()
	for _, it := range items {
		v, rev := c.item(it, l, 0)
		page.revs[it.ID] = rev
		out.Items = append(out.Items, v)
	}
	page.mu.Unlock()
	last := c.state.LastSeq
	c.mu.Unlock()
	if err := h.store.SetReadSeq(ctx, id, last); err != nil {
		h.log.Warn("cannot note what was read", "err", err)
	}
	if p.Before == 0 {
		if err := h.store.SetSetting(ctx, settingOpen, p.ConversationID); err != nil {
			h.log.Warn("cannot note what is open", "err", err)
		}
	}
	h.hub.Mark(keyConv(id))
	return out, nil
}

// itemViews renders changed items of the open conversation for one page.
func (h *Host) itemViews(page *page, id envelope.ConversationID, ids []string) (out []uiapi.Item) {
	c := h.conv(id)
	if c == nil {
		return nil
	}
	l := h.language()
	c.mu.Lock()
	defer c.mu.Unlock()
	page.mu.Lock()
	defer page.mu.Unlock()
	for _, item := range ids {
		it := c.state.Item(item)
		if it == nil {
			continue
		}
		v, rev := c.item(it, l, page.revs[item])
		page.revs[item] = rev
		out = append(out, v)
	}
	return out
}

// callKeys names the items that Go words.
func (c *conv) callKeys() (keys []keyT) {
	c.mu.Lock()
	defer c.mu.Unlock()
	items, _ := c.state.Items(0, pageMax)
	for _, it := range items {
		if it.Kind == conversation.KindCall {
			keys = append(keys, keyItem(c.id, it.ID))
		}
	}
	return keys
}

// surfaceKeys are the open surfaces.
func (c *conv) surfaceKeys() (keys []keyT) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state.EachSurface(func(it *conversation.Item) { keys = append(keys, keyItem(c.id, it.ID)) })
	return keys
}

func (h *Host) conversationViews(ctx context.Context) ([]uiapi.Conversation, error) {
	list, err := h.store.Conversations(ctx, false)
	if err != nil {
		return nil, err
	}
	out := make([]uiapi.Conversation, 0, len(list))
	for _, rec := range list {
		out = append(out, h.row(rec))
	}
	return out, nil
}

func (h *Host) conversationView(ctx context.Context, id envelope.ConversationID) uiapi.Conversation {
	rec, ok, err := h.store.Conversation(ctx, id)
	if err != nil || !ok || rec.DeletedAt != nil {
		return uiapi.Conversation{ID: string(id), Deleted: true}
	}
	return h.row(rec)
}

func (h *Host) row(rec store.Conversation) uiapi.Conversation {
	out := uiapi.Conversation{ID: string(rec.ID), AgentID: rec.AgentID, Title: rec.Title, Preview: rec.Preview, Pinned: rec.Pinned,
		State: string(conversation.Idle), UpdatedAt: rec.UpdatedAt.UnixMilli(), Draft: rec.Draft}
	c := h.conv(rec.ID)
	if c == nil {
		return out
	}
	select {
	case <-c.loaded:
	default:
		return out // still being read; the row is redrawn then
	}
	c.mu.Lock()
	out.State, out.Waiting = string(c.state.Activity()), c.state.WaitingCount()
	out.Running = c.state.Running()
	last := c.state.LastSeq
	c.mu.Unlock()
	out.Unread = last > rec.ReadSeq && !h.watched(rec.ID)
	return out
}

// watched tells whether a page shows the conversation now.
func (h *Host) watched(id envelope.ConversationID) bool {
	h.mu.Lock()
	pages := make([]*page, 0, len(h.pages))
	for _, p := range h.pages {
		pages = append(pages, p)
	}
	h.mu.Unlock()
	for _, p := range pages {
		p.mu.Lock()
		yes := p.open == id && p.hidden == 0
		p.mu.Unlock()
		if yes {
			return true
		}
	}
	return false
}

const maxTitle = 200

func (h *Host) renameConversation(ctx context.Context, p uiapi.ConversationParams) error {
	title := strings.Join(strings.Fields(p.Title), " ")
	if title == "" || len(title) > maxTitle {
		return uiapi.Bad("title", "1 to 200 bytes of text")
	}
	c := h.conv(envelope.ConversationID(p.ConversationID))
	if c == nil {
		return errNotFound
	}
	c.mu.Lock()
	c.titled = true
	c.mu.Unlock()
	return h.changed(p.ConversationID, h.store.SetTitle(ctx, c.id, title))
}

// deleteConversation takes it off the list; what was open is settled as
// cancelled so that the agent is not left waiting. It can be restored.
func (h *Host) deleteConversation(ctx context.Context, id envelope.ConversationID) error {
	c := h.conv(id)
	if c == nil {
		return errNotFound
	}
	at := h.now()
	if err := h.store.SetDeleted(ctx, id, &at); err != nil {
		return err
	}
	if err := h.broker.CancelConversation(ctx, string(id)); err != nil {
		h.log.Warn("calls cannot be cancelled", "conversation", id, "err", err)
	}
	h.surfacePrompts.take(func(p *surfacePrompt) bool { return p.conv == c })
	h.frames.dropConv(c)
	h.inspect.forget(id)
	h.hub.Mark(keyConv(id))
	return nil
}

func (h *Host) restoreConversation(ctx context.Context, id envelope.ConversationID) error {
	if err := h.store.SetDeleted(ctx, id, nil); err != nil {
		return known(err)
	}
	c := h.conv(id)
	if c == nil {
		rec, ok, err := h.store.Conversation(ctx, id)
		if err != nil || !ok {
			return errNotFound
		}
		c = h.adopt(rec)
	}
	<-c.loaded
	c.agent.again()
	c.post(func() {
		c.mu.Lock()
		owed := c.state.Owed()
		c.mu.Unlock()
		c.carryOut(owed)
	})
	h.hub.Mark(keyConv(id))
	return nil
}

var clientID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,100}$`)

// send takes the user's message; a repeated ClientID is the same message.
func (h *Host) send(ctx context.Context, p uiapi.SendParams) error {
	if !clientID.MatchString(p.ClientID) {
		return uiapi.Bad("client_id", "[A-Za-z0-9._:-]{1,100}")
	}
	if strings.TrimSpace(p.Text) == "" || len(p.Text) > conversation.MaxMessage-4096 {
		return uiapi.Bad("text", "some text, less than 1 MiB")
	}
	err := h.inConv(ctx, p.ConversationID, func(c *conv) error {
		return c.outAs(envelope.ID("msg_"+p.ClientID), envelope.TypeMessage, userParty, "", envelope.Message{Text: p.Text})
	})
	if err != nil {
		return err
	}
	return known(h.store.SetDraft(ctx, envelope.ConversationID(p.ConversationID), ""))
}

// stopRun asks the agent to stop and settles what it had asked.
func (h *Host) stopRun(ctx context.Context, id envelope.ConversationID) error {
	if err := h.inConv(ctx, string(id), func(c *conv) error {
		return c.out(envelope.TypeCancel, userParty, "", envelope.Cancel{})
	}); err != nil {
		return err
	}
	return h.broker.CancelConversation(ctx, string(id))
}

// answer takes the user's answer to a component.
func (h *Host) answer(ctx context.Context, p uiapi.AnswerParams) error {
	return h.inConv(ctx, p.ConversationID, func(c *conv) error {
		c.mu.Lock()
		it := c.state.Item("c:" + strings.TrimPrefix(p.ComponentID, "c:"))
		err := conversation.CheckAnswer(it, p.Status, p.Value)
		c.mu.Unlock()
		var ve *conversation.ValueError
		switch {
		case err == nil:
		case errors.Is(err, conversation.ErrNotComponent):
			return errNotFound
		case errors.Is(err, conversation.ErrAlreadyAnswered):
			return uiapi.Fail(uiapi.AlreadyAnswered)
		case errors.As(err, &ve):
			return uiapi.Bad("value"+ve.Field, ve.Expected)
		default:
			return err
		}
		value := p.Value
		if p.Status != "answered" {
			value = nil
		}
		return c.out(envelope.TypeComponentResult, userParty, it.Env, envelope.ComponentResult{
			ComponentID: string(it.Env), Status: p.Status, Value: value})
	})
}

const maxQuery = 200

func (h *Host) search(ctx context.Context, p uiapi.SearchParams) ([]uiapi.SearchHit, error) {
	if len(p.Query) > maxQuery {
		return nil, uiapi.Bad("query", "at most 200 bytes")
	}
	out := []uiapi.SearchHit{}
	if strings.TrimSpace(p.Query) == "" {
		return out, nil
	}
	hits, err := h.store.Search(ctx, p.Query, min(cmp.Or(max(p.Limit, 0), 50), 200))
	if err != nil {
		return nil, err
	}
	for _, x := range hits {
		out = append(out, uiapi.SearchHit{ConversationID: string(x.Conversation), ItemID: x.ItemID, Title: x.Title,
			Snippet: x.Snippet, From: x.From, To: x.To, At: x.At.UnixMilli()})
	}
	return out, nil
}

// jsonView shows the envelope behind an item.
func (h *Host) jsonView(ctx context.Context, p uiapi.ItemParams) (uiapi.JSONView, error) {
	c := h.conv(envelope.ConversationID(p.ConversationID))
	if c == nil {
		return uiapi.JSONView{}, errNotFound
	}
	c.mu.Lock()
	it := c.state.Item(p.ItemID)
	c.mu.Unlock()
	if it == nil {
		return uiapi.JSONView{}, errNotFound
	}
	e, ok, err := h.store.Entry(ctx, c.id, it.Env, store.In)
	if err != nil || !ok {
		return uiapi.JSONView{}, cmp.Or(err, error(errNotFound))
	}
	raw, err := e.Env.Encode()
	if err != nil {
		return uiapi.JSONView{}, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return uiapi.JSONView{}, err
	}
	return uiapi.JSONView{JSON: b.String()}, nil
}

// markSent redraws our messages that are with the agent now.
func (h *Host) markSent(id envelope.ConversationID, from, to int64) {
	c := h.conv(id)
	if c == nil {
		return
	}
	c.mu.Lock()
	items, _ := c.state.Items(0, pageMax)
	var keys []keyT
	for _, it := range items {
		if it.From == conversation.FromUser && it.Pos > from && it.Pos <= to {
			keys = append(keys, keyItem(id, it.ID))
		}
	}
	c.mu.Unlock()
	h.hub.Mark(keys...)
}
