package envelope

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// Every known type has a schema that compiles, and every schema file has a type.
func TestSchemasAndTypesMatch(t *testing.T) {
	files, err := os.ReadDir("schema")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(kinds) {
		t.Errorf("%d schema files for %d types", len(files), len(kinds))
	}
	for _, f := range files {
		typ := Type(Prefix + strings.TrimSuffix(f.Name(), ".json"))
		if !Known(typ) {
			t.Errorf("%s has no type", f.Name())
			continue
		}
		var doc struct{ Title, Description string }
		if err := json.Unmarshal(Schema(typ), &doc); err != nil {
			t.Errorf("%s: %v", f.Name(), err)
		}
		if doc.Title != string(typ) || doc.Description == "" {
			t.Errorf("%s: title %q, description %q", f.Name(), doc.Title, doc.Description)
		}
		k := kinds[typ]
		k.once.Do(k.compile)
	}
}

func TestSchemaIsACopy(t *testing.T) {
	Schema(TypeChoice)[0] = 'x'
	if Schema(TypeChoice)[0] != '{' {
		t.Error("a caller can change the schema")
	}
	if Schema("lineup.v1.nothing") != nil {
		t.Error("an unknown type has a schema")
	}
}
