package envelope

import "encoding/json"

// The payload of each wire type, named after it. JSON shapes are those of
// PROTOCOL.md; the schemas beside this file are their executable form.

// Message is a whole chat message (PROTOCOL.md §3).
type Message struct {
	Text        string       `json:"text"`
	Format      string       `json:"format,omitempty"` // "markdown" (default) or "plain"
	Attachments []Attachment `json:"attachments,omitempty"`
}

// Attachment names a file that goes with a user's message.
type Attachment struct {
	ArtifactID string `json:"artifact_id"`
	Name       string `json:"name"`
	MIME       string `json:"mime"`
	Size       int64  `json:"size"` // bytes
}

// MessageDelta appends text to the streamed message MessageID.
type MessageDelta struct {
	MessageID string `json:"message_id"`
	Delta     string `json:"delta"`
}

// MessageEnd closes a streamed message. Text, if present, is the whole message
// and replaces what was streamed.
type MessageEnd struct {
	MessageID string  `json:"message_id"`
	Text      *string `json:"text,omitempty"`
}

// Status is one line about what the agent is doing. The same StatusID replaces.
type Status struct {
	StatusID string `json:"status_id,omitempty"`
	Text     string `json:"text"`
	State    string `json:"state,omitempty"` // working, waiting, done, failed
}

// Progress shows how far a piece of work is. No Value means indeterminate.
type Progress struct {
	ProgressID string         `json:"progress_id"`
	Label      string         `json:"label"`
	Value      *float64       `json:"value,omitempty"`
	Max        *float64       `json:"max,omitempty"` // default 100
	Steps      []ProgressStep `json:"steps,omitempty"`
}

// ProgressStep is one named step; State is pending, working, done or failed.
type ProgressStep struct {
	Label string `json:"label"`
	State string `json:"state"`
}

// ErrorPayload tells the other side that something went wrong. Details is an object.
type ErrorPayload struct {
	Code      string          `json:"code"`
	Message   string          `json:"message"`
	Retryable bool            `json:"retryable,omitempty"`
	Details   json.RawMessage `json:"details,omitempty"`
}

// Choice asks the user to pick from options.
type Choice struct {
	Prompt    string         `json:"prompt"`
	Options   []ChoiceOption `json:"options"`
	Multiple  bool           `json:"multiple,omitempty"`
	Min       *int           `json:"min,omitempty"`
	Max       *int           `json:"max,omitempty"`
	ExpiresAt *Time          `json:"expires_at,omitempty"`
}

// ChoiceOption is one option of a Choice.
type ChoiceOption struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Disabled    bool   `json:"disabled,omitempty"`
}

// Confirm asks the user yes or no.
type Confirm struct {
	Prompt       string `json:"prompt"`
	ConfirmLabel string `json:"confirm_label,omitempty"`
	CancelLabel  string `json:"cancel_label,omitempty"`
	Tone         string `json:"tone,omitempty"` // neutral or danger
	ExpiresAt    *Time  `json:"expires_at,omitempty"`
}

// Input asks the user for one text, or for an object described by Schema.
type Input struct {
	Prompt      string          `json:"prompt"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	Initial     json.RawMessage `json:"initial,omitempty"`
	SubmitLabel string          `json:"submit_label,omitempty"`
	Multiline   bool            `json:"multiline,omitempty"`
	Placeholder string          `json:"placeholder,omitempty"`
	ExpiresAt   *Time           `json:"expires_at,omitempty"`
}

// ComponentResult is the user's answer to a choice, confirm or input.
// Status is answered, cancelled or expired; Value is ids, a boolean, or the object (input
// without schema: {"text": …}).
type ComponentResult struct {
	ComponentID string          `json:"component_id"`
	Status      string          `json:"status"`
	Value       json.RawMessage `json:"value,omitempty"`
}

// Cancel asks the agent to stop what it is doing in this conversation.
type Cancel struct{}

// Tool shows a tool call of the agent's own.
type Tool struct {
	ToolID    string          `json:"tool_id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	State     string          `json:"state,omitempty"` // streaming, running, done, failed
}

// Reasoning shows the agent's thinking, folded away by default.
type Reasoning struct {
	ReasoningID string `json:"reasoning_id,omitempty"`
	Text        string `json:"text"`
	State       string `json:"state,omitempty"` // working, done
}

// Plan shows the agent's plan as steps.
type Plan struct {
	PlanID string         `json:"plan_id,omitempty"`
	Title  string         `json:"title,omitempty"`
	Steps  []ProgressStep `json:"steps"`
}

