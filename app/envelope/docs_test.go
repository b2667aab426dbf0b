package envelope

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// Every example of docs/PROTOCOL.md decodes, and there is one of each type.
func TestDocumentedExamples(t *testing.T) {
	doc, err := os.ReadFile("../../docs/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[Type]bool{}
	for _, part := range strings.Split(string(doc), "```json\n")[1:] {
		text, _, ok := strings.Cut(part, "```")
		if !ok {
			t.Fatal("a block does not end")
		}
		var short struct {
			V       int
			Type    Type
			Payload json.RawMessage
		}
		if err := json.Unmarshal([]byte(text), &short); err != nil {
			t.Errorf("%v in %s", err, text)
			continue
		}
		if short.V == 0 { // only type and payload are shown
			text = wrap(short.Type, string(short.Payload))
		}
		e, bad := Decode([]byte(text))
		if bad != nil {
			t.Errorf("%v in %s", bad, text)
		}
		seen[e.Type] = true
	}
	for typ := range kinds {
		if !seen[typ] {
			t.Errorf("no example of %s", typ)
		}
	}
}
