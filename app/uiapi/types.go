package uiapi

import "encoding/json"

// The shapes that cross the UI socket. TypeScript types are generated from
// this file; every field name is snake_case on the wire. Times are Unix
// milliseconds. Words for people never come from Go, except those that must be
// composed from the host's own record (prompt titles): those are sent in the
// user's language.

// HelloParams is the first request on a new socket: a one-time Ticket, or the
// Token that an earlier hello returned.
type HelloParams struct {
	Ticket string `json:"ticket,omitempty"`
	Token  string `json:"token,omitempty"`
	Locale string `json:"locale"` // BCP 47, as the browser prefers it
}

// Snapshot is all of the host's state except the items of conversations.
type Snapshot struct {
	Token         string         `json:"token"`
	Epoch         string         `json:"epoch"` // changes when the host process is a new one
	Shell         string         `json:"shell"` // "desktop" or "web"
	Version       string         `json:"version"`
	BundlePolicy  string         `json:"bundle_policy"`
	DevMode       bool           `json:"dev_mode"`
	SurfaceOrigin string         `json:"surface_origin"` // http://127.0.0.1:PORT
	Settings      Settings       `json:"settings"`
	Agents        []Agent        `json:"agents"`
	Conversations []Conversation `json:"conversations"`
	Prompts       []Prompt       `json:"prompts"`
	Sandbox       Sandbox        `json:"sandbox"`
	// DefaultAgent is whom a new conversation is with; "" = the page's own choice.
	DefaultAgent string `json:"default_agent"`
	// OpenConversation was open last, on any page; "" = none, or it is gone.
	OpenConversation string `json:"open_conversation"`
	// Reading is where the reader of OpenConversation was; zero: at its end.
	Reading Reading `json:"reading"`
	// Preview is set when this is `lineup preview`.
	Preview *Preview `json:"preview,omitempty"`
}

// Reading is where in a conversation the view stands: the first item in it, and
// how far below the view's upper edge that item begins (CSS px).
type Reading struct {
	ConversationID string  `json:"conversation_id"`
	ItemID         string  `json:"item_id"` // "" = at the end
	Offset         float64 `json:"offset"`
}

// Settings are the user's preferences.
type Settings struct {
	Theme    string `json:"theme"`     // system, light, dark, contrast
	Language string `json:"language"`  // system, en, zh-CN
	TextSize int    `json:"text_size"` // percent, 80…200
	DevMode  bool   `json:"dev_mode"`
	Welcomed bool   `json:"welcomed"` // the first-start path was finished or skipped
}

// Agent is the host's own record of an agent plus its connection.
type Agent struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	URL      string `json:"url"`
	Demo     bool   `json:"demo"`
	State    string `json:"state"`              // connecting, connected, reconnecting, offline, refused
	RetryAt  int64  `json:"retry_at,omitempty"` // when the next attempt starts
	Error    string `json:"error,omitempty"`    // stable code: unreachable, bad_token, not_lineup, wrong_id, insecure_url
	Queued   int    `json:"queued"`             // messages that wait for the connection
	Version  string `json:"version,omitempty"`
	HasToken bool   `json:"has_token"`
}

// Conversation is one row of the list.
type Conversation struct {
	ID        string `json:"id"`
	AgentID   string `json:"agent_id"`
	Title     string `json:"title"` // empty: not named yet
	Preview   string `json:"preview"`
	Pinned    bool   `json:"pinned"`
	State     string `json:"state"`   // idle, working, waiting (for the user), failed
	Waiting   int    `json:"waiting"` // how many things wait for the user
	Running   bool   `json:"running"` // there is something that Stop would stop
	Unread    bool   `json:"unread"`
	UpdatedAt int64  `json:"updated_at"`
	Draft     string `json:"draft"`
	Deleted   bool   `json:"deleted,omitempty"` // in an update: take it off the list
}

