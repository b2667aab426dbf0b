package envelope

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"sort"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

//go:embed schema/*.json
var schemas embed.FS

func schemaSource(t Type) []byte {
	b, err := schemas.ReadFile("schema/" + strings.TrimPrefix(string(t), Prefix) + ".json")
	if err != nil {
		panic("envelope: no schema for " + string(t)) // a mistake in this package, found by its tests
	}
	return b
}

func (k *kind) compile() {
	src := schemaSource(k.typ)
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	c.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("schemas load nothing") }
	url := "lineup:///" + string(k.typ)
	if err := c.AddResource(url, bytes.NewReader(src)); err != nil {
		panic(err)
	}
	k.schema = c.MustCompile(url)
	k.source = tree(src)
}

// tree decodes JSON without losing digits.
func tree(raw []byte) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	_ = d.Decode(&v) // the callers' bytes were scanned
	return v
}

func (k *kind) bySchema(raw json.RawMessage) *Error {
	k.once.Do(k.compile)
	doc := tree(raw)
	if err := tooLong(k.source, doc, "payload"); err != nil {
		return err
	}
	err := k.schema.Validate(doc)
	if err == nil {
		return nil
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) { // the validator has no other error for such schemas
		return refuse(InvalidPayload, "payload", "what the schema of the type says")
	}
	leaf := firstLeaf(ve)
	_, fragment, _ := strings.Cut(leaf.AbsoluteKeywordLocation, "#")
	path, value := walk("payload", doc, leaf.InstanceLocation)
	return k.explain(fragment, path, value)
}

// firstLeaf picks the same cause each time: the validator's own order is that of a map.
func firstLeaf(ve *jsonschema.ValidationError) *jsonschema.ValidationError {
	var leaves []*jsonschema.ValidationError
	var collect func(*jsonschema.ValidationError)
	collect = func(e *jsonschema.ValidationError) {
		// What none of the items of a list is says nothing: the list is at fault.
		if len(e.Causes) == 0 || strings.HasSuffix(strings.ToLower(e.AbsoluteKeywordLocation), "contains") {
			leaves = append(leaves, e)
			return
		}
		for _, c := range e.Causes {
			collect(c)
		}
	}
	collect(ve)
	sort.Slice(leaves, func(i, j int) bool {
		a, b := leaves[i], leaves[j]
		if a.InstanceLocation != b.InstanceLocation {
			return a.InstanceLocation < b.InstanceLocation
		}
		return a.AbsoluteKeywordLocation < b.AbsoluteKeywordLocation
	})
	return leaves[0]
}

// walk turns a JSON pointer into a path and the value there.
func walk(path string, doc any, pointer string) (string, any) {
	for _, seg := range strings.Split(pointer, "/")[1:] {
		switch d := doc.(type) {
		case map[string]any:
			name := unescape(seg)
			path, doc = under(path, name), d[name]
		case []any:
			i, _ := strconv.Atoi(seg)
			if i < 0 || i >= len(d) {
				return path, nil
			}
			path, doc = at(path, i), d[i]
		}
	}
	return path, doc
}

// unescape undoes what the validator does to a name in a pointer: RFC 6901 and
// then percent-encoding.
func unescape(seg string) string {
	if u, err := url.PathUnescape(seg); err == nil {
		seg = u
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(seg)
}
