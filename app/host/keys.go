package host

import (
	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/uiapi"
)

type keyT = uiapi.Key

var (
	keySettings = keyT{Kind: uiapi.KeySettings}
	keyAgents   = keyT{Kind: uiapi.KeyAgents}
	keyPrompts  = keyT{Kind: uiapi.KeyPrompts}
	keySandbox  = keyT{Kind: uiapi.KeySandbox}
	keyActivity = keyT{Kind: uiapi.KeyActivity}
	keyPreview  = keyT{Kind: uiapi.KeyPreview}
)

func keyConv(id envelope.ConversationID) keyT {
	return keyT{Kind: uiapi.KeyConversation, A: string(id)}
}

func keyItem(id envelope.ConversationID, item string) keyT {
	return keyT{Kind: uiapi.KeyItem, A: string(id), B: item}
}

func keyFrame(id string) keyT { return keyT{Kind: uiapi.KeyFrame, A: id} }

// framesOf names the frames that a change concerns, and answers for surfaces that
// were closed while they were asked about. Called with c.mu held.
func (c *conv) framesOf(d conversation.Delta) (keys []keyT) {
	for _, it := range d.Patched {
		for _, f := range c.h.frames.of(c, it.ID) {
			keys = append(keys, keyFrame(f.id))
		}
	}
	for _, it := range d.Closed {
		if it.Data.(*conversation.Surface).Status == conversation.SurfaceAsking {
			env, item := it.Env, it.ID
			c.post(func() { c.refuseOpen(env, item, "closed", "the surface was closed before it was shown") })
		}
	}
	return keys
}
