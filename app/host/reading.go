package host

import (
	"math"

	"lineup/app/envelope"
	"lineup/app/uiapi"
)

// noteReading keeps where the reader is, so that a page whose process was ended
// comes back to the same line. It lives as long as the host.
func (h *Host) noteReading(r uiapi.Reading) error {
	switch {
	case h.conv(envelope.ConversationID(r.ConversationID)) == nil:
		return errNotFound
	case len(r.ItemID) > 256:
		return uiapi.Bad("item_id", "the id of an item")
	case math.IsNaN(r.Offset) || math.IsInf(r.Offset, 0):
		return uiapi.Bad("offset", "a finite number of CSS pixels")
	}
	h.mu.Lock()
	h.reading = r
	h.mu.Unlock()
	return nil
}

func (h *Host) readingOf(conversation string) uiapi.Reading {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.reading.ConversationID != conversation {
		return uiapi.Reading{}
	}
	return h.reading
}
