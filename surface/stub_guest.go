package surface

import (
	"encoding/json"
	"net/http"
)

// Until the guest can be filled and can apply differences.

const UplinkFilled = "filled"

// HasSpares says whether the guest can be filled.
const HasSpares = false

func BuildSpare(f Frame) ([]byte, http.Header) { return BuildDocument(f) }

func FillMessage(Frame) string { return `{"type":"none"}` }

func Diff(_, _ json.RawMessage) (json.RawMessage, bool) { return nil, false }

func DiffMessage(json.RawMessage) string { return `{"type":"none"}` }
