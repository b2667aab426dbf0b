package capability

import (
	"context"
	"encoding/json"
	"time"
)

// Provider is one capability. All methods but Invoke are pure and quick: they
// are called with the canonical argument bytes, which match InputSchema. lang
// is "en" or "zh-CN"; anything else means "en". A panic in any of them is
// caught and fails the call.
type Provider interface {
	Descriptor() Descriptor

	// Title completes "{agent} wants to …": "open a web page", "打开网页".
	Title(lang string) string

	// Present says what exactly will run.
	Present(args json.RawMessage, lang string) Presentation

	// Scope names what an answer may be remembered for, e.g. a host. The key is
	// stable across versions and languages; rule spells it out for people. An
	// empty key means that this call is never remembered.
	Scope(args json.RawMessage) (key string, rule func(lang string) string)

	// Invoke has the effect and returns JSON. It is called at most once a call.
	// It must give up when ctx ends. An error may be a *ProviderError; the text
	// of any other goes to the host's own log only.
	Invoke(ctx context.Context, c Call) (json.RawMessage, error)
}

// Checker is a Provider with rules that a schema cannot say. Check is called
// after the schema matched; its error ends the call as failed/invalid_arguments,
// and its text goes to the agent.
type Checker interface {
	Check(args json.RawMessage) error
}

// Patient is a Provider whose Invoke may take longer than the default, because
// it waits for a person (a file picker).
type Patient interface {
	InvokeTimeout() time.Duration
}

// Presentation is what the prompt shows, in one language. Values are raw: the
// application escapes them with package plain.
type Presentation struct {
	Title    string // filled in by the Broker from Provider.Title
	Summary  string // one line that may be kept in the audit log: no secrets, no user content
	Args     []Arg  // every argument, whole
	Warnings []string
}

// Arg is one argument. Name is its JSON name, Label the host's word for it.
type Arg struct {
	Name  string
	Label string
	Value string
}

// The warnings of a Presentation: stable codes that the page puts in words.
const (
	WarnLookalike = "lookalike_host"
	WarnHidden    = "hidden_characters"
)

// ProviderError is a failure in the provider's own words, written by us: never
// a path, a secret or another program's text. Code is [a-z][a-z0-9_]{0,39}.
type ProviderError struct {
	Code    string
	Message string
	Err     error // for the host's own log
}

func (e *ProviderError) Error() string {
	if e.Err != nil {
		return e.Code + ": " + e.Message + ": " + e.Err.Error()
	}
	return e.Code + ": " + e.Message
}

func (e *ProviderError) Unwrap() error { return e.Err }
