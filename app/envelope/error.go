package envelope

// ErrorCode is a stable word for why bytes were refused. It is also the code of the
// lineup.v1.error that answers them.
type ErrorCode string

const (
	TooLarge        ErrorCode = "too_large"        // more than MaxSize bytes
	NotUTF8         ErrorCode = "not_utf8"         // not UTF-8
	NotJSON         ErrorCode = "not_json"         // not exactly one JSON object
	DuplicateKey    ErrorCode = "duplicate_key"    // two members of one name in one object
	TooDeep         ErrorCode = "too_deep"         // nested deeper than MaxDepth
	InvalidEnvelope ErrorCode = "invalid_envelope" // a field around the payload
	InvalidPayload  ErrorCode = "invalid_payload"  // a field of the payload
)

// Whole is the Field of an error that is about the frame and not one field.
const Whole = "envelope"

// Error says which field was refused and what was expected there.
//
// ID, ConversationID and Type are filled when they could be read and are valid,
// so that the sender can be told which of its envelopes is meant.
type Error struct {
	Code           ErrorCode
	Field          string // "payload.options[3].label", "sender.kind"; Whole if it is about all of it
	Expected       string // for the author of the agent, in English; holds no value of the peer's
	ID             ID
	ConversationID ConversationID
	Type           Type
}

func (e *Error) Error() string {
	return string(e.Code) + ": " + e.Field + ": expected " + e.Expected
}

func refuse(code ErrorCode, field, expected string) *Error {
	return &Error{Code: code, Field: field, Expected: expected}
}
