package agent

import (
	"context"
	"time"

	"lineup/app/envelope"
)

// Phase is where a link to an agent stands.
type Phase string

const (
	Connecting   Phase = "connecting"
	Connected    Phase = "connected"
	Reconnecting Phase = "reconnecting" // will try again at State.RetryAt
	Offline      Phase = "offline"      // not wanted, or stopped
	Refused      Phase = "refused"      // will not try again by itself: State.Code says why
)

// State is what the user sees of a link.
type State struct {
	Phase   Phase
	RetryAt time.Time
	Code    Code
}

// Code is a stable word for why a link is down.
type Code string

const (
	Unreachable Code = "unreachable"
	BadToken    Code = "bad_token"
	NotLineup   Code = "not_lineup"
	WrongID     Code = "wrong_id"
	InsecureURL Code = "insecure_url"
)

// Link is a wanted connection to one agent.
type Link interface {
	// Run dials, serves and dials again with back-off until ctx ends. It
	// returns nil then.
	Run(ctx context.Context) error
	// Retry tries at once if the link is waiting to reconnect or was refused.
	Retry()
}

// Peer is the host's side of a link. Methods of one Peer may be called from two
// goroutines at once: Next from the writing one, the others from the reading one.
type Peer interface {
	// Hello gives the resume points and the locale for session.hello.
	Hello(ctx context.Context) (envelope.Hello, error)
	// Ready is called once a connection; a *RefusedError ends it for good.
	// It resets what Next will give: after it, Next starts with
	// client.inventory and what the agent has not processed.
	Ready(ctx context.Context, r envelope.Ready) error
	// Receive takes each valid envelope with a conversation_id. It blocks while
	// the conversation is busy, which holds back the socket; an error ends the connection (it is dialled again).
	Receive(ctx context.Context, e envelope.Envelope) error
	// Malformed is told of each frame that was refused. The link has answered it with
	// lineup.v1.error already (unless it was itself an error); raw is cut to 4 KiB.
	Malformed(ctx context.Context, err *envelope.Error, raw []byte)
	// Next blocks until there is an envelope to send on this connection.
	Next(ctx context.Context) (envelope.Envelope, error)
	// Sent is called when e was written to the socket.
	Sent(e envelope.Envelope)
	// Changed is called at each change of state, also when a connection breaks.
	Changed(s State)
}

// RefusedError ends a link until Retry.
type RefusedError struct{ Code Code }

func (e *RefusedError) Error() string { return "agent refused: " + string(e.Code) }
