package envelope

import (
	"bytes"
	"errors"
	"time"
)

// wireTime is RFC 3339 in UTC with milliseconds: one form, so that equal
// instants have equal bytes.
const wireTime = "2006-01-02T15:04:05.000Z"

var errTime = errors.New("envelope: not an RFC 3339 time")

// MarshalJSON writes the instant in UTC with milliseconds.
func (t Time) MarshalJSON() ([]byte, error) {
	u := t.UTC()
	if y := u.Year(); y < 0 || y > 9999 {
		return nil, errTime
	}
	return u.AppendFormat(make([]byte, 0, len(wireTime)+2), `"`+wireTime+`"`), nil
}

// UnmarshalJSON reads RFC 3339 with any offset. The years 0000 to 9999 in UTC
// are accepted, since only those can be written again.
func (t *Time) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' || bytes.IndexByte(b, '\\') >= 0 {
		return errTime
	}
	var p time.Time
	if p.UnmarshalText(b[1:len(b)-1]) != nil {
		return errTime
	}
	if y := p.UTC().Year(); y < 0 || y > 9999 {
		return errTime
	}
	t.Time = p.UTC()
	return nil
}
