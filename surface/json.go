package surface

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// scanProblem is what scan found wrong, in words that follow "expected".
type scanProblem string

const (
	notJSON      scanProblem = "one JSON value in UTF-8"
	notObject    scanProblem = "a JSON object"
	tooDeep      scanProblem = "at most 64 levels of nesting"
	duplicateKey scanProblem = "each key once in an object"
	prototypeKey scanProblem = "no key named __proto__, constructor or prototype"
)

// scan checks what encoding/json lets pass and a script would trip over:
// invalid UTF-8, duplicate keys (two readers see two values), prototype keys
// (they poison a careless merge in the frame) and depth. One pass, no tree.
func scan(raw []byte, maxDepth int) scanProblem {
	// json.Valid bounds the depth at 10,000 itself and makes the walk below safe:
	// every string is closed and every escape is whole.
	if !utf8.Valid(raw) || !json.Valid(raw) {
		return notJSON
	}
	type level struct {
		keys  map[string]struct{} // nil for an array
		isKey bool                // the next string is a key
	}
	var stack []level
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case '{', '[':
			if len(stack) >= maxDepth {
				return tooDeep
			}
			if c == '{' {
				stack = append(stack, level{keys: map[string]struct{}{}, isKey: true})
			} else {
				stack = append(stack, level{})
			}
		case '}', ']':
			stack = stack[:len(stack)-1]
		case ',':
			top := &stack[len(stack)-1]
			top.isKey = top.keys != nil
		case '"':
			end := i + 1
			for raw[end] != '"' {
				if raw[end] == '\\' {
					end++
				}
				end++
			}
			if len(stack) > 0 && stack[len(stack)-1].isKey {
				top := &stack[len(stack)-1]
				key := decodeKey(raw[i : end+1])
				switch key {
				case "__proto__", "constructor", "prototype":
					return prototypeKey
				}
				if _, twice := top.keys[key]; twice {
					return duplicateKey
				}
				top.keys[key] = struct{}{}
				top.isKey = false
			}
			i = end
		}
	}
	return ""
}

func decodeKey(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var s string
	// Cannot fail: the whole text is valid JSON. A lone surrogate becomes U+FFFD,
	// so two of them count as the same key and are refused.
	_ = json.Unmarshal(quoted, &s)
	return s
}

// scanObject is scan for a value that must be an object.
func scanObject(raw []byte, maxDepth int) scanProblem {
	if p := scan(raw, maxDepth); p != "" {
		return p
	}
	if trimmed := bytes.TrimLeft(raw, " \t\r\n"); trimmed[0] != '{' {
		return notObject
	}
	return ""
}

// compact drops insignificant white space, so that limits count what matters and
// no message to a frame carries a line break.
func compact(raw []byte) json.RawMessage {
	var b bytes.Buffer
	b.Grow(len(raw))
	if err := json.Compact(&b, raw); err != nil {
		return nil
	}
	return b.Bytes()
}
