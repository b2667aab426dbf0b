package envelope

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The limits of PROTOCOL.md §1.
const (
	MaxSize  = 1 << 20 // bytes of one encoded envelope
	MaxDepth = 64      // levels of objects and arrays, the envelope being the first
)

// Decode reads one envelope strictly (PROTOCOL.md §1). The payload of a known
// type is checked against its schema and limits; an unknown type only needs a
// payload that is an object. Directions (who may send what) are not checked here.
func Decode(data []byte) (Envelope, *Error) {
	if len(data) > MaxSize {
		err := refuse(TooLarge, Whole, "at most "+strconv.Itoa(MaxSize)+" bytes")
		head, _ := scan(data[:MaxSize], MaxDepth) // to name the envelope that is meant
		return Envelope{}, identify(err, head)
	}
	members, err := scan(data, MaxDepth)
	if !utf8.Valid(data) {
		err = refuse(NotUTF8, Whole, "UTF-8")
	}
	if err != nil {
		return Envelope{}, identify(err, members)
	}
	e, err := fields(members)
	if err == nil {
		err = CheckPayload(e.Type, e.Payload)
	}
	if err != nil {
		return Envelope{}, identify(err, members)
	}
	return e, nil
}

// CheckPayload checks a payload as Decode does for an envelope of type t. It
// trusts raw to be JSON that scan accepts.
func CheckPayload(t Type, raw json.RawMessage) *Error {
	if k := kinds[t]; k != nil {
		return k.accept(raw)
	}
	return nil
}

// fields reads the members around the payload, in the order of the protocol's
// page so that the first wrong one is the one named.
func fields(members []member) (Envelope, *Error) {
	var e Envelope
	known := make(map[string]json.RawMessage, len(members))
	for _, m := range members {
		switch m.name {
		case "v", "id", "type", "conversation_id", "sender", "target", "created_at", "reply_to", "payload":
			known[m.name] = m.value
		default:
			if e.Extra == nil {
				e.Extra = make(map[string]json.RawMessage)
			}
			e.Extra[m.name] = m.value
		}
	}
	if string(known["v"]) != "1" {
		return e, refuse(InvalidEnvelope, "v", "1")
	}
	e.V = 1
	id, err := idField(known, "id", true)
	if err != nil {
		return e, err
	}
	e.ID = ID(id)
	typ, ok := text(known["type"])
	if e.Type = Type(typ); !ok || !validType(e.Type) {
		return e, refuse(InvalidEnvelope, "type", "a type that starts with "+Prefix)
	}
	conv, err := idField(known, "conversation_id", !ConnectionLevel(e.Type) && e.Type != TypeError)
	if err != nil {
		return e, err
	}
	if conv != "" && ConnectionLevel(e.Type) {
		return e, refuse(InvalidEnvelope, "conversation_id", "no conversation_id in a message about the connection")
	}
	e.ConversationID = ConversationID(conv)
	if e.Sender, err = party(known["sender"], "sender"); err != nil {
		return e, err
	}
	if raw, ok := known["target"]; ok {
		t, err := party(raw, "target")
		if err != nil {
			return e, err
		}
		e.Target = &t
	}
	if raw, ok := known["created_at"]; ok {
		e.CreatedAt = new(Time)
		if e.CreatedAt.UnmarshalJSON(raw) != nil {
			return e, refuse(InvalidEnvelope, "created_at", "a time like 2026-08-02T12:00:00Z (RFC 3339)")
		}
	}
	reply, err := idField(known, "reply_to", false)
	if err != nil {
		return e, err
	}
	e.ReplyTo = ID(reply)
	raw, ok := known["payload"]
	if !ok || raw[0] != '{' {
		return e, refuse(InvalidEnvelope, "payload", "an object")
	}
	e.Payload = raw
	return e, nil
}

const idAlphabet = "1 to 128 of the characters A-Z a-z 0-9 . _ : -"

func idField(known map[string]json.RawMessage, name string, required bool) (string, *Error) {
	raw, ok := known[name]
	if !ok && !required {
		return "", nil
	}
	if s, ok := text(raw); ok && ValidID(s) {
		return s, nil
	}
	return "", refuse(InvalidEnvelope, name, idAlphabet)
}

func party(raw json.RawMessage, name string) (Party, *Error) {
	if len(raw) == 0 || raw[0] != '{' {
		return Party{}, refuse(InvalidEnvelope, name, "an object with kind and id")
	}
	members, _ := scan(raw, MaxDepth) // scanned before, so it cannot fail
	var p Party
	for _, m := range members {
		switch m.name {
		case "kind":
			p.Kind, _ = text(m.value)
		case "id":
			p.ID, _ = text(m.value)
		}
	}
	switch p.Kind {
	case KindAgent, KindClient, KindUser, KindGateway:
	default:
		return p, refuse(InvalidEnvelope, name+".kind", "one of agent, client, user, gateway")
	}
	if !ValidID(p.ID) {
		return p, refuse(InvalidEnvelope, name+".id", idAlphabet)
	}
	return p, nil
}

// identify fills in which envelope err is about, leaving out the field that
// err itself is about.
func identify(err *Error, members []member) *Error {
	for _, m := range members {
		if m.name == err.Field {
			continue
		}
		s, ok := text(m.value)
		if !ok {
			continue
		}
		switch {
		case m.name == "id" && ValidID(s):
			err.ID = ID(s)
		case m.name == "conversation_id" && ValidID(s):
			err.ConversationID = ConversationID(s)
		case m.name == "type" && validType(Type(s)):
			err.Type = Type(s)
		}
	}
	return err
}

// text gives the value of a JSON string.
func text(raw json.RawMessage) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	var s string
	return s, json.Unmarshal(raw, &s) == nil
}

// ValidID reports whether s is an id: [A-Za-z0-9._:-]{1,128}.
func ValidID(s string) bool {
	if s == "" || len(s) > 128 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == ':' || c == '-') {
			return false
		}
	}
	return true
}

func validType(t Type) bool {
	return strings.HasPrefix(string(t), Prefix) && len(t) > len(Prefix) && ValidID(string(t))
}
