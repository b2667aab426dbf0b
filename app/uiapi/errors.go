package uiapi

import "errors"

// Code is a stable word for what went wrong; the page translates it.
type Code string

const (
	Unauthorized    Code = "unauthorized"
	BadParams       Code = "bad_params"
	NotFound        Code = "not_found"
	AlreadyAnswered Code = "already_answered"
	Expired         Code = "expired"
	TooSoon         Code = "too_soon"
	RefusedCode     Code = "refused"
	Busy            Code = "busy"
	Internal        Code = "internal"
)

// Error is what a handler returns to say no; anything else becomes "internal"
// and is logged, never shown.
type Error struct {
	Code  Code
	Field string // for bad_params: the parameter
	Hint  string // for bad_params: what was expected, in English, for developers
}

func (e *Error) Error() string { return string(e.Code) + " " + e.Field + " " + e.Hint }

// Bad says that a parameter is not what was expected.
func Bad(field, expected string) *Error {
	return &Error{Code: BadParams, Field: field, Hint: expected}
}

// Fail is an Error with no more to say.
func Fail(c Code) *Error { return &Error{Code: c} }

func asError(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}
