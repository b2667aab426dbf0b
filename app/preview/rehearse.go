package preview

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"lineup/capability"
)

// CodeRehearsed is the code of a call that was allowed in a preview.
const CodeRehearsed = "preview"

// Rehearse makes a capability that is declared, checked, asked about and logged
// as p is, and then does nothing: the call fails with CodeRehearsed and says
// what would have been done. A preview never has an effect on the machine.
func Rehearse(p capability.Provider) capability.Provider { return rehearsal{p} }

type rehearsal struct{ capability.Provider }

// Check implements capability.Checker.
func (r rehearsal) Check(args json.RawMessage) error {
	if c, ok := r.Provider.(capability.Checker); ok {
		return c.Check(args)
	}
	return nil
}

// InvokeTimeout implements capability.Patient.
func (r rehearsal) InvokeTimeout() time.Duration { return time.Minute }

// Invoke says what it would have done.
func (r rehearsal) Invoke(_ context.Context, c capability.Call) (json.RawMessage, error) {
	would := r.Title("en")
	if s := r.Present(c.Args, "en").Summary; s != "" {
		would += " (" + s + ")"
	}
	return nil, &capability.ProviderError{Code: CodeRehearsed, Message: fmt.Sprintf("preview: nothing was done; it would have been done now: %.200s", would)}
}
