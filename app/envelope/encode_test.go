package envelope

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

var us = Party{KindClient, "desktop"}

func TestNew(t *testing.T) {
	e, err := New(TypeUIEvent, "conv_01", us, UIEvent{InstanceID: "w", Event: "refresh", Data: json.RawMessage(`{"a": "<&>"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if e.ID != "" || e.CreatedAt != nil {
		t.Errorf("id and time are the caller's: %+v", e)
	}
	if _, err := e.Encode(); err == nil {
		t.Error("an envelope without id is written")
	}
	e.ID = "e1"
	e.CreatedAt = &Time{time.Date(2026, 8, 2, 20, 0, 0, 123456789, time.FixedZone("", 8*3600))}
	out, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"v":1,"id":"e1","type":"lineup.v1.ui.event","conversation_id":"conv_01","sender":{"kind":"client","id":"desktop"},"created_at":"2026-08-02T12:00:00.123Z","payload":{"instance_id":"w","event":"refresh","data":{"a":"<&>"}}}`
	if string(out) != want {
		t.Errorf("got  %s\nwant %s", out, want)
	}
	roundTrip(t, mustDecode(t, string(out)))
}

// The host cannot send what it would refuse.
func TestNewRefuses(t *testing.T) {
	for name, payload := range map[string]any{
		"bad id":     UIEvent{InstanceID: "a b", Event: "e", Data: json.RawMessage(`{}`)},
		"no data":    UIEvent{InstanceID: "w", Event: "e"},
		"large data": UIEvent{InstanceID: "w", Event: "e", Data: json.RawMessage(`{"k":"` + strings.Repeat("x", 16<<10) + `"}`)},
		"twins":      UIEvent{InstanceID: "w", Event: "e", Data: json.RawMessage(`{"k":1,"k":2}`)},
		"not UTF-8":  UIEvent{InstanceID: "w", Event: "e", Data: json.RawMessage("{\"k\":\"\xff\"}")},
		"deep":       UIEvent{InstanceID: "w", Event: "e", Data: json.RawMessage(`{"k":` + nested(62) + `}`)},
	} {
		_, err := New(TypeUIEvent, "conv_01", us, payload)
		var named *Error
		if !errors.As(err, &named) || !strings.HasPrefix(named.Field, "payload") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New(TypeUIEvent, "conv_01", us, func() {}); err == nil {
		t.Error("a function is sent")
	}
}

func TestEncodeTooLarge(t *testing.T) {
	e, err := New(TypeMessage, "conv_01", us, Message{Text: strings.Repeat("x", MaxSize)})
	if err != nil {
		t.Fatal(err)
	}
	e.ID = "m1"
	if _, err := e.Encode(); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

// Lists that are required are written even when nil; an absent list of a ready
// stays absent, and an empty one stays there.
func TestLists(t *testing.T) {
	for typ, payload := range map[Type]any{
		TypeHello:     Hello{Client: HelloClient{"LineUp", "1"}, Locale: "en", Protocol: []int{1}},
		TypeInventory: Inventory{Revision: "catalog-1", Applications: []InventoryApp{{ID: "a.b", Version: "1.0.0"}}},
		TypeAppList:   AppList{},
	} {
		if _, err := New(typ, "", us, payload); err != nil {
			t.Errorf("%s: %v", typ, err)
		}
	}
	for _, list := range [][]ResumePoint{nil, {}} {
		e, err := New(TypeReady, "", Party{KindAgent, "a"}, Ready{Agent: ReadyAgent{ID: "a", Name: "A", Version: "1"}, Conversations: list})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Payload[Ready](e)
		if err != nil || (r.Conversations == nil) != (list == nil) {
			t.Errorf("%#v came out as %#v (%v)", list, r.Conversations, err)
		}
	}
}

func TestCheckAnswer(t *testing.T) {
	form := Input{Schema: json.RawMessage(`{"type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":3}}}`)}
	for _, c := range []struct {
		in            Input
		answer, field string
	}{
		{form, `{"name":"Li"}`, ""},
		{form, `{"name":"Lina"}`, "value.name"},
		{form, `{}`, "value.name"},
		{form, `[]`, "value"},
		{form, `{`, "value"},
		{Input{}, `{"text":"hi"}`, ""},
		{Input{}, `{"text":1}`, "value.text"},
		{Input{}, `{}`, "value.text"},
	} {
		err := CheckAnswer(c.in, json.RawMessage(c.answer))
		if (err == nil) != (c.field == "") || err != nil && err.Field != c.field {
			t.Errorf("%s: %v, want field %q", c.answer, err, c.field)
		}
	}
}

func TestTypes(t *testing.T) {
	for typ, line := range map[Type]bool{
		TypeHello: true, TypePing: true, TypeInventory: true, TypeAppList: true, TypeAppAudit: true, "lineup.v1.session.x": true,
		TypeMessage: false, TypeError: false, TypeAppCall: false, "lineup.v1.x": false,
	} {
		if ConnectionLevel(typ) != line {
			t.Errorf("%s: %v", typ, !line)
		}
	}
	if Known("lineup.v1.session.x") || !Known(TypeCitation) {
		t.Error("known")
	}
}
