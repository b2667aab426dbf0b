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
	UplinkReady  = "ready"  // the guest has started; a spare: has loaded
	UplinkFilled = "filled" // a spare has become its surface
	UplinkEvent  = "event"
	UplinkResize = "resize"
	UplinkError  = "error"
	UplinkPong   = "pong" // answers a ping; the page takes it for itself
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
	N       int64           // pong: the ping's number, 0…2^53-1
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
	N         *int64          `json:"n"`
}

const uplinkTypes = "ready, filled, event, resize, error or pong"

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
		case "namespace", "type", "event", "data", "height", "kind", "message", "n":
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
		return Uplink{}, refuse(CodeBadUplink, "type", uplinkTypes)
	}
	return w.byType()
}

func (w uplinkWire) byType() (Uplink, error) {
	u := Uplink{Type: *w.Type}
	// No field may be there that is another type's.
	has := map[string]bool{
		UplinkEvent:  w.Event != nil || w.Data != nil,
		UplinkResize: w.Height != nil,
		UplinkError:  w.Kind != nil || w.Message != nil,
		UplinkPong:   w.N != nil,
	}
	delete(has, u.Type)
	for _, other := range has {
		if other {
			return Uplink{}, refuse(CodeBadUplink, "", "only the fields of the type")
		}
	}
	switch u.Type {
	case UplinkReady, UplinkFilled:
		return u, nil
	case UplinkEvent:
		return w.event(u)
	case UplinkResize:
		if w.Height == nil || *w.Height < 0 {
			return Uplink{}, refuse(CodeBadUplink, "height", "a number of CSS pixels, not negative")
		}
		u.Height = math.Min(*w.Height, MaxHeight)
		return u, nil
	case UplinkError:
		return w.error(u)
	case UplinkPong:
		if w.N == nil || *w.N < 0 || *w.N >= 1<<53 {
			return Uplink{}, refuse(CodeBadUplink, "n", "a whole number, not negative, below 2^53")
		}
		u.N = *w.N
		return u, nil
	}
	return Uplink{}, refuse(CodeBadUplink, "type", uplinkTypes)
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
