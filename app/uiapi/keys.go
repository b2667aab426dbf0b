package uiapi

// Key names one thing the page shows. A client holds a set of dirty keys; what
// it is sent is the value at the time of sending.
type Key struct {
	Kind KeyKind
	A, B string
}

// KeyKind is the kind of a Key.
type KeyKind uint8

const (
	KeySettings     KeyKind = iota
	KeyAgents               // the whole list
	KeyConversation         // A: conversation id
	KeyPrompts              // the whole queue
	KeySandbox
	KeyItem // A: conversation id, B: item id; only for who has it open
	KeyActivity
	KeyFrame // A: frame id; only for its own client
	KeySlot  // A: item id; only for its own client
	KeyPreview
	KeyInspect // what the client inspects
)
