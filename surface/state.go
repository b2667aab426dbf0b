package surface

import (
	"encoding/json"
	"fmt"
)

// CheckState refuses a state that is not a JSON object of at most MaxState
// bytes (white space not counted), MaxDepth levels, with each key once and no
// prototype key at any depth. It returns the state without white space. Nothing
// (nil, empty or JSON null) is the empty object: a surface always sees an object.
func CheckState(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("{}"), nil
	}
	// White space is worth something but not everything: it must not make us
	// read megabytes.
	if len(raw) > 4*MaxState {
		return nil, refuse(CodeTooLarge, "state", tooLargeState)
	}
	if p := scanObject(raw, MaxDepth); p != "" {
		return nil, refuse(CodeBadState, "state", string(p))
	}
	out := compact(raw)
	if len(out) > MaxState {
		return nil, refuse(CodeTooLarge, "state", tooLargeState)
	}
	return out, nil
}

var tooLargeState = fmt.Sprintf("at most %d bytes", MaxState)
