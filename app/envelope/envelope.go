package envelope

import (
	"encoding/json"
	"time"
)

// ID names an envelope: [A-Za-z0-9._:-]{1,128}, unique in its conversation.
type ID string

// ConversationID names a conversation; same alphabet as ID.
type ConversationID string

// Type is a wire type including the "lineup.v1." prefix.
type Type string

// Prefix starts every wire type.
const Prefix = "lineup.v1."

// The wire types of PROTOCOL.md §2–6.
const (
	TypeHello           Type = Prefix + "session.hello"
	TypeReady           Type = Prefix + "session.ready"
	TypePing            Type = Prefix + "session.ping"
	TypePong            Type = Prefix + "session.pong"
	TypeMessage         Type = Prefix + "message"
	TypeMessageDelta    Type = Prefix + "message.delta"
	TypeMessageEnd      Type = Prefix + "message.end"
	TypeStatus          Type = Prefix + "status"
	TypeProgress        Type = Prefix + "progress"
	TypeError           Type = Prefix + "error"
	TypeChoice          Type = Prefix + "choice"
	TypeConfirm         Type = Prefix + "confirm"
	TypeInput           Type = Prefix + "input"
	TypeComponentResult Type = Prefix + "component.result"
	TypeCancel          Type = Prefix + "cancel"
	TypeTool            Type = Prefix + "tool"
	TypeReasoning       Type = Prefix + "reasoning"
	TypePlan            Type = Prefix + "plan"
	TypeTable           Type = Prefix + "table"
	TypeCode            Type = Prefix + "code"
	TypeDiff            Type = Prefix + "diff"
	TypeFile            Type = Prefix + "file"
	TypeCitation        Type = Prefix + "citation"
	TypeUIOpen          Type = Prefix + "ui.open"
	TypeUIPatch         Type = Prefix + "ui.patch"
	TypeUIClose         Type = Prefix + "ui.close"
	TypeUIEvent         Type = Prefix + "ui.event"
	TypeUIResult        Type = Prefix + "ui.result"
	TypeAppCall         Type = Prefix + "app.call"
	TypeAppCancel       Type = Prefix + "app.cancel"
	TypeAppResult       Type = Prefix + "app.result"
	TypeAppList         Type = Prefix + "app.list"
	TypeAppAudit        Type = Prefix + "app.audit"
	TypeInventory       Type = Prefix + "client.inventory"
)

// Kind of a party.
const (
	KindAgent   = "agent"
	KindClient  = "client"
	KindUser    = "user"
	KindGateway = "gateway"
)

// Party is a sender or a target.
type Party struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
}

// Time is an RFC 3339 instant on the wire.
type Time struct{ time.Time }

// Envelope is one message on the wire (PROTOCOL.md §1).
type Envelope struct {
	V              int             `json:"v"`
	ID             ID              `json:"id"`
	Type           Type            `json:"type"`
	ConversationID ConversationID  `json:"conversation_id,omitempty"`
	Sender         Party           `json:"sender"`
	Target         *Party          `json:"target,omitempty"`
	CreatedAt      *Time           `json:"created_at,omitempty"`
	ReplyTo        ID              `json:"reply_to,omitempty"`
	Payload        json.RawMessage `json:"payload"`

	// Extra keeps top-level fields this version does not know.
	Extra map[string]json.RawMessage `json:"-"`
}
