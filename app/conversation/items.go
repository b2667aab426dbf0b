package conversation

import (
	"encoding/json"
	"time"

	"lineup/app/envelope"
	"lineup/surface"
)

// Kind names what an Item is; the values are those of the UI API.
type Kind string

const (
	KindMessage   Kind = "message"
	KindStatus    Kind = "status"
	KindProgress  Kind = "progress"
	KindError     Kind = "error"
	KindChoice    Kind = "choice"
	KindConfirm   Kind = "confirm"
	KindInput     Kind = "input"
	KindSurface   Kind = "surface"
	KindCall      Kind = "call"
	KindNotice    Kind = "notice"
	KindTool      Kind = "tool"
	KindReasoning Kind = "reasoning"
	KindPlan      Kind = "plan"
	KindTable     Kind = "table"
	KindCode      Kind = "code"
	KindDiff      Kind = "diff"
	KindFile      Kind = "file"
	KindCitation  Kind = "citation"
)

// From says whose words an Item shows.
type From string

const (
	FromUser  From = "user"
	FromAgent From = "agent"
	FromHost  From = "host"
)

// Item is one thing in the log that people see. Data holds a pointer to the
// type that Kind implies: *Message, *envelope.Status, *envelope.Progress,
// *envelope.ErrorPayload, *Choice, *Confirm, *Input, *Surface, *Call, *Notice,
// *envelope.Tool, *envelope.Reasoning, *envelope.Plan, *envelope.Table,
// *envelope.Code, *envelope.Diff, *envelope.File, *envelope.Citation.
type Item struct {
	ID   string // stable across restarts, unique in the conversation
	Pos  int64  // Seq of the entry that made it
	Seq  int64  // Seq of the entry that last changed it
	Kind Kind
	From From
	At   time.Time
	Env  envelope.ID // the envelope that made it
	Data any
}

// Message is a chat message, whole or being streamed.
type Message struct {
	Plain     bool // format "plain": no Markdown
	Streaming bool
	text      []byte
	// Whole counts how often the text was replaced rather than appended to, so that
	// an incremental renderer knows when to begin anew.
	Whole int
}

// Text is the message so far.
func (m *Message) Text() string { return string(m.text) }

// Since returns the text from byte n on.
func (m *Message) Since(n int) string {
	if n >= len(m.text) {
		return ""
	}
	return string(m.text[n:])
}

// Len is the length of the text in bytes.
func (m *Message) Len() int { return len(m.text) }

// Answer is how a component ended; Status is empty while it is open.
type Answer struct {
	Status string // answered, cancelled, expired
	Value  json.RawMessage
}

// Choice, Confirm and Input are components with their answer.
type Choice struct {
	envelope.Choice
	Answer Answer
}

// Confirm asks yes or no.
type Confirm struct {
	envelope.Confirm
	Answer Answer
}

// Input asks for a text or an object.
type Input struct {
	envelope.Input
	Answer Answer
}

// SurfaceStatus is where a surface stands in the log.
type SurfaceStatus string

const (
	SurfaceAsking  SurfaceStatus = "asking" // opened by the agent; the host has not said yes yet
	SurfaceOpen    SurfaceStatus = "open"
	SurfaceRefused SurfaceStatus = "refused"
	SurfaceClosed  SurfaceStatus = "closed"
)

// Surface is one opened surface. App's bundle and State are dropped once it is
// refused or closed.
type Surface struct {
	Instance surface.InstanceID
	App      surface.App
	Title    string
	Size     int // the agent's wish, CSS pixels
	State    json.RawMessage
	Status   SurfaceStatus
	Reason   string
	// Revision grows with each change of State.
	Revision int64
}

// Call is the line that a capability call leaves. Status: pending, or a final status of app.result.
type Call struct {
	envelope.AppCall
	Status string
	Code   string
}

// Notice is a remark of the host's.
type Notice struct {
	Code  string // unsupported, unknown_type, bad_envelope, password_refused
	Type  string
	Field string
	Count int
	JSON  bool // the entry's envelope can be shown
}
