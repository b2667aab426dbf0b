package capability

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// compile compiles a schema that stands alone. Empty accepts everything.
func compile(raw json.RawMessage) (*jsonschema.Schema, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	// A schema must not make the host read files or the network.
	c.LoadURL = func(string) (io.ReadCloser, error) {
		return nil, errors.New("references to other documents are refused")
	}
	const here = "schema://capability"
	if err := c.AddResource(here, bytes.NewReader(raw)); err != nil {
		return nil, err
	}
	return c.Compile(here)
}

// validate names the first field that does not fit and what was expected.
func validate(s *jsonschema.Schema, doc json.RawMessage) error {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return errors.New("not valid JSON")
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	if s == nil {
		return nil
	}
	err := s.Validate(v)
	if err == nil {
		return nil
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return errors.New("does not fit the schema")
	}
	for len(ve.Causes) > 0 {
		ve = ve.Causes[0]
	}
	field := strings.ReplaceAll(strings.TrimPrefix(ve.InstanceLocation, "/"), "/", ".")
	if field == "" {
		field = "(whole)"
	}
	return fmt.Errorf("%s: %s", cut(field, 80), cut(ve.Message, 160))
}

// cut bounds a text that goes to a peer.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}
