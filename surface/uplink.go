package surface

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"unicode/utf8"

	"lineup/weak"
)

// Namespace marks every message of the bridge.
const Namespace = "lineup.surface.v1"

// Uplink types. A frame may say nothing else.
const (
	UplinkReady  = "ready"
	UplinkEvent  = "event"
	UplinkResize = "resize"
	UplinkError  = "error"
)

const (
	// MaxUplink bounds a whole message from a frame, in bytes; the page may drop a longer one unread.
	MaxUplink       = 64 << 10
	maxErrorMessage = 2 << 10
)

// Uplink is one message from a frame. Type says which fields are set.
type Uplink struct {
	Type    string
	Event   string          // event: a name for which ValidEvent holds
	Data    json.RawMessage // event: a compact JSON object of at most MaxEventData bytes
	Height  float64         // resize: CSS pixels, 0…MaxHeight
	Kind    string          // error: script, rejection or violation
	Message string          // error: plain text, hostile, at most 2 KiB
}

// uplinkWire has every field that any type may carry; which ones it must carry is checked by type.
type uplinkWire struct {
	Namespace *string         `json:"namespace"`
	Type      *string         `json:"type"`
	Event     *string         `json:"event"`
	Data      json.RawMessage `json:"data"`
	Height    *float64        `json:"height"`
	Kind      *string         `json:"kind"`
	Message   *string         `json:"message"`
}

// DecodeUplink decodes the JSON string a frame sent through its port. It is
// strict: one object in the namespace, a known type, exactly that type's fields
// and none twice, names and sizes of PROTOCOL.md §4. A height beyond MaxHeight is
// brought down to it; everything else out of bounds is refused.
func DecodeUplink(raw string) (Uplink, error) {
	if len(raw) > MaxUplink {
		return Uplink{}, refuse(CodeBadUplink, "", fmt.Sprintf("at most %d bytes", MaxUplink))
	}
	// The message adds one level to its data.
	if p := scanObject([]byte(raw), MaxDepth+1); p != "" && !weak.UplinkShape {
		return Uplink{}, refuse(CodeBadUplink, "", string(p))
	}
	var w uplinkWire
	d := json.NewDecoder(bytes.NewReader([]byte(raw)))
	if !weak.UplinkShape {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(&w); err != nil {
		return Uplink{}, refuse(CodeBadUplink, "", "only the fields of the type, each of its JSON type")
	}
	// encoding/json matches field names without regard to case; the protocol does not.
	for _, m := range members(compact([]byte(raw))) {
		switch m.key {
		case "namespace", "type", "event", "data", "height", "kind", "message":
		default:
			if weak.UplinkShape {
				continue
			}
			return Uplink{}, refuse(CodeBadUplink, "", "only the fields of the type, each of its JSON type")
		}
	}
	if (w.Namespace == nil || *w.Namespace != Namespace) && !weak.UplinkShape {
		return Uplink{}, refuse(CodeBadUplink, "namespace", Namespace)
	}
	if w.Type == nil {
		return Uplink{}, refuse(CodeBadUplink, "type", "ready, event, resize or error")
	}
	return w.byType()
}

func (w uplinkWire) byType() (Uplink, error) {
	u := Uplink{Type: *w.Type}
	hasEvent, hasResize := w.Event != nil || w.Data != nil, w.Height != nil
	hasError := w.Kind != nil || w.Message != nil
	switch u.Type {
	case UplinkReady:
		if hasEvent || hasResize || hasError {
			return Uplink{}, refuse(CodeBadUplink, "", "ready alone")
		}
		return u, nil
	case UplinkEvent:
		if hasResize || hasError {
			return Uplink{}, refuse(CodeBadUplink, "", "only event and data")
		}
		return w.event(u)
	case UplinkResize:
		if hasEvent || hasError {
			return Uplink{}, refuse(CodeBadUplink, "", "only height")
		}
		if w.Height == nil || *w.Height < 0 {
			return Uplink{}, refuse(CodeBadUplink, "height", "a number of CSS pixels, not negative")
		}
		u.Height = math.Min(*w.Height, MaxHeight)
		return u, nil
	case UplinkError:
		if hasEvent || hasResize {
			return Uplink{}, refuse(CodeBadUplink, "", "only kind and message")
		}
		return w.error(u)
	}
	return Uplink{}, refuse(CodeBadUplink, "type", "ready, event, resize or error")
}

func (w uplinkWire) event(u Uplink) (Uplink, error) {
	if w.Event == nil || !ValidEvent(*w.Event) {
		return Uplink{}, refuse(CodeBadEvent, "event", `a name other than "close": a letter, then up to 63 of A-Z a-z 0-9 . _ : -`)
	}
	u.Event = *w.Event
	if (len(w.Data) == 0 || w.Data[0] != '{') && !weak.EventData {
		return Uplink{}, refuse(CodeBadEvent, "data", "a JSON object")
	}
	if u.Data = compact(w.Data); len(u.Data) > MaxEventData && !weak.EventSize {
		return Uplink{}, refuse(CodeBadEvent, "data", "less than 16 KiB")
	}
	return u, nil
}

func (w uplinkWire) error(u Uplink) (Uplink, error) {
	if w.Message == nil || len(*w.Message) > maxErrorMessage || !utf8.ValidString(*w.Message) {
		return Uplink{}, refuse(CodeBadUplink, "message", fmt.Sprintf("a text of at most %d bytes", maxErrorMessage))
	}
	u.Message, u.Kind = *w.Message, "script"
	if w.Kind != nil {
		u.Kind = *w.Kind
	}
	switch u.Kind {
	case "script", "rejection", "violation":
		return u, nil
	}
	return Uplink{}, refuse(CodeBadUplink, "kind", "script, rejection or violation")
}
