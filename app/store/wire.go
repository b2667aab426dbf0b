package store

import (
	"encoding/json"

	"lineup/app/envelope"
)

// encode gives the JSON that is stored. Unknown top-level fields are kept.
func encode(e envelope.Envelope) ([]byte, error) {
	b, err := json.Marshal(e)
	if err != nil || len(e.Extra) == 0 {
		return b, err
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, err
	}
	for k, v := range e.Extra {
		if _, own := all[k]; !own {
			all[k] = v
		}
	}
	return json.Marshal(all)
}

// decode reads what encode wrote. It does not validate again: every envelope was
// validated before it was stored, and a schema costs 0.3 ms an envelope.
func decode(b []byte) (envelope.Envelope, error) {
	var e envelope.Envelope
	err := json.Unmarshal(b, &e)
	return e, err
}
