package envelope

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// checkSchema takes the schema of an input only if it is one, and refers to
// nothing but itself: the validator would otherwise open the file or the
// address that an agent names.
func checkSchema(raw json.RawMessage) *Error {
	if p, ok := foreignRef("payload.schema", tree(raw)); ok {
		return bad(p, "a reference inside this schema, starting with #")
	}
	if _, err := compileInput(raw); err != nil {
		return bad("payload.schema", "a JSON Schema (draft 2020-12)")
	}
	return nil
}

// CheckAnswer checks what the user filled in against the schema of the input.
// The Field of the error starts with "value". An input without a schema takes
// {"text": string}.
func CheckAnswer(in Input, value json.RawMessage) *Error {
	if _, err := scan(value, MaxDepth-2); err != nil {
		return bad("value", "an object")
	}
	if len(in.Schema) == 0 {
		var v struct{ Text *string }
		if json.Unmarshal(value, &v) != nil || v.Text == nil {
			return bad("value.text", "a string")
		}
		return nil
	}
	s, err := compileInput(in.Schema)
	if err != nil {
		return bad("payload.schema", "a JSON Schema (draft 2020-12)")
	}
	doc := tree(value)
	err = s.Validate(doc)
	if err == nil {
		return nil
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return bad("value", "what the form asks for")
	}
	leaf := firstLeaf(ve)
	path, at := walk("value", doc, leaf.InstanceLocation)
	k := kind{source: tree(in.Schema)}
	_, fragment, _ := strings.Cut(leaf.AbsoluteKeywordLocation, "#")
	return k.explain(fragment, path, at)
}

func compileInput(raw json.RawMessage) (s *jsonschema.Schema, err error) {
	defer func() {
		if recover() != nil { // the schema is a stranger's; the compiler is not ours
			err = errors.New("envelope: the schema cannot be compiled")
		}
	}()
	c := jsonschema.NewCompiler()
	c.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("schemas load nothing") }
	const here = "input:///schema"
	if err := c.AddResource(here, bytes.NewReader(raw)); err != nil {
		return nil, err
	}
	return c.Compile(here)
}

func foreignRef(path string, v any) (string, bool) {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			if p, ok := foreignRef(at(path, i), item); ok {
				return p, true
			}
		}
	case map[string]any:
		for _, key := range sortedKeys(v) {
			p := under(path, key)
			switch key {
			case "$ref", "$dynamicRef", "$recursiveRef":
				if s, ok := v[key].(string); ok && !strings.HasPrefix(s, "#") {
					return p, true
				}
			}
			if q, ok := foreignRef(p, v[key]); ok {
				return q, true
			}
		}
	}
	return "", false
}