// Item is one thing in the log of a conversation. Kind says which of the
// pointers is set. Order is by Pos; an update with the same ID replaces.
type Item struct {
	ID    string `json:"id"`
	Pos   int64  `json:"pos"`
	Kind  string `json:"kind"`
	From  string `json:"from"` // user, agent, host
	At    int64  `json:"at"`
	Queue bool   `json:"queued,omitempty"` // ours, not with the agent yet

	Message   *MessageItem   `json:"message,omitempty"`
	Status    *StatusItem    `json:"status,omitempty"`
	Progress  *ProgressItem  `json:"progress,omitempty"`
	Error     *ErrorItem     `json:"error,omitempty"`
	Choice    *ChoiceItem    `json:"choice,omitempty"`
	Confirm   *ConfirmItem   `json:"confirm,omitempty"`
	Input     *InputItem     `json:"input,omitempty"`
	Surface   *SurfaceItem   `json:"surface,omitempty"`
	Call      *CallItem      `json:"call,omitempty"`
	Notice    *NoticeItem    `json:"notice,omitempty"`
	Tool      *ToolItem      `json:"tool,omitempty"`
	Reasoning *ReasoningItem `json:"reasoning,omitempty"`
	Plan      *PlanItem      `json:"plan,omitempty"`
	Table     *TableItem     `json:"table,omitempty"`
	Code      *CodeItem      `json:"code,omitempty"`
	Diff      *DiffItem      `json:"diff,omitempty"`
	File      *FileItem      `json:"file,omitempty"`
	Citation  *CitationItem  `json:"citation,omitempty"`
}

// MessageItem is a chat message. Blocks are sanitised HTML of finished
// top-level Markdown blocks. In an update for a message the page already has,
// only blocks from BlocksFrom on are present: the page keeps the first
// BlocksFrom blocks and replaces the rest.
type MessageItem struct {
	Blocks     []Block `json:"blocks"`
	BlocksFrom int     `json:"blocks_from"`
	Streaming  bool    `json:"streaming"`
	Text       string  `json:"text,omitempty"` // the user's own words, plain
}

// Block is one top-level block of a message.
type Block struct {
	HTML string `json:"html"`
}

// StatusItem is one line; State: working, waiting, done, failed.
type StatusItem struct {
	Text  string `json:"text"`
	State string `json:"state"`
}

// ProgressItem: no Value means indeterminate. Live is false once the run ended.
type ProgressItem struct {
	Label string   `json:"label"`
	Value *float64 `json:"value,omitempty"`
	Max   float64  `json:"max"`
	Steps []Step   `json:"steps,omitempty"`
}

// Step is one named step; State: pending, working, done, failed.
type Step struct {
	Label string `json:"label"`
	State string `json:"state"`
}

// ErrorItem is an error an agent reported.
type ErrorItem struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}

// Answer is how a component ended. Status: "" (open), answered, cancelled, expired.
type Answer struct {
	Status    string          `json:"status"`
	Value     json.RawMessage `json:"value,omitempty" tstype:"unknown"`
	ExpiresAt int64           `json:"expires_at,omitempty"`
}

// ChoiceItem asks to pick.
type ChoiceItem struct {
	Prompt   string         `json:"prompt"`
	Options  []ChoiceOption `json:"options"`
	Multiple bool           `json:"multiple"`
	Min      int            `json:"min"`
	Max      int            `json:"max"`
	Answer   Answer         `json:"answer"`
}

// ChoiceOption is one option.
type ChoiceOption struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Disabled    bool   `json:"disabled,omitempty"`
}

// ConfirmItem asks yes or no.
type ConfirmItem struct {
	Prompt       string `json:"prompt"`
	ConfirmLabel string `json:"confirm_label,omitempty"`
	CancelLabel  string `json:"cancel_label,omitempty"`
	Tone         string `json:"tone"` // neutral, danger
	Answer       Answer `json:"answer"`
}

