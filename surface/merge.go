package surface

import (
	"encoding/json"
)

// MergePatch applies an RFC 7396 merge patch to a state that CheckState
// passed. It is atomic: on a *Refusal the old state stands. The patch must be an
// object under the same rules as a state; the result is at most MaxState bytes.
//
// It is our own because evanphx/json-patch takes the nulls out of objects inside
// arrays, which RFC 7396 §2 keeps, escapes < > & (so a state grows past its
// limit), and needs half a second to remove 25,000 keys. This one reads the
// levels that the patch names and copies the rest as it is.
func MergePatch(state, patch json.RawMessage) (json.RawMessage, error) {
	if len(patch) > 4*MaxState {
		return nil, refuse(CodeTooLarge, "state", tooLargeState)
	}
	if p := scanObject(patch, MaxDepth); p != "" {
		return nil, refuse(CodeBadPatch, "state", string(p))
	}
	patch = compact(patch)
	if len(patch) > MaxState {
		return nil, refuse(CodeTooLarge, "state", tooLargeState)
	}
	if len(state) == 0 {
		state = json.RawMessage("{}")
	}
	out := appendMerged(make([]byte, 0, len(state)+len(patch)), state, patch)
	// Depth, keys and shape cannot get worse: each value is one of the two
	// inputs' at its own level. Only the size can.
	if len(out) > MaxState {
		return nil, refuse(CodeTooLarge, "state", tooLargeState)
	}
	return out, nil
}

// appendMerged appends MergePatch(target, patch) of RFC 7396 §2 to out. target
// may be nil (absent). Both are compact, valid JSON.
func appendMerged(out, target, patch []byte) []byte {
	if patch[0] != '{' {
		return append(out, patch...)
	}
	changes := members(patch)
	at := make(map[string]int, len(changes))
	for i, m := range changes {
		at[m.key] = i
	}
	out = append(out, '{')
	first := true
	add := func(m member, target, patch []byte) {
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(out, m.quoted...)
		out = append(out, ':')
		if patch == nil {
			out = append(out, target...)
		} else {
			out = appendMerged(out, target, patch)
		}
	}
	if len(target) > 0 && target[0] == '{' {
		for _, m := range members(target) {
			i, changed := at[m.key]
			if !changed {
				add(m, m.value, nil)
				continue
			}
			if c := changes[i]; !isNull(c.value) {
				add(m, m.value, c.value)
			}
			changes[i].value = nil // done
		}
	}
	for _, c := range changes {
		if c.value != nil && !isNull(c.value) {
			add(c, nil, c.value)
		}
	}
	return append(out, '}')
}

func isNull(v []byte) bool { return v[0] == 'n' }

// member is one name and value of an object; value is a slice of the text.
type member struct {
	key    string
	quoted []byte // the key as written
	value  []byte
}

// members splits a compact, valid JSON object without descending into it.
func members(obj []byte) []member {
	var list []member
	for i := 1; obj[i] != '}'; {
		if obj[i] == ',' {
			i++
		}
		end := skipString(obj, i)
		m := member{quoted: obj[i:end], key: decodeKey(obj[i:end])}
		i = end + 1 // the colon
		end = skipValue(obj, i)
		m.value = obj[i:end]
		list = append(list, m)
		i = end
	}
	return list
}

// skipString returns the index after the string that starts at i.
func skipString(raw []byte, i int) int {
	for i++; raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// skipValue returns the index after the value that starts at i, within an object or array.
func skipValue(raw []byte, i int) int {
	depth := 0
	for {
		switch raw[i] {
		case '"':
			i = skipString(raw, i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // after a number or literal
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
		i++
	}
}