// Table is rows of plain-text cells.
type Table struct {
	Caption string     `json:"caption,omitempty"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// Code is a block of source text.
type Code struct {
	Language string `json:"language,omitempty"`
	Filename string `json:"filename,omitempty"`
	Text     string `json:"text"`
}

// Diff is a change to one file: either a unified diff or old and new text.
type Diff struct {
	Path    string `json:"path,omitempty"`
	Unified string `json:"unified,omitempty"`
	Old     string `json:"old,omitempty"`
	New     string `json:"new,omitempty"`
}

// File is a file that the agent hands over, inline as base64.
type File struct {
	ArtifactID string `json:"artifact_id"`
	Name       string `json:"name"`
	MIME       string `json:"mime"`
	Size       int64  `json:"size"`
	Data       string `json:"data,omitempty"` // base64
}

// Citation is a source the agent names.
type Citation struct {
	Title string `json:"title"`
	URL   string `json:"url,omitempty"`
	Quote string `json:"quote,omitempty"`
}

// App is the bundle, or the reference to an installed app, of a ui.open.
type App struct {
	ID        string `json:"id"`
	Name      string `json:"name,omitempty"`
	Version   string `json:"version"`
	Surface   string `json:"surface,omitempty"`
	Integrity string `json:"integrity,omitempty"`
	Signature string `json:"signature,omitempty"`
	HTML      string `json:"html,omitempty"`
	CSS       string `json:"css,omitempty"`
	JS        string `json:"js,omitempty"`
	// Events, if present, lists the only events the surface may send.
	Events []string `json:"events,omitempty"`
	// HostStyles asks for the host's small stylesheet.
	HostStyles bool `json:"host_styles,omitempty"`
}

// UIOpen opens or replaces a surface instance (PROTOCOL.md §4).
type UIOpen struct {
	InstanceID string          `json:"instance_id"`
	App        App             `json:"app"`
	State      json.RawMessage `json:"state,omitempty"` // object ≤ 256 KiB
	Title      string          `json:"title,omitempty"`
	Size       *UISize         `json:"size,omitempty"`
}

// UISize is the size a surface wishes for; the host decides. CSS pixels.
type UISize struct {
	Height int `json:"height,omitempty"`
}

// UIPatch changes the state of an open instance: State is an RFC 7396 merge
// patch, JSONPatch an RFC 6902 one; exactly one is present.
type UIPatch struct {
	InstanceID string          `json:"instance_id"`
	State      json.RawMessage `json:"state,omitempty"`
	JSONPatch  json.RawMessage `json:"json_patch,omitempty"`
}

// UIClose closes an instance.
type UIClose struct {
	InstanceID string `json:"instance_id"`
	Reason     string `json:"reason,omitempty"`
}

// UIEvent is what the user did in a surface.
type UIEvent struct {
	InstanceID string          `json:"instance_id"`
	Event      string          `json:"event"`
	Data       json.RawMessage `json:"data"`
}

// UIResult answers each ui.open, ui.patch and ui.close.
type UIResult struct {
	InstanceID string `json:"instance_id"`
	Op         string `json:"op"`     // open, patch, close
	Status     string `json:"status"` // ok, refused, unknown_instance, revoked
	Code       string `json:"code,omitempty"`
	Message    string `json:"message,omitempty"`
}

// AppCall asks for a capability (PROTOCOL.md §5).
type AppCall struct {
	CallID     string          `json:"call_id"`
	Capability string          `json:"capability"`
	Reason     string          `json:"reason"`
	ExpiresAt  *Time           `json:"expires_at,omitempty"`
	Arguments  json.RawMessage `json:"arguments"`
}

// AppCancel withdraws a call.
type AppCancel struct {
	CallID string `json:"call_id"`
}

// AppResult settles a call.
type AppResult struct {
	CallID string          `json:"call_id"`
	Status string          `json:"status"` // completed, rejected, cancelled, expired, unsupported, failed
	Result json.RawMessage `json:"result,omitempty"`
	Error  *AppError       `json:"error,omitempty"`
}

// AppError says why a call did not complete.
type AppError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Inventory is what an agent may ask for (PROTOCOL.md §6).
type Inventory struct {
	Revision           string               `json:"revision"`
	StandardComponents []InventoryComponent `json:"standard_components"`
	Applications       []InventoryApp       `json:"applications"`
	Capabilities       []CapabilityInfo     `json:"capabilities"`
}

// InventoryComponent is one standard component the host renders itself.
type InventoryComponent struct {
	ID      string `json:"id"`
	Version string `json:"version"`
}

// InventoryApp is one enabled app.
type InventoryApp struct {
	ID       string             `json:"id"`
	Version  string             `json:"version"`
	Surfaces []InventorySurface `json:"surfaces"`
}

// InventorySurface is one surface of an app with the events it may send.
type InventorySurface struct {
	ID     string   `json:"id"`
	Events []string `json:"events,omitempty"`
}

// CapabilityInfo declares a capability; a declaration is never a permission.
type CapabilityInfo struct {
	Name        string          `json:"name"`
	Version     string          `json:"version"`
	Risk        string          `json:"risk"`
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
}

// AppList is the capability-only projection of the inventory.
type AppList struct {
	Capabilities []CapabilityInfo `json:"capabilities"`
}

// AppAudit is one audit record of the agent's own chain.
type AppAudit struct {
	Seq      int64  `json:"seq"`
	CallID   string `json:"call_id"`
	Capab    string `json:"capability"`
	Event    string `json:"event"`
	At       Time   `json:"at"`
	PrevHash string `json:"prev_hash"`
	Hash     string `json:"hash"`
}

// Hello opens a session (PROTOCOL.md §2).
type Hello struct {
	Client        HelloClient   `json:"client"`
	Locale        string        `json:"locale"`
	Protocol      []int         `json:"protocol"`
	Conversations []ResumePoint `json:"conversations"`
}

// HelloClient names the host.
type HelloClient struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// ResumePoint is the last id of the other side that was processed.
type ResumePoint struct {
	ConversationID string `json:"conversation_id"`
	LastID         string `json:"last_id"`
}

// Ready answers Hello. Conversations is nil when the agent keeps no memory of
// what it has processed; in a list that is present, a conversation that is not
// named has had nothing processed.
type Ready struct {
	Agent         ReadyAgent    `json:"agent"`
	Conversations []ResumePoint `json:"conversations,omitzero"` // an empty list is not an absent one
	Features      []string      `json:"features,omitempty"`
}

// ReadyAgent is how the agent presents itself.
type ReadyAgent struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Version string `json:"version"`
	Icon    string `json:"icon,omitempty"` // data: URL, ≤ 64 KiB
}

// Ping and Pong are empty.
type Ping struct{}

// Pong answers Ping.
type Pong struct{}
