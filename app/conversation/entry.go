package conversation

import (
	"time"

	"lineup/app/envelope"
)

// Direction says who wrote an entry.
type Direction int8

const (
	In    Direction = iota // the agent
	Out                    // the host, to the agent
	Local                  // the host, for itself: never sent
)

// Entry is one line of a conversation's log.
type Entry struct {
	Seq int64 // position in the store, strictly increasing
	Dir Direction
	At  time.Time
	Env envelope.Envelope
}

// Local wire types: facts of the host's own, kept in the log and never sent.
const (
	// TypeLocalMalformed: a frame for this conversation was refused. Payload MalformedFact.
	TypeLocalMalformed envelope.Type = "local.malformed"
	// TypeLocalClosed: the host closed a surface. Payload ClosedFact.
	TypeLocalClosed envelope.Type = "local.surface.closed"
)

// MalformedFact is what a refused frame leaves in the log.
type MalformedFact struct {
	Code  string `json:"code"`
	Field string `json:"field"`
}

// ClosedFact closes an instance for the host's own reason (revoked, navigated …).
type ClosedFact struct {
	InstanceID string `json:"instance_id"`
	Reason     string `json:"reason"`
}
