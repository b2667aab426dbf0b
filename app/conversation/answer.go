package conversation

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lineup/app/envelope"
)

// Errors of CheckAnswer.
var (
	ErrNotComponent    = errors.New("not a component")
	ErrAlreadyAnswered = errors.New("already answered")
)

// ValueError says what is wrong with an answer; Field is a JSON pointer into it.
type ValueError struct{ Field, Expected string }

func (e *ValueError) Error() string {
	return fmt.Sprintf("value%s: expected %s", e.Field, e.Expected)
}

// CheckAnswer says whether value may answer the component it. It returns
// ErrNotComponent, ErrAlreadyAnswered, a *ValueError, or nil.
func CheckAnswer(it *Item, status string, value json.RawMessage) error {
	if it == nil {
		return ErrNotComponent
	}
	var open Answer
	switch c := it.Data.(type) {
	case *Choice:
		open = c.Answer
	case *Confirm:
		open = c.Answer
	case *Input:
		open = c.Answer
	default:
		return ErrNotComponent
	}
	if open.Status != "" {
		return ErrAlreadyAnswered
	}
	switch status {
	case "cancelled":
		return nil
	case "answered":
	default:
		return &ValueError{Expected: `status "answered" or "cancelled"`}
	}
	switch c := it.Data.(type) {
	case *Choice:
		return c.check(value)
	case *Confirm:
		var b bool
		if json.Unmarshal(value, &b) != nil {
			return &ValueError{Expected: "true or false"}
		}
	case *Input:
		return c.check(value)
	}
	return nil
}

func (c *Choice) check(value json.RawMessage) error {
	var ids []string
	if json.Unmarshal(value, &ids) != nil {
		return &ValueError{Expected: "an array of option ids"}
	}
	lo, hi := c.Bounds()
	if len(ids) < lo || len(ids) > hi {
		return &ValueError{Expected: fmt.Sprintf("%d to %d options", lo, hi)}
	}
	for i, id := range ids {
		known := slices.ContainsFunc(c.Options, func(o envelope.ChoiceOption) bool { return o.ID == id && !o.Disabled })
		if !known || slices.Contains(ids[:i], id) {
			return &ValueError{Field: fmt.Sprintf("/%d", i), Expected: "the id of an option that is offered, once"}
		}
	}
	return nil
}

// Bounds is how many options an answer may hold.
func (c *Choice) Bounds() (lo, hi int) {
	if !c.Multiple {
		return 1, 1
	}
	lo, hi = 1, len(c.Options)
	if c.Min != nil {
		lo = *c.Min
	}
	if c.Max != nil {
		hi = min(hi, *c.Max)
	}
	return lo, hi
}

func (c *Input) check(value json.RawMessage) error {
	if err := envelope.CheckAnswer(c.Input, value); err != nil {
		return &ValueError{Field: strings.TrimPrefix(err.Field, "value"), Expected: err.Expected}
	}
	return nil
}
