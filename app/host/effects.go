package host

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/store"
	"lineup/capability"
)

// carryOut does what the log owes. Replies of one batch are one transaction.
func (c *conv) carryOut(effects []conversation.Effect) {
	var replies []store.Entry
	for _, ef := range effects {
		switch {
		case ef.Reply != nil:
			e, err := c.h.entry(c.id, envelope.ID(c.h.newID()), ef.Reply.Type, clientParty, ef.Cause, ef.Reply.Payload)
			if err != nil {
				c.h.log.Error("reply cannot be encoded", "type", ef.Reply.Type, "err", err)
				continue
			}
			replies = append(replies, e)
		case ef.Open != nil:
			c.decideOpen(ef.Cause, *ef.Open)
		case ef.Call != nil:
			c.submit(*ef.Call)
		case ef.Drop != nil:
			if err := c.h.broker.Withdraw(c.ctx, capability.AgentID(c.agent.id), capability.CallID(ef.Drop.CallID)); err != nil {
				c.h.log.Warn("call cannot be withdrawn", "call", ef.Drop.CallID, "err", err)
			}
		}
	}
	if len(replies) > 0 {
		if err := c.append(replies); err != nil {
			c.h.log.Error("cannot store replies", "conversation", c.id, "err", err)
		}
	}
}

func (c *conv) submit(p envelope.AppCall) {
	call := capability.Call{
		Agent: capability.AgentID(c.agent.id), ID: capability.CallID(p.CallID), Conversation: string(c.id),
		Capability: capability.Name(p.Capability), Reason: p.Reason, Args: p.Arguments, RequestedAt: c.h.now(),
	}
	if p.ExpiresAt != nil {
		call.ExpiresAt = p.ExpiresAt.Time
	}
	if err := c.h.broker.Submit(c.ctx, call); err != nil {
		c.h.log.Error("call cannot be taken", "call", p.CallID, "err", err)
	}
}

// onResult stores a call's result in its conversation; the broker repeats it
// after a crash until this has returned nil.
func (h *Host) onResult(call capability.Call, r capability.Result) error {
	c := h.conv(envelope.ConversationID(call.Conversation))
	if c == nil {
		return nil // the conversation was deleted: nobody to tell
	}
	<-c.loaded
	err := c.do(h.ctx, func() error {
		res := envelope.AppResult{CallID: string(call.ID), Status: string(r.Status), Result: r.Value}
		if r.Status != capability.Completed {
			res.Error = &envelope.AppError{Code: cmp.Or(r.Code, string(r.Status)), Message: r.Message}
		}
		var entries []store.Entry
		c.mu.Lock()
		causes := c.owedCalls(call)
		c.mu.Unlock()
		for _, cause := range causes {
			e, err := h.entry(c.id, envelope.ID(h.newID()), envelope.TypeAppResult, clientParty, cause, res)
			if err != nil {
				return err
			}
			entries = append(entries, e)
		}
		if len(entries) == 0 {
			return nil // already in the log
		}
		return c.append(entries)
	})
	if err == errConvGone {
		return nil
	}
	return err
}

// owedCalls lists the app.call envelopes without an answer that asked for just
// this. A call_id that came again with other arguments has an answer of its own.
func (c *conv) owedCalls(call capability.Call) (causes []envelope.ID) {
	for _, ef := range c.state.Owed() {
		if ef.Call != nil && ef.Call.CallID == string(call.ID) && ef.Call.Capability == string(call.Capability) &&
			sameJSON(ef.Call.Arguments, call.Args) {
			causes = append(causes, ef.Cause)
		}
	}
	return causes
}

// sameJSON compares values, not bytes: the broker's arguments are canonical.
func sameJSON(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return len(b) == 0 // the broker keeps nothing of arguments it could not read
	}
	return reflect.DeepEqual(x, y)
}
