package conversation

import (
	"lineup/app/envelope"
)

// Effect is something the host owes because of entry Cause. Exactly one of the
// pointers is set.
type Effect struct {
	Cause envelope.ID // to be named in reply_to
	Reply *Reply
	Open  *OpenRequest
	Call  *envelope.AppCall
	Drop  *envelope.AppCancel // the agent withdraws a call
}

// Reply is an envelope to be sent as it is.
type Reply struct {
	Type    envelope.Type
	Payload any
}

// OpenRequest asks the host to decide about a surface; the answer is a ui.result.
type OpenRequest struct {
	ItemID string
	Open   envelope.UIOpen
}

// Delta is what one entry changed.
type Delta struct {
	Changed []*Item
	Effects []Effect
	// Patched and Closed name items of kind surface whose frames must be told.
	Patched []*Item
	Closed  []*Item
	// Ended names messages whose text is now final.
	Ended []*Item
}

func (d *Delta) change(it *Item) { d.Changed = append(d.Changed, it) }
