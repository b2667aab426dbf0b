package conversation

import (
	"lineup/app/envelope"
)

// Apply folds one entry into the state. Entries must come in the order of
// their Seq; one that is not newer than the last is ignored.
func (s *State) Apply(e Entry) Delta {
	var d Delta
	if e.Seq <= s.LastSeq {
		return d
	}
	s.LastSeq = e.Seq
	switch e.Dir {
	case In:
		s.unheard = false
		s.failed = false
		s.applyIn(&d, e)
	case Out:
		s.settle(e.Env.ReplyTo)
		s.applyOut(&d, e)
	case Local:
		s.applyLocal(&d, e)
	}
	return d
}

// payload decodes a payload that Decode has validated already; the zero value
// stands for one that a later version no longer understands.
func payload[T any](e Entry) T {
	v, err := envelope.Payload[T](e.Env)
	if err != nil {
		var zero T
		return zero
	}
	return v
}
