package store

import (
	"encoding/json"
	"errors"
	"fmt"

	"lineup/app/envelope"
)

// encode gives the JSON that is stored.
func encode(e envelope.Envelope) ([]byte, error) {
	b, err := e.Encode()
	if errors.Is(err, envelope.ErrTooLarge) {
		err = fmt.Errorf("%w: %w", ErrTooLarge, err)
	}
	return b, err
}

// decode reads what encode wrote. It does not validate again: every envelope was
// validated before it was stored, and a schema costs 0.3 ms an envelope. extra
// says that there are top-level fields of the peer's own.
func decode(b []byte, extra bool) (e envelope.Envelope, err error) {
	if !extra {
		err = json.Unmarshal(b, &e)
		return e, err
	}
	// Not straight into the struct: encoding/json takes "ID" for "id" when nothing
	// else fits, so a peer's field could replace one that was checked.
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(b, &all); err != nil {
		return e, err
	}
	own := map[string]any{
		"v": &e.V, "id": &e.ID, "type": &e.Type, "conversation_id": &e.ConversationID, "sender": &e.Sender,
		"target": &e.Target, "created_at": &e.CreatedAt, "reply_to": &e.ReplyTo, "payload": &e.Payload,
	}
	for name, into := range own {
		if v, ok := all[name]; ok {
			if err := json.Unmarshal(v, into); err != nil {
				return e, fmt.Errorf("%s: %w", name, err)
			}
			delete(all, name)
		}
	}
	e.Extra = all
	return e, nil
}
