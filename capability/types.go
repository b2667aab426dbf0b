package capability

import (
	"encoding/json"
	"time"
)

// Name names a capability, e.g. "app.open_url".
type Name string

// AgentID is the host's own record of an agent; it comes from the connection,
// never from a message. Empty stands for the host itself, in the audit log only.
type AgentID string

// CallID is the agent's name for a call, [A-Za-z0-9._:-]{1,128}. (AgentID,
// CallID) is what a call is idempotent by.
type CallID string

// PromptID names a request that waits for the user. It is used once: after a
// restart the same call has another.
type PromptID string

// Risk says how the user is asked (PROTOCOL.md §5).
type Risk string

// The four risks, from least to most strict.
const (
	DisplayOnly      Risk = "display_only"
	UserConfirmation Risk = "user_confirmation"
	SystemPermission Risk = "system_permission"
	Restricted       Risk = "restricted"
)

// level orders risks; an unknown risk is the strictest.
func (r Risk) level() int {
	switch r {
	case DisplayOnly:
		return 0
	case UserConfirmation:
		return 1
	case SystemPermission:
		return 2
	}
	return 3
}

// Rememberable tells whether an answer may be kept for later calls.
func (r Risk) Rememberable() bool { return r == UserConfirmation }

// stricter returns the stricter of two risks; an empty b is no opinion, a word
// that is not known is Restricted.
func stricter(a, b Risk) Risk {
	if b != "" && b.level() > a.level() {
		if b.level() == Restricted.level() {
			return Restricted
		}
		return b
	}
	return a
}

// Status is how a call ended, as on the wire.
type Status string

// The six statuses.
const (
	Completed   Status = "completed"
	Rejected    Status = "rejected"
	Cancelled   Status = "cancelled"
	Expired     Status = "expired"
	Unsupported Status = "unsupported"
	Failed      Status = "failed"
)

// The codes that go with a status (PROTOCOL.md §5). A provider may add its own
// with a ProviderError. Completed has none.
const (
	CodeUnknown       = "unknown_capability" // unsupported: no revision ever had it
	CodeRevoked       = "revoked"            // unsupported: the latest revision has it no longer
	CodeArguments     = "invalid_arguments"  // failed
	CodeReused        = "call_id_reused"     // failed: same call id, other capability or arguments
	CodeBusy          = "busy"               // failed: too many calls of this agent are open
	CodeUser          = "user"               // rejected: no, Esc, dismissed
	CodePolicy        = "policy"             // rejected: a rule of the administrator or the user
	CodeWithdrawn     = "withdrawn"          // cancelled: app.cancel
	CodeStopped       = "stopped"            // cancelled: Stop, or the conversation was closed
	CodeExpired       = "expired"            // expired
	CodeInterrupted   = "interrupted"        // failed: found executing at start, never run again
	CodeProvider      = "provider_error"     // failed
	CodeTimeout       = "timeout"            // failed: the provider did not finish in time
	CodeInvalidOutput = "invalid_output"     // failed
)

// Descriptor declares a capability. Schemas are JSON Schema; references to
// other documents are refused. An empty OutputSchema accepts any JSON.
type Descriptor struct {
	Name         Name            `json:"name"`
	Version      string          `json:"version"`
	Risk         Risk            `json:"risk"`
	InputSchema  json.RawMessage `json:"input_schema,omitempty"`
	OutputSchema json.RawMessage `json:"output_schema,omitempty"`
}

// Call is what an agent asks for. Reason is hostile text: show it through
// package plain. Args is a JSON object; the Broker replaces it by its canonical
// bytes. RequestedAt is set by the Broker if zero.
type Call struct {
	Agent        AgentID
	ID           CallID
	Conversation string
	Capability   Name
	Reason       string
	ExpiresAt    time.Time
	Args         json.RawMessage
	RequestedAt  time.Time
}

// Key is what a call is idempotent by.
type Key struct {
	Agent AgentID
	ID    CallID
}

// Key returns the call's key.
func (c Call) Key() Key { return Key{c.Agent, c.ID} }

// Result is how a call ended. Value is JSON and only set when Completed; Code
// and Message are set otherwise. Message is English, for the agent's developer;
// people are shown words chosen by Code.
type Result struct {
	Status  Status
	Value   json.RawMessage
	Code    string
	Message string
}
