package envelope

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// kinds is every known wire type.
var kinds = map[Type]*kind{
	TypeHello:           of[Hello](TypeHello, nil),
	TypeReady:           of[Ready](TypeReady, nil),
	TypePing:            of[Ping](TypePing, nil),
	TypePong:            of[Pong](TypePong, nil),
	TypeMessage:         of[Message](TypeMessage, nil),
	TypeMessageDelta:    of[MessageDelta](TypeMessageDelta, nil).fast(hotDelta),
	TypeMessageEnd:      of[MessageEnd](TypeMessageEnd, nil),
	TypeStatus:          of[Status](TypeStatus, nil),
	TypeProgress:        of[Progress](TypeProgress, nil),
	TypeError:           of[ErrorPayload](TypeError, nil),
	TypeChoice:          of(TypeChoice, checkChoice),
	TypeConfirm:         of[Confirm](TypeConfirm, nil),
	TypeInput:           of(TypeInput, checkInput),
	TypeComponentResult: of(TypeComponentResult, checkComponentResult),
	TypeCancel:          of[Cancel](TypeCancel, nil),
	TypeTool:            of[Tool](TypeTool, nil),
	TypeReasoning:       of[Reasoning](TypeReasoning, nil),
	TypePlan:            of[Plan](TypePlan, nil),
	TypeTable:           of(TypeTable, checkTable),
	TypeCode:            of[Code](TypeCode, nil),
	TypeDiff:            of(TypeDiff, checkDiff),
	TypeFile:            of(TypeFile, checkFile),
	TypeCitation:        of[Citation](TypeCitation, nil),
	TypeUIOpen:          of(TypeUIOpen, checkUIOpen),
	TypeUIPatch:         of(TypeUIPatch, checkUIPatch).fast(hotPatch),
	TypeUIClose:         of[UIClose](TypeUIClose, nil),
	TypeUIEvent:         of(TypeUIEvent, checkUIEvent),
	TypeUIResult:        of[UIResult](TypeUIResult, nil),
	TypeAppCall:         of[AppCall](TypeAppCall, nil),
	TypeAppCancel:       of[AppCancel](TypeAppCancel, nil),
	TypeAppResult:       of(TypeAppResult, checkAppResult),
	TypeAppList:         of[AppList](TypeAppList, nil),
	TypeAppAudit:        of[AppAudit](TypeAppAudit, nil),
	TypeInventory:       of[Inventory](TypeInventory, nil),
}

// Known reports whether t is a type of this version of the protocol.
func Known(t Type) bool { return kinds[t] != nil }

// ConnectionLevel reports whether t is about the connection, so that it has no
// conversation_id. lineup.v1.error may be either.
func ConnectionLevel(t Type) bool {
	switch t {
	case TypeInventory, TypeAppList, TypeAppAudit:
		return true
	}
	return strings.HasPrefix(string(t), Prefix+"session.")
}

// Schema gives the JSON Schema (draft 2020-12) of the payload of t, or nil if t
// is not known.
func Schema(t Type) []byte {
	if !Known(t) {
		return nil
	}
	return append([]byte(nil), schemaSource(t)...)
}

// A kind is how the payload of one type is checked: by its schema, then by
// decoding it to its Go type (so that what was accepted decodes later), then by
// what a schema cannot say. hot, if set, replaces all three and must agree with
// them; it may decline to decide (handled is false).
type kind struct {
	typ   Type
	typed func(json.RawMessage) *Error
	hot   func(json.RawMessage) (err *Error, handled bool)

	once   sync.Once
	schema *jsonschema.Schema
	source any // the schema as JSON, for saying what was expected
}

func of[T any](t Type, check func(T) *Error) *kind {
	return &kind{typ: t, typed: func(raw json.RawMessage) *Error {
		v, err := payloadAs[T](raw)
		if err == nil && check != nil {
			err = check(v)
		}
		return err
	}}
}

func (k *kind) fast(hot func(json.RawMessage) (*Error, bool)) *kind {
	k.hot = hot
	return k
}

func (k *kind) accept(raw json.RawMessage) *Error {
	if k.hot != nil {
		if err, handled := k.hot(raw); handled {
			return err
		}
	}
	return k.full(raw)
}

func (k *kind) full(raw json.RawMessage) *Error {
	if err := k.bySchema(raw); err != nil {
		return err
	}
	return k.typed(raw)
}
