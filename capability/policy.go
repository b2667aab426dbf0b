package capability

import "context"

// Effect is what a rule wants. Forbid beats Ask beats Allow beats no opinion.
type Effect string

const (
	NoOpinion Effect = ""
	Allow     Effect = "allow"
	Ask       Effect = "ask"
	Forbid    Effect = "deny"
)

// Ruling is a policy's word on a call. Risk, if set, can only make it stricter.
type Ruling struct {
	Effect Effect
	Risk   Risk
}

// Policy is the rules of the administrator and of the user. It is called
// with the Broker's lock held: it must be quick and must not call the Broker.
type Policy interface {
	Rule(c Call, d Descriptor, scope string) Ruling
}

// Identity is the host's own record of an agent, as far as grants depend on it.
// The zero value remembers nothing.
type Identity struct {
	// Fingerprint changes when the agent's URL or command does. Empty: nothing
	// is remembered for this agent, and no grant holds.
	Fingerprint string
	// MayAlways is false for plain ws:// beyond loopback.
	MayAlways bool
}

// IdentityCheck proves that the person at the machine is its user, for
// restricted capabilities. It blocks while the person is asked and ends with
// ctx. False is a no; an error decides nothing and the prompt stays.
type IdentityCheck interface {
	Confirm(ctx context.Context, c Call, d Descriptor) (bool, error)
}

// Visibility is what the latest inventory revision says of a capability.
type Visibility int

const (
	Unknown   Visibility = iota // no revision ever had it
	Available                   // the latest revision has it
	Revoked                     // an earlier one had it
)
