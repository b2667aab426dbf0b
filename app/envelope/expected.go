package envelope

import (
	"fmt"
	"strings"
)

// explain makes an Error of a failed keyword: keyword is its pointer in the
// schema, value what stands at path.
func (k *kind) explain(keyword, path string, value any) *Error {
	segs := strings.Split(keyword, "/")
	if len(segs) < 2 { // the schema itself says no
		return refuse(InvalidPayload, path, describe(nil))
	}
	name := segs[len(segs)-1]
	var at any = k.source
	for _, seg := range segs[1 : len(segs)-1] {
		switch v := at.(type) {
		case map[string]any:
			at = v[unescape(seg)]
		case []any:
			at = nil // no schema of ours has a keyword inside a list
		}
	}
	sub, _ := at.(map[string]any)
	if name == "required" {
		if member, ok := missing(sub, value); ok {
			props, _ := sub["properties"].(map[string]any)
			prop, _ := props[member].(map[string]any)
			return refuse(InvalidPayload, under(path, member), describe(prop))
		}
	}
	return refuse(InvalidPayload, path, expected(name, sub))
}

func missing(sub map[string]any, value any) (string, bool) {
	have, _ := value.(map[string]any)
	want, _ := sub["required"].([]any)
	for _, w := range want {
		if name, _ := w.(string); name != "" {
			if _, ok := have[name]; !ok {
				return name, true
			}
		}
	}
	return "", false
}

// expected says what a keyword of sub asks for.
func expected(keyword string, sub map[string]any) string {
	v := sub[keyword]
	switch keyword {
	case "type":
		return typeWord(v)
	case "enum":
		return oneOf(v)
	case "const":
		return fmt.Sprint(v)
	case "minLength":
		return fmt.Sprintf("at least %v characters", v)
	case "maxLength":
		return fmt.Sprintf("at most %v characters", v)
	case "minItems":
		return fmt.Sprintf("at least %v items", v)
	case "maxItems":
		return fmt.Sprintf("at most %v items", v)
	case "minimum":
		return fmt.Sprintf("at least %v", v)
	case "maximum":
		return fmt.Sprintf("at most %v", v)
	case "exclusiveMinimum":
		return fmt.Sprintf("more than %v", v)
	}
	return describe(sub)
}

// describe says what a whole property should be.
func describe(sub map[string]any) string {
	if d, ok := sub["description"].(string); ok {
		return d
	}
	if e, ok := sub["enum"]; ok {
		return oneOf(e)
	}
	return typeWord(sub["type"])
}

func typeWord(t any) string {
	switch t {
	case "object", "array", "integer":
		return "an " + fmt.Sprint(t)
	case "string", "number":
		return "a " + fmt.Sprint(t)
	case "boolean":
		return "true or false"
	}
	if list, ok := t.([]any); ok {
		return join(list)
	}
	return "what the schema of the type says"
}

func oneOf(list any) string {
	l, _ := list.([]any)
	return "one of " + join(l)
}

func join(list []any) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = fmt.Sprint(w)
	}
	return strings.Join(words, ", ")
}
