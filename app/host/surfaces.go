package host

import (
	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/surface"
)

// MaxOpenSurfaces is how many surfaces a conversation may hold (PROTOCOL.md §7).
const MaxOpenSurfaces = 32

// surfaceExtra is what is known of a surface only while the host runs.
type surfaceExtra struct {
	height  int    // last wish of the frame, CSS pixels
	dropped int    // events over the rate
	errors  int    // script errors it reported
	stopped string // why it runs on no page until the user starts it again
	marked  marked // what was checked of it
}

func (c *conv) extraOf(item string) *surfaceExtra {
	x := c.extra[item]
	if x == nil {
		x = &surfaceExtra{}
		c.extra[item] = x
	}
	return x
}

// decideOpen answers a ui.open: by the rules at once, or by asking the user.
// On the conversation's goroutine.
func (c *conv) decideOpen(cause envelope.ID, req conversation.OpenRequest) {
	c.mu.Lock()
	it := c.state.Item(req.ItemID)
	if it == nil || it.Data.(*conversation.Surface).Status != conversation.SurfaceAsking {
		c.mu.Unlock()
		return
	}
	su := *it.Data.(*conversation.Surface)
	open := c.state.OpenSurfaces(su.Instance)
	c.mu.Unlock()

	code, message := c.judgeOpen(su, open)
	strikes := 0
	if code == verdictOpen {
		strikes = c.h.strikes(c.agent)[su.App.ID]
	}
	switch {
	case code == verdictOpen && strikes < struckOut:
		c.answerOpen(cause, su, "ok", "", "")
	case code == verdictOpen || code == verdictAsk:
		c.h.surfacePrompts.add(c, cause, req.ItemID, su, strikes)
	default:
		c.answerOpen(cause, su, "refused", code, message)
	}
}

func (c *conv) answerOpen(cause envelope.ID, su conversation.Surface, status, code, message string) {
	err := c.out(envelope.TypeUIResult, clientParty, cause, envelope.UIResult{
		InstanceID: string(su.Instance), Op: "open", Status: status, Code: code, Message: message})
	if err != nil {
		c.h.log.Error("cannot store a surface's answer", "conversation", c.id, "err", err)
	}
}

// refuseOpen settles an asking surface with a no. On the conversation's goroutine.
func (c *conv) refuseOpen(cause envelope.ID, item, code, message string) {
	c.h.surfacePrompts.forget(c.id, cause)
	c.mu.Lock()
	it := c.state.Item(item)
	ok := it != nil && it.Data.(*conversation.Surface).Status == conversation.SurfaceAsking
	var su conversation.Surface
	if ok {
		su = *it.Data.(*conversation.Surface)
	}
	c.mu.Unlock()
	if ok {
		c.answerOpen(cause, su, "refused", code, message)
	}
}

// closeSurface is the user's own close: exactly one close event goes out.
func (c *conv) closeSurface(instance surface.InstanceID) error {
	c.mu.Lock()
	it := c.state.Surface(instance)
	c.mu.Unlock()
	if it == nil {
		return errNotFound
	}
	return c.out(envelope.TypeUIEvent, userParty, "", envelope.UIEvent{
		InstanceID: string(instance), Event: "close", Data: []byte(`{}`)})
}
