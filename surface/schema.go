package surface

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// StateProblem is one place where a state does not match its schema.
type StateProblem struct {
	Pointer string // RFC 6901, "" = the whole
	Message string // in English, may quote the state; at most maxDetail bytes
}

// ErrSchema: a bundle's state_schema is no JSON Schema that stands alone.
var ErrSchema = errors.New("state_schema: expected a JSON Schema without references to other documents")

// maxProblems is how many a reader has use for.
const maxProblems = 50

// MatchState lists where a state (one that CheckState passed) does not match a
// bundle's state_schema; no schema matches everything. The host does not do
// this: the schema is between the agent and its surface, and the validator's
// word is for their author.
func MatchState(schema, state json.RawMessage) ([]StateProblem, error) {
	if len(schema) == 0 {
		return nil, nil
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	// A schema must not make the host read files or the network.
	c.LoadURL = func(string) (io.ReadCloser, error) { return nil, ErrSchema }
	const here = "schema://state"
	if err := c.AddResource(here, bytes.NewReader(schema)); err != nil {
		return nil, ErrSchema
	}
	s, err := c.Compile(here)
	if err != nil {
		return nil, ErrSchema
	}
	d := json.NewDecoder(bytes.NewReader(orEmpty(state)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return []StateProblem{{Message: string(notJSON)}}, nil
	}
	var failed *jsonschema.ValidationError
	err = s.Validate(v)
	switch {
	case err == nil:
		return nil, nil
	case errors.As(err, &failed):
		return rootCauses(failed, nil), nil
	}
	return nil, ErrSchema // a schema that refers to itself without end
}

// rootCauses collects the causes that have no cause of their own.
func rootCauses(e *jsonschema.ValidationError, out []StateProblem) []StateProblem {
	for _, cause := range e.Causes {
		if out = rootCauses(cause, out); len(out) >= maxProblems {
			return out
		}
	}
	if len(e.Causes) == 0 {
		out = append(out, StateProblem{Pointer: e.InstanceLocation, Message: cutText(e.Message, maxDetail)})
	}
	return out
}

// String is the place and what is wrong there.
func (p StateProblem) String() string {
	if p.Pointer == "" {
		return p.Message
	}
	return strings.TrimPrefix(p.Pointer, "/") + ": " + p.Message
}
