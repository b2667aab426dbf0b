package envelope

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// ErrTooLarge is what Encode says of an envelope of more than MaxSize bytes.
var ErrTooLarge = errors.New("envelope: more than 1 MiB")

// New makes an envelope of a payload and checks it as the other side will. The
// caller fills in ID and CreatedAt. The error is an *Error if the payload is
// not what the protocol allows.
func New(t Type, conv ConversationID, sender Party, payload any) (Envelope, error) {
	raw, err := marshal(payload)
	if err != nil {
		return Envelope{}, fmt.Errorf("envelope: payload of %s: %w", t, err)
	}
	// The payload may be, or hold, raw JSON from elsewhere.
	if !utf8.Valid(raw) {
		return Envelope{}, refuse(NotUTF8, "payload", "UTF-8")
	}
	if _, err := scan(raw, MaxDepth-1); err != nil {
		if err.Field == Whole {
			err.Field = "payload"
		} else {
			err.Field = cutPath("payload." + err.Field)
		}
		return Envelope{}, err
	}
	if err := CheckPayload(t, raw); err != nil {
		return Envelope{}, err
	}
	return Envelope{V: 1, Type: t, ConversationID: conv, Sender: sender, Payload: raw}, nil
}

// Encode writes the envelope on one line, with the fields of Extra after its
// own. An envelope that came from Decode gives bytes that Decode reads to the
// same envelope.
func (e Envelope) Encode() ([]byte, error) {
	if e.V != 1 || len(e.Payload) == 0 || e.ID == "" || e.Type == "" {
		return nil, errors.New("envelope: v, id, type and payload must be set")
	}
	type wire Envelope // without methods
	out, err := marshal(wire(e))
	if err != nil {
		return nil, fmt.Errorf("envelope: encode %s: %w", e.Type, err)
	}
	if len(e.Extra) > 0 {
		extra, err := marshal(e.Extra)
		if err != nil {
			return nil, fmt.Errorf("envelope: encode %s: %w", e.Type, err)
		}
		out = append(append(out[:len(out)-1], ','), extra[1:]...)
	}
	if len(out) > MaxSize {
		return nil, ErrTooLarge
	}
	return out, nil
}

// marshal is json.Marshal that leaves < > & as they are: the bytes go to a
// socket, and a bundle full of \u003c would outgrow its limit.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