// InputItem asks for a text (no Schema: the answer is {"text": string}) or for
// an object that Schema describes.
type InputItem struct {
	Prompt      string          `json:"prompt"`
	Schema      json.RawMessage `json:"schema,omitempty" tstype:"unknown"`
	Initial     json.RawMessage `json:"initial,omitempty" tstype:"unknown"`
	SubmitLabel string          `json:"submit_label,omitempty"`
	Multiline   bool            `json:"multiline"`
	Placeholder string          `json:"placeholder,omitempty"`
	Answer      Answer          `json:"answer"`
}

// SurfaceItem is the card of a UI Surface.
type SurfaceItem struct {
	InstanceID string   `json:"instance_id"`
	AppID      string   `json:"app_id"`
	Name       string   `json:"name"`  // app name, escaped for display
	Title      string   `json:"title"` // the agent's title, plain text
	Version    string   `json:"version"`
	Mark       string   `json:"mark"`             // verified, unverified, developer
	Checks     []string `json:"checks"`           // what was looked at and what let it in, stable codes: installed, signed_by:NAME, signature_none, signature_unknown_key, signature_bad, integrity_ok, integrity_absent, integrity_wrong, allowlisted, demo_agent, developer_mode, agent_allowed
	Status     string   `json:"status"`           // asking, open, stopped, refused, closed
	Reason     string   `json:"reason,omitempty"` // stable code: replaced, user, agent, revoked, policy, integrity, too_large, unsealed, bad_app, too_many; stopped: see Slot
	Height     int      `json:"height"`           // wished height, CSS px, 0 = none; bounded by the host
	Strikes    int      `json:"strikes"`          // how often this app of this agent hung or crashed alone
	Dropped    int      `json:"dropped"`          // events dropped by the rate limit
	Errors     int      `json:"errors"`           // script errors the surface reported
}

// CallItem is the line in the log that a capability call leaves.
type CallItem struct {
	CallID     string `json:"call_id"`
	Capability string `json:"capability"`
	Title      string `json:"title"`             // what was asked for, in the user's language
	Summary    string `json:"summary,omitempty"` // e.g. the host of a URL, escaped
	Status     string `json:"status"`            // pending, executing, completed, rejected, cancelled, expired, unsupported, failed
	Code       string `json:"code,omitempty"`
}

// NoticeItem is a host's remark: Code unsupported (unknown ui.*/app.* type), unknown_type,
// bad_envelope, password_refused, late_answer. HasJSON: json.view shows it.
type NoticeItem struct {
	Code    string `json:"code"`
	Type    string `json:"type,omitempty"`
	Field   string `json:"field,omitempty"`
	HasJSON bool   `json:"has_json"`
}

// ToolItem is a tool call of the agent's own. Arguments and Result are JSON text.
type ToolItem struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments,omitempty"`
	Result    string `json:"result,omitempty"`
	State     string `json:"state"` // streaming, running, done, failed
}

// ReasoningItem is folded by default.
type ReasoningItem struct {
	Text  string `json:"text"`
	State string `json:"state"` // working, done
}

// PlanItem is the agent's plan.
type PlanItem struct {
	Title string `json:"title"`
	Steps []Step `json:"steps"`
}

