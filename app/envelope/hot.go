package envelope

import "encoding/json"

// The two types that come in streams are checked without the schema validator,
// which costs 0.3 ms a message. TestHotPathAgrees holds them to the schema.

func hotDelta(raw json.RawMessage) (*Error, bool) {
	members, _ := scan(raw, MaxDepth)
	var id, delta json.RawMessage
	for _, m := range members {
		switch m.name {
		case "message_id":
			id = m.value
		case "delta":
			delta = m.value
		}
	}
	if s, ok := text(id); !ok || !ValidID(s) {
		return bad("payload.message_id", idAlphabet), true
	}
	if len(delta) == 0 || delta[0] != '"' {
		return bad("payload.delta", "a string"), true
	}
	return nil, true
}

// hotPatch decides merge patches, and leaves those that carry json_patch, which
// are rare, to the schema.
func hotPatch(raw json.RawMessage) (*Error, bool) {
	members, _ := scan(raw, MaxDepth)
	var id, state json.RawMessage
	for _, m := range members {
		switch m.name {
		case "json_patch":
			return nil, false
		case "html", "css", "js", "app":
			return bad("payload."+m.name, "no code in a patch: it changes the state only"), true
		case "instance_id":
			id = m.value
		case "state":
			state = m.value
		}
	}
	if s, ok := text(id); !ok || !ValidID(s) {
		return bad("payload.instance_id", idAlphabet), true
	}
	if len(state) == 0 || state[0] != '{' {
		return bad("payload.state", "an object"), true
	}
	return within("payload.state", state, MaxState), true
}
