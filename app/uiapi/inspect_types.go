package uiapi

// The inspector: what an author sees of a surface. The host answers these only
// in developer mode. All text in them is hostile and shown as plain text.

// InspectParams names the item of a surface.
type InspectParams struct {
	ConversationID string `json:"conversation_id"`
	ItemID         string `json:"item_id"`
}

// InspectView is the result of inspect.open, and in an update what changed since
// the last one: Entries then has the new and changed ones alone.
type InspectView struct {
	ConversationID string         `json:"conversation_id"`
	ItemID         string         `json:"item_id"`
	Surface        InspectSurface `json:"surface"`
	Entries        []InspectEntry `json:"entries"` // by seq; one with a seq that is known replaces
	LastSeq        int64          `json:"last_seq"`
	Meters         []InspectMeter `json:"meters"`
}

// InspectSurface is the host's own record of the surface.
type InspectSurface struct {
	InstanceID    string   `json:"instance_id"`
	AppID         string   `json:"app_id"`
	Name          string   `json:"name"`
	Version       string   `json:"version"`
	Status        string   `json:"status"` // as SurfaceItem
	Reason        string   `json:"reason,omitempty"`
	Events        []string `json:"events"`         // the only ones it may send; empty = any
	StateRevision int64    `json:"state_revision"` // changes with the state: inspect.state has it
}

// InspectEntry is one thing that happened. The host keeps the last 500 of a
// surface, and problems longer than the rest.
type InspectEntry struct {
	Seq  int64  `json:"seq"`
	At   int64  `json:"at"`
	Dir  string `json:"dir" tstype:"'down' | 'up' | 'in' | 'out' | 'host'"` // host → frame, frame → host, agent → host, host → agent, the host itself
	Type string `json:"type"`                                               // of the message; host: surface.LifeEvent
	Name string `json:"name,omitempty"`                                     // of an event
	Size int    `json:"size"`                                               // bytes of the whole message; the last one's when Count > 1
	// Count is how many alike came in a row: only dropped, refused and resize are counted so.
	Count   int             `json:"count"`
	Body    string          `json:"body,omitempty"` // its beginning, at most 2 KiB
	Cut     bool            `json:"cut,omitempty"`
	Problem *InspectProblem `json:"problem,omitempty"`
}

// InspectProblem says what was wrong.
type InspectProblem struct {
	Kind string `json:"kind" tstype:"'refused' | 'dropped' | 'error' | 'violation'"`
	// Code: refused: of surface.Refusal or a ui.result · dropped: rate or undeclared ·
	// error: script or rejection · violation: of surface.Explain.
	Code  string `json:"code"`
	Field string `json:"field,omitempty"` // refused: dotted path
	// Text: refused: what was expected, in English · error: what the script said ·
	// violation: what was stopped, an address or a keyword.
	Text      string `json:"text,omitempty"`
	Directive string `json:"directive,omitempty"` // violation: of the CSP
	// What it means and what to do about it, in the user's language; "" = the page has the words.
	What string `json:"what,omitempty"`
	Fix  string `json:"fix,omitempty"`
}

// InspectMeter is a figure and its limit. Code: events_per_second, burst_left,
// state_bytes, bundle_bytes, live_frames, height, events, resizes, dropped,
// refused, errors, violations.
type InspectMeter struct {
	Code  string `json:"code"`
	Value int    `json:"value"`
	Max   int    `json:"max,omitempty"` // 0: a count without a limit
}

// InspectDocument is what the frame is made of. A surface that the host has
// forgotten has empty parts.
type InspectDocument struct {
	HTML    InspectText     `json:"html"`
	CSS     InspectText     `json:"css"`
	JS      InspectText     `json:"js"`
	Bytes   int             `json:"bytes"`   // of the whole document as served, the host's guest script included
	CSP     []string        `json:"csp"`     // its directives
	Headers []InspectHeader `json:"headers"` // the others
}

// InspectHeader is one response header.
type InspectHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// InspectText is a bounded text.
type InspectText struct {
	Text  string `json:"text"`
	Bytes int    `json:"bytes"` // of the whole
	Cut   bool   `json:"cut,omitempty"`
}

// InspectState is the present state, indented.
type InspectState struct {
	Revision int64       `json:"revision"`
	Bytes    int         `json:"bytes"` // as it counts: without white space
	JSON     InspectText `json:"json"`
}