// TableItem is plain-text cells.
type TableItem struct {
	Caption string     `json:"caption,omitempty"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// CodeItem has highlighted, sanitised HTML and the plain text to copy.
type CodeItem struct {
	Language string `json:"language,omitempty"`
	Filename string `json:"filename,omitempty"`
	HTML     string `json:"html"`
	Text     string `json:"text"`
}

// DiffItem is lines with Op " ", "+", "-" or "@".
type DiffItem struct {
	Path  string     `json:"path,omitempty"`
	Lines []DiffLine `json:"lines"`
}

// DiffLine is one line of a diff.
type DiffLine struct {
	Op   string `json:"op"`
	Text string `json:"text"`
}

// FileItem is a file the agent handed over. Preview is a data: URL of a safe image, or empty.
type FileItem struct {
	ArtifactID string `json:"artifact_id"`
	Name       string `json:"name"`
	MIME       string `json:"mime"`
	Size       int64  `json:"size"`
	Preview    string `json:"preview,omitempty"`
}

// CitationItem is a source.
type CitationItem struct {
	Title string `json:"title"`
	URL   string `json:"url,omitempty"`
	Quote string `json:"quote,omitempty"`
}

// Prompt is a request that waits for the user: a capability, or (Kind
// "surface") an agent's first own interface. It is drawn above everything.
type Prompt struct {
	ID             string      `json:"id"`
	Kind           string      `json:"kind"` // capability, surface
	ConversationID string      `json:"conversation_id"`
	AgentName      string      `json:"agent_name"`
	AgentURL       string      `json:"agent_url"`
	Title          string      `json:"title"` // "{agent} wants to {capability title}", in the user's language
	Risk           string      `json:"risk"`
	Reason         PlainText   `json:"reason"`
	Arguments      []PromptArg `json:"arguments"`
	Warnings       []string    `json:"warnings"`      // stable codes: lookalike_host, hidden_characters, unverified_app
	MayRemember    []string    `json:"may_remember"`  // of "conversation", "always"; empty = only once
	RememberRule   string      `json:"remember_rule"` // the exact rule, spelled out, in the user's language
	ExpiresAt      int64       `json:"expires_at,omitempty"`
	CreatedAt      int64       `json:"created_at"`
	Busy           bool        `json:"busy"`  // answered; the provider is at work
	Quiet          bool        `json:"quiet"` // after three refusals in a row: waits in the inbox
}

// PlainText is hostile text made safe to read: control, bidi and zero-width
// characters are shown as escapes. Length is in characters, before cutting.
type PlainText struct {
	Text    string `json:"text"`
	Escaped bool   `json:"escaped"` // some characters were escaped: warn
	Length  int    `json:"length"`
}

// PromptArg is one argument, frozen as shown.
type PromptArg struct {
	Name  string    `json:"name"`
	Label string    `json:"label"` // in the user's language
	Value PlainText `json:"value"` // always whole
}

// Sandbox says whether surfaces may be shown on this system.
type Sandbox struct {
	State   string   `json:"state"` // probing, sealed, preview (web host: for development), failed
	Leaks   []string `json:"leaks"` // names of the attempts that got through
	Checked int      `json:"checked"`
	Engine  string   `json:"engine"` // e.g. "WebKitGTK 2.50.6"
}

// ConversationOpenParams asks for items; Before is a Pos (0: the newest).
type ConversationOpenParams struct {
	ConversationID string `json:"conversation_id"`
	Before         int64  `json:"before,omitempty"`
	Limit          int    `json:"limit,omitempty"` // default 100, at most 500
}

// ConversationPage is a window of items in order. Opening (Before 0) also subscribes the
// socket to the conversation's changes; one conversation is subscribed at a time.
type ConversationPage struct {
	ConversationID string `json:"conversation_id"`
	Items          []Item `json:"items"`
	More           bool   `json:"more"` // there are older ones
}

// Update is the notification "ui.update". Fields that are absent did not change.
type Update struct {
	Seq            int64          `json:"seq"`
	Settings       *Settings      `json:"settings,omitempty"`
	Agents         *[]Agent       `json:"agents,omitempty" tstype:"Agent[]"`   // whole list
	Conversations  []Conversation `json:"conversations,omitempty"`             // changed rows only
	Prompts        *[]Prompt      `json:"prompts,omitempty" tstype:"Prompt[]"` // whole queue
	Sandbox        *Sandbox       `json:"sandbox,omitempty"`
	ConversationID string         `json:"conversation_id,omitempty"` // whose Items
	Items          []Item         `json:"items,omitempty"`
	Slots          []Slot         `json:"slots,omitempty"` // before Frames: a message may be for a frame of a new slot
	Frames         []FrameDown    `json:"frames,omitempty"`
	ActivityDirty  bool           `json:"activity_dirty,omitempty"`
	Preview        *Preview       `json:"preview,omitempty"`
	Inspect        *InspectView   `json:"inspect,omitempty"`
}

// FrameDown carries a message to a surface frame: Message is a JSON string
// that the page posts to the frame's port as it is.
type FrameDown struct {
	FrameID string `json:"frame_id"`
	Message string `json:"message"`
}

// ShowParams say that the card of a surface is on the page. The host answers with
// a Slot in an update, now and whenever that changes. Sent again when one of its
// fields changes, and on a new socket.
type ShowParams struct {
	ConversationID string `json:"conversation_id"`
	ItemID         string `json:"item_id"`
	InView         bool   `json:"in_view"` // can be seen, as far as the page knows
	Pinned         bool   `json:"pinned"`  // beside the conversation or full screen
	// FrameID is a frame that stands in the card already: a spare one to fill, or the
	// surface's own from before the socket broke.
	FrameID string `json:"frame_id,omitempty"`
}

// Slot is what stands in a surface's card on this page.
type Slot struct {
	ItemID  string `json:"item_id"`
	Phase   string `json:"phase" tstype:"'' | 'opening' | 'live' | 'asleep' | 'stopped' | 'closed'"` // surface.Phase
	Reason  string `json:"reason,omitempty"`                                                         // stopped: not_ready, navigated, hung, hung_alone, crashed, memory
	FrameID string `json:"frame_id,omitempty"`                                                       // opening, live
	URL     string `json:"url,omitempty"`                                                            // what the frame loads, once; empty: it is there already
}

// SlotParams names a card on this page.
type SlotParams struct {
	ItemID string `json:"item_id"`
}

// Mount tells the page what to load. The iframe's sandbox attribute is always
// exactly "allow-scripts".
type Mount struct {
	FrameID string `json:"frame_id"`
	URL     string `json:"url"` // one-time
}

// UplinkParams forwards what a frame said: the JSON string as it came from the port.
type UplinkParams struct {
	FrameID string `json:"frame_id"`
	Message string `json:"message"`
}

// SilentParams names frames that answer no ping while the page runs: all that fell
// silent together, for a browser may run them in one process.
type SilentParams struct {
	FrameIDs []string `json:"frame_ids"`
}

// FrameParams names a frame.
type FrameParams struct {
	FrameID string `json:"frame_id"`
}

// SendParams sends a user's message. ClientID makes it exactly-once when the page repeats it.
type SendParams struct {
	ConversationID string `json:"conversation_id"`
	ClientID       string `json:"client_id"`
	Text           string `json:"text"`
}

// AnswerParams answers a component.
type AnswerParams struct {
	ConversationID string          `json:"conversation_id"`
	ComponentID    string          `json:"component_id"`
	Status         string          `json:"status"` // answered, cancelled
	Value          json.RawMessage `json:"value,omitempty" tstype:"unknown"`
}

// PromptShownParams tells that a prompt became visible or was uncovered; the result has the Nonce
// that an answer must carry. An answer less than 500 ms later is refused.
type PromptShownParams struct {
	PromptID string `json:"prompt_id"`
}

// PromptShown is the result of prompt.shown.
type PromptShown struct {
	Nonce string `json:"nonce"`
}

// PromptAnswerParams: Decision is once, conversation, always or deny.
type PromptAnswerParams struct {
	PromptID string `json:"prompt_id"`
	Nonce    string `json:"nonce,omitempty"` // not needed for deny
	Decision string `json:"decision"`
}

// ConversationParams names a conversation; the other fields are for the
// methods that need them.
type ConversationParams struct {
	ConversationID string `json:"conversation_id"`
	Title          string `json:"title,omitempty"`
	Pinned         bool   `json:"pinned,omitempty"`
	Draft          string `json:"draft,omitempty"`
	AgentID        string `json:"agent_id,omitempty"`
}

// InstanceParams names a surface instance.
type InstanceParams struct {
	ConversationID string `json:"conversation_id"`
	InstanceID     string `json:"instance_id"`
}

// AgentParams adds or names an agent. Token is kept in the keyring, or for this session only.
type AgentParams struct {
	AgentID string `json:"agent_id,omitempty"`
	URL     string `json:"url,omitempty"`
	Name    string `json:"name,omitempty"`
	Token   string `json:"token,omitempty"`
}

// SearchParams searches titles and messages.
type SearchParams struct {
	Query string `json:"query"`
	Limit int    `json:"limit,omitempty"`
}

// SearchHit is one match; Snippet is plain text, the match is at [From, To) in UTF-16 units.
type SearchHit struct {
	ConversationID string `json:"conversation_id"`
	ItemID         string `json:"item_id,omitempty"`
	Title          string `json:"title"`
	Snippet        string `json:"snippet"`
	From           int    `json:"from"`
	To             int    `json:"to"`
	At             int64  `json:"at"`
}

// ActivityParams pages through the audit log, newest first.
type ActivityParams struct {
	Before int64 `json:"before,omitempty"` // an entry's Seq
	Limit  int   `json:"limit,omitempty"`
}

// ActivityEntry is one audit row. Event: requested, prompted, allowed, denied, executed, failed, cancelled, expired, unsupported, surface_opened, …
type ActivityEntry struct {
	Seq            int64  `json:"seq"`
	At             int64  `json:"at"`
	AgentName      string `json:"agent_name"`
	ConversationID string `json:"conversation_id,omitempty"`
	CallID         string `json:"call_id,omitempty"`
	Capability     string `json:"capability"`
	Title          string `json:"title"`
	Event          string `json:"event"`
	Decision       string `json:"decision,omitempty"` // once, conversation, always, deny, grant (a remembered one)
	Summary        string `json:"summary,omitempty"`
}

// Grant is a remembered permission.
type Grant struct {
	ID         string `json:"id"`
	AgentName  string `json:"agent_name"`
	Rule       string `json:"rule"`  // spelled out, in the user's language
	Scope      string `json:"scope"` // conversation, always
	CreatedAt  int64  `json:"created_at"`
	LastUsedAt int64  `json:"last_used_at,omitempty"`
}

// GrantParams names a grant.
type GrantParams struct {
	ID string `json:"id"`
}

// Trust is what the user trusts: publishers' keys by name, and exact interfaces
// of an agent, newest first.
type Trust struct {
	Keys    []TrustedKey    `json:"keys"`
	Allowed []AllowedBundle `json:"allowed"`
}

// TrustedKey is a publisher's minisign key.
type TrustedKey struct {
	Key     string `json:"key"`    // one line of base64
	KeyID   string `json:"key_id"` // 16 hexadecimal digits
	Name    string `json:"name"`   // the user's own word for it
	AddedAt int64  `json:"added_at"`
}

// AllowedBundle is an interface that an agent may show without asking.
type AllowedBundle struct {
	AgentID   string `json:"agent_id"`
	AgentName string `json:"agent_name"`
	Digest    string `json:"digest"`
	AppID     string `json:"app_id"` // what it called itself when it was allowed
	Name      string `json:"name"`
	AddedAt   int64  `json:"added_at"`
}

// TrustKeyParams adds a key, or names one (Key alone) to remove. bad_params names
// what is wrong: name (1 to 64 visible characters, not another key's) or key.
type TrustKeyParams struct {
	Name string `json:"name,omitempty"`
	Key  string `json:"key"`
}

// AllowedParams names an allowed interface.
type AllowedParams struct {
	AgentID string `json:"agent_id"`
	Digest  string `json:"digest"`
}

// ProbeMount is the start-up probe's frame.
type ProbeMount struct {
	FrameID   string `json:"frame_id"`
	URL       string `json:"url"`
	TimeoutMS int    `json:"timeout_ms"`
}

// AppsView is what the Apps screen shows in this version.
type AppsView struct {
	Revision     string          `json:"revision"`
	Apps         []AppRow        `json:"apps"`
	Capabilities []CapabilityRow `json:"capabilities"`
}

// AppRow is one app.
type AppRow struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Version string `json:"version"`
	Enabled bool   `json:"enabled"`
}

// CapabilityRow is one capability an agent may ask for.
type CapabilityRow struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version string `json:"version"`
	Risk    string `json:"risk"`
}

// ItemParams names an item.
type ItemParams struct {
	ConversationID string `json:"conversation_id"`
	ItemID         string `json:"item_id"`
}

// JSONView is the raw envelope, pretty-printed.
type JSONView struct {
	JSON string `json:"json"`
}

// ClipboardParams is the host's request "page.clipboard_write" to the page (web shell).
type ClipboardParams struct {
	Text string `json:"text"`
}

// OpenURLParams is the host's request "page.open_url" to the page (web shell).
type OpenURLParams struct {
	URL string `json:"url"`
}

// Created is the result of conversation.create.
type Created struct {
	ConversationID string `json:"conversation_id"`
}

// OK is the empty result.
type OK struct{}

// Appearance is the look the page has resolved: Theme is light, dark or
// contrast; Tokens are CSS custom properties named --lineup-… for surfaces.
type Appearance struct {
	Theme  string            `json:"theme"`
	Tokens map[string]string `json:"tokens"`
}

// VisibleParams says whether the page can be seen.
type VisibleParams struct {
	Visible bool `json:"visible"`
}

// Preview is what `lineup preview` shows in place of the chat.
type Preview struct {
	Name           string           `json:"name"` // of the folder or file
	Kind           string           `json:"kind"` // folder, packed, recording
	ConversationID string           `json:"conversation_id"`
	Findings       []PreviewFinding `json:"findings"` // of the last save
	Broken         bool             `json:"broken"`   // the last save is not shown, for one of the findings
	Shown          bool             `json:"shown"`    // an earlier or the last save is
	SavedAt        int64            `json:"saved_at"` // of what is shown
	HasSchema      bool             `json:"has_schema"`
	Skipped        int              `json:"skipped"` // recording: lines that are not the agent's
	Playing        bool             `json:"playing"`
	Speed          float64          `json:"speed"` // 1 = as recorded, 0 = at once
	Next           int              `json:"next"`  // envelopes sent
	Count          int              `json:"count"` // of how many; 0 = no recording
	LogSeq         int64            `json:"log_seq"`
	StateRev       int64            `json:"state_rev"` // grows when a surface took a state: preview.state has it
}

// PreviewFinding is the validator's, worded in the user's language. Severity: error, warning, note.
type PreviewFinding struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	What     string `json:"what"`
	Fix      string `json:"fix"`
}

// PreviewEntry is one thing that went between the preview agent and the host. Dir: up (from the
// host), down (from the agent), note (What: begin, saved, broken).
type PreviewEntry struct {
	Seq  int64  `json:"seq"`
	At   int64  `json:"at"`
	Dir  string `json:"dir"`
	What string `json:"what"` // "event refresh", "ui.patch", …
	Size int    `json:"size"` // bytes of the JSON
	Text string `json:"text"` // the JSON, at most 2 KiB of it
	Cut  bool   `json:"cut,omitempty"`
}

// PreviewLogParams asks for the entries after a Seq.
type PreviewLogParams struct {
	After int64 `json:"after"`
}

// PreviewStateParams names the surface whose state is meant; Text is what it is to be, Apply sets
// it unless a problem is an error.
type PreviewStateParams struct {
	InstanceID string `json:"instance_id"`
	Text       string `json:"text,omitempty"`
	Apply      bool   `json:"apply,omitempty"`
}

// PreviewState is a state as indented JSON, or what the validator says of one.
type PreviewState struct {
	Text     string           `json:"text,omitempty"`
	Applied  bool             `json:"applied"`
	Problems []PreviewFinding `json:"problems"`
}

// PreviewDoParams: Action is restart, play, pause, step or speed.
type PreviewDoParams struct {
	Action string  `json:"action"`
	Speed  float64 `json:"speed,omitempty"`
}
