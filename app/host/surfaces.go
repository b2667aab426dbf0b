package host

import (
	"errors"
	"fmt"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/surface"
)

// MaxOpenSurfaces is how many surfaces a conversation may hold (PROTOCOL.md §7).
const MaxOpenSurfaces = 32

// Policy says which bundles may open (PROTOCOL.md §4).
type Policy string

const (
	PolicyAsk           Policy = "ask"
	PolicyAnySandboxed  Policy = "any-sandboxed"
	PolicyAllowlisted   Policy = "allowlisted"
	PolicyInstalledOnly Policy = "installed-only"
)

// ErrPolicy: the value is no bundle policy.
var ErrPolicy = errors.New("bundle policy: expected ask, any-sandboxed, allowlisted or installed-only")

// ParsePolicy reads a flag's value.
func ParsePolicy(s string) (Policy, error) {
	switch p := Policy(s); p {
	case PolicyAsk, PolicyAnySandboxed, PolicyAllowlisted, PolicyInstalledOnly:
		return p, nil
	}
	return "", fmt.Errorf("%w, not %q", ErrPolicy, s)
}

// surfaceExtra is what is known of a surface only while the host runs.
type surfaceExtra struct {
	height  int    // last wish of the frame, CSS pixels
	dropped int    // events over the rate
	errors  int    // script errors it reported
	stopped string // why it runs on no page until the user starts it again
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
	if code == "" {
		strikes = c.h.strikes(c.agent)[su.App.ID]
	}
	switch {
	case code == "" && strikes < struckOut:
		c.answerOpen(cause, su, "ok", "", "")
	case code == "" || code == "ask":
		c.h.surfacePrompts.add(c, cause, req.ItemID, su, strikes)
	default:
		c.answerOpen(cause, su, "refused", code, message)
	}
}

// judgeOpen returns "" for yes, "ask", or the code of a refusal.
func (c *conv) judgeOpen(su conversation.Surface, open int) (code, message string) {
	if err := surface.Check(su.App); err != nil {
		return refusalOf(err)
	}
	if _, err := surface.CheckState(su.State); err != nil {
		return refusalOf(err)
	}
	if !su.App.Inline() {
		return "unknown_app", "app.id: no app of that id and version is installed and enabled"
	}
	if open >= MaxOpenSurfaces {
		return "too_many", "at most 32 surfaces may be open in a conversation"
	}
	if c.h.sandbox.failed() {
		return "unsealed", "surfaces cannot be shown safely on this system"
	}
	if c.agent.demo() {
		return "", ""
	}
	switch c.h.policy {
	case PolicyAnySandboxed:
		return "", ""
	case PolicyAsk:
		if c.h.maySurface(c.agent) {
			return "", ""
		}
		return "ask", ""
	}
	return "policy", "the bundle policy of this client does not allow this bundle"
}

func refusalOf(err error) (code, message string) {
	var r *surface.Refusal
	if errors.As(err, &r) {
		return r.Code, r.Error()
	}
	return "bad_app", "the surface was refused"
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
