package envelope

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Payload gives the payload of e as its Go type. For an envelope from Decode or
// New with the type that belongs to e.Type it does not fail.
func Payload[T any](e Envelope) (T, error) {
	v, err := payloadAs[T](e.Payload)
	if err != nil {
		return v, fmt.Errorf("%s: %w", e.Type, err)
	}
	return v, nil
}

func payloadAs[T any](raw json.RawMessage) (T, *Error) {
	var v T
	err := exact(raw, reflect.ValueOf(&v).Elem(), "payload")
	return v, err
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// exact decodes raw into v taking a member only by its exact name.
// encoding/json would also take "HTML" for "html", which the schema has not
// looked at: with it a checked field could be replaced by an unchecked one.
func exact(raw json.RawMessage, v reflect.Value, path string) *Error {
	t := v.Type()
	switch {
	case reflect.PointerTo(t).Implements(unmarshaler): // Time, RawMessage
		if t == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes(raw)
			return nil
		}
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		return exact(raw, v.Elem(), path)
	case t.Kind() == reflect.Struct:
		return exactStruct(raw, v, path)
	case t.Kind() == reflect.Slice:
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return refuse(InvalidPayload, path, "an array")
		}
		v.Set(reflect.MakeSlice(t, len(items), len(items)))
		for i, item := range items {
			if err := exact(item, v.Index(i), at(path, i)); err != nil {
				return err
			}
		}
		return nil
	}
	if json.Unmarshal(raw, v.Addr().Interface()) != nil {
		return refuse(InvalidPayload, path, goType(t))
	}
	return nil
}

func exactStruct(raw json.RawMessage, v reflect.Value, path string) *Error {
	members, err := scan(raw, MaxDepth)
	if err != nil {
		return refuse(InvalidPayload, path, "an object")
	}
	t := v.Type()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		for _, m := range members {
			if m.name == name {
				if err := exact(m.value, v.Field(i), under(path, name)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func goType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number written with digits only"
	case reflect.Float64:
		return "a number"
	case reflect.Struct:
		return "a time like 2026-08-02T12:00:00Z (RFC 3339)"
	}
	return "another JSON type"
}
