package envelope

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const hello = `{"v":1,"id":"m1","type":"lineup.v1.message","conversation_id":"conv_01","sender":{"kind":"agent","id":"hermes"},"payload":{"text":"hi"}}`

func edit(old, new string) string {
	if !strings.Contains(hello, old) {
		panic("no " + old)
	}
	return strings.Replace(hello, old, new, 1)
}

// What is refused, and by which name.
func TestRefused(t *testing.T) {
	cases := []struct {
		name, text string
		code       ErrorCode
		field      string
	}{
		{"empty", ``, NotJSON, Whole},
		{"null", `null`, NotJSON, Whole},
		{"array", `[` + hello + `]`, NotJSON, Whole},
		{"two objects", hello + hello, NotJSON, Whole},
		{"trailing comma", edit(`"hi"}}`, `"hi"},}`), NotJSON, Whole},
		{"cut", hello[:len(hello)-1], NotJSON, "payload"},
		{"cut in a string", hello[:len(hello)-4], NotJSON, "payload.text"},
		{"comment", "// hi\n" + hello, NotJSON, Whole},
		{"byte order mark", "\ufeff" + hello, NotJSON, Whole},
		{"control character", edit("hi", "h\ni"), NotJSON, "payload.text"},
		{"bad escape", edit("hi", `\x41`), NotJSON, "payload.text"},
		{"half a pair", edit("hi", `\ud83d`), NotJSON, "payload.text"},
		{"other half", edit("hi", `\ude00`), NotJSON, "payload.text"},
		{"half a pair and text", edit("hi", `\ud83dab\u0041`), NotJSON, "payload.text"},
		{"leading zero", edit(`"hi"`, `01`), NotJSON, "payload.text"},
		{"plus", edit(`"hi"`, `+1`), NotJSON, "payload.text"},
		{"bare point", edit(`"hi"`, `1.`), NotJSON, "payload.text"},
		{"NaN", edit(`"hi"`, `NaN`), NotJSON, "payload.text"},
		{"huge exponent", edit(`"hi"`, `"hi","a":1e999999999`), NotJSON, "payload.a"},
		{"huge negative exponent", edit(`"hi"`, `"hi","a":1e-999999999`), NotJSON, "payload.a"},
		{"long number", edit(`"hi"`, `"hi","a":`+strings.Repeat("9", 257)), NotJSON, "payload.a"},
		{"not UTF-8", edit("hi", "\xff"), NotUTF8, Whole},
		{"surrogate in UTF-8", edit("hi", "\xed\xa0\x80"), NotUTF8, Whole},

		{"id twice", edit(`"v":1`, `"v":1,"id":"m1"`), DuplicateKey, "id"},
		{"escaped twin", edit(`"v":1`, `"v":1,"\u0076":1`), DuplicateKey, "v"},
		{"twins in payload", edit(`"hi"`, `"hi","text":"ho"`), DuplicateKey, "payload.text"},
		{"twins deep", edit(`"hi"`, `"hi","x":[1,{"a b":1,"a b":2}]`), DuplicateKey, `payload.x[1]["a b"]`},
		{"twins in a large object", edit(`"hi"`, `"hi",`+repeat(`"@":0`, 1, "")+`,"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"10":1,"11":1,"12":1,"13":1,"@":1`), DuplicateKey, `payload["@"]`},

		{"no v", edit(`"v":1,`, ``), InvalidEnvelope, "v"},
		{"v 2", edit(`"v":1`, `"v":2`), InvalidEnvelope, "v"},
		{"v as text", edit(`"v":1`, `"v":"1"`), InvalidEnvelope, "v"},
		{"V", edit(`"v":1`, `"V":1`), InvalidEnvelope, "v"},
		{"no id", edit(`"id":"m1",`, ``), InvalidEnvelope, "id"},
		{"empty id", edit(`"m1"`, `""`), InvalidEnvelope, "id"},
		{"id with a slash", edit(`"m1"`, `"a/b"`), InvalidEnvelope, "id"},
		{"id null", edit(`"m1"`, `null`), InvalidEnvelope, "id"},
		{"no type", edit(`"type":"lineup.v1.message",`, ``), InvalidEnvelope, "type"},
		{"type without prefix", edit(`lineup.v1.message`, `message`), InvalidEnvelope, "type"},
		{"type of v2", edit(`lineup.v1.message`, `lineup.v2.message`), InvalidEnvelope, "type"},
		{"prefix alone", edit(`lineup.v1.message`, `lineup.v1.`), InvalidEnvelope, "type"},
		{"no conversation", edit(`"conversation_id":"conv_01",`, ``), InvalidEnvelope, "conversation_id"},
		{"conversation of a ping", edit(`message`, `session.ping`), InvalidEnvelope, "conversation_id"},
		{"conversation of an unknown session type", edit(`message`, `session.x`), InvalidEnvelope, "conversation_id"},
		{"bad conversation of an error", edit(`message","conversation_id":"conv_01"`, `error","conversation_id":""`), InvalidEnvelope, "conversation_id"},
		{"no sender", edit(`"sender":{"kind":"agent","id":"hermes"},`, ``), InvalidEnvelope, "sender"},
		{"sender a string", edit(`{"kind":"agent","id":"hermes"}`, `"hermes"`), InvalidEnvelope, "sender"},
		{"sender of another kind", edit(`"agent"`, `"admin"`), InvalidEnvelope, "sender.kind"},
		{"sender without id", edit(`,"id":"hermes"`, ``), InvalidEnvelope, "sender.id"},
		{"sender Kind", edit(`"kind"`, `"Kind"`), InvalidEnvelope, "sender.kind"},
		{"target null", edit(`"v":1`, `"v":1,"target":null`), InvalidEnvelope, "target"},
		{"target kind", edit(`"v":1`, `"v":1,"target":{"kind":"x","id":"y"}`), InvalidEnvelope, "target.kind"},
		{"time without zone", edit(`"v":1`, `"v":1,"created_at":"2026-08-02T12:00:00"`), InvalidEnvelope, "created_at"},
		{"time as number", edit(`"v":1`, `"v":1,"created_at":1785672000`), InvalidEnvelope, "created_at"},
		{"time of another era", edit(`"v":1`, `"v":1,"created_at":"0000-01-01T00:00:00+23:59"`), InvalidEnvelope, "created_at"},
		{"reply_to empty", edit(`"v":1`, `"v":1,"reply_to":""`), InvalidEnvelope, "reply_to"},
		{"no payload", edit(`,"payload":{"text":"hi"}`, ``), InvalidEnvelope, "payload"},
		{"payload array", edit(`{"text":"hi"}`, `[]`), InvalidEnvelope, "payload"},
		{"payload null", edit(`{"text":"hi"}`, `null`), InvalidEnvelope, "payload"},
		{"unknown type, payload string", edit(`message","conversation_id":"conv_01","sender":{"kind":"agent","id":"hermes"},"payload":{"text":"hi"}`, `x","conversation_id":"conv_01","sender":{"kind":"agent","id":"hermes"},"payload":"x"`), InvalidEnvelope, "payload"},

		{"no text", edit(`"text":"hi"`, ``), InvalidPayload, "payload.text"},
		{"text a number", edit(`"hi"`, `1`), InvalidPayload, "payload.text"},
		{"Text", edit(`"text"`, `"Text"`), InvalidPayload, "payload.text"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e, err := Decode([]byte(c.text))
			if err == nil {
				t.Fatalf("accepted: %+v", e)
			}
			if err.Code != c.code || err.Field != c.field || err.Expected == "" {
				t.Errorf("%v, want %s: %s", err, c.code, c.field)
			}
		})
	}
}

// A refused envelope can be answered: what could be read of it is in the error.
func TestErrorIdentifies(t *testing.T) {
	for name, text := range map[string]string{
		"payload":     edit(`"hi"`, `1`),
		"cut":         hello[:len(hello)-4],
		"not UTF-8":   edit("hi", "\xff"),
		"too large":   edit("hi", strings.Repeat("x", MaxSize)),
		"twins":       edit(`"hi"`, `"hi","text":"ho"`),
		"sender":      edit(`"agent"`, `"admin"`),
		"v":           edit(`"v":1`, `"v":2`),
		"after it":    hello + "x",
		"wrong order": edit(`"v":1,`, `"created_at":1,"v":1,`),
	} {
		_, err := Decode([]byte(text))
		if err == nil {
			t.Errorf("%s: accepted", name)
		} else if err.ID != "m1" || err.ConversationID != "conv_01" || err.Type != TypeMessage {
			t.Errorf("%s: %q %q %q", name, err.ID, err.ConversationID, err.Type)
		}
	}
	if _, err := Decode([]byte(edit(`"v":1`, `"v":1,"id":"m2"`))); err.ID != "" {
		t.Errorf("an id that was given twice is taken for %q", err.ID)
	}
	if _, err := Decode([]byte(edit(`"m1"`, `"a b"`))); err.ID != "" || err.ConversationID != "conv_01" {
		t.Errorf("a bad id is given back: %+v", err)
	}
}

func TestAccepted(t *testing.T) {
	for name, text := range map[string]string{
		"spaces":            " \r\n\t" + hello + "\n",
		"escapes":           edit("hi", `\"\\\/\b\f\n\r\t\u4f60\ud83d\ude00`),
		"unknown type":      edit(`message`, `hologram`),
		"unknown ui type":   edit(`message`, `ui.teleport`),
		"error of the line": `{"v":1,"id":"m1","type":"lineup.v1.error","sender":{"kind":"agent","id":"x"},"payload":{"code":"x","message":""}}`,
		"error of a chat":   wrap(TypeError, valid[TypeError]),
		"unknown fields":    edit(`"hi"`, `"hi","mood":{"A":1,"a":2}`),
		"numbers":           edit(`"hi"`, `"hi","n":[0,-0,1.5,1e400,-2.5E-10,`+strings.Repeat("9", 256)+`]`),
		"all fields":        edit(`"v":1`, `"v":1,"target":{"kind":"client","id":"desktop"},"created_at":"2026-08-02T12:00:00.5+08:00","reply_to":"m0"`),
	} {
		t.Run(name, func(t *testing.T) { roundTrip(t, mustDecode(t, text)) })
	}
}

func TestExtraIsKept(t *testing.T) {
	e := mustDecode(t, edit(`"v":1`, `"v":1,"trace":{"a": [1,2]},"Sender":"x"`))
	out, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	if string(m["trace"]) != `{"a":[1,2]}` || string(m["Sender"]) != `"x"` {
		t.Errorf("%s", out)
	}
}

// A name that differs in case is another name: it is ignored, and never read in
// the place of the one that was checked.
func TestNamesAreExact(t *testing.T) {
	e := mustDecode(t, wrap(TypeUIOpen, `{"instance_id":"w","INSTANCE_ID":"../../x","app":{"id":"a.b","version":"1.0.0","HTML":"<script>","Html":1},"TITLE":7}`))
	o, err := Payload[UIOpen](e)
	if err != nil || o.InstanceID != "w" || o.App.HTML != "" || o.Title != "" {
		t.Errorf("%v %+v", err, o)
	}
}

// A thousand broken envelopes: each is named, none panics.
func TestRandomMalformed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var bases []string
	for _, typ := range sortedTypes() {
		bases = append(bases, wrap(typ, valid[typ]))
	}
	refused := 0
	for tries := 0; refused < 1000; tries++ {
		if tries > 100_000 {
			t.Fatalf("only %d of %d were refused", refused, tries)
		}
		b := mutate(r, []byte(bases[r.IntN(len(bases))]))
		e, err := Decode(b)
		if err == nil {
			roundTrip(t, e)
			continue
		}
		refused++
		if err.Code == "" || err.Field == "" || err.Expected == "" {
			t.Errorf("%+v for %s", err, b)
		}
	}
}

func mutate(r *rand.Rand, b []byte) []byte {
	b = append([]byte(nil), b...)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(b))
		j := min(len(b), i+1+r.IntN(12))
		switch r.IntN(6) {
		case 0:
			b[i] = byte(r.IntN(256))
		case 1:
			b = append(b[:i], b[j:]...)
		case 2:
			b = append(b[:j:j], b[i:]...)
		case 3:
			b = append(b[:i:i], append([]byte(snippets[r.IntN(len(snippets))]), b[i:]...)...)
		case 4:
			b = append(b[:i:i], append([]byte(snippets[r.IntN(len(snippets))]), b[j:]...)...)
		case 5:
			b = b[:i+1]
		}
	}
	return b
}

var snippets = []string{`{`, `}`, `[`, `]`, `"`, `,`, `:`, `null`, `true`, `-1`, `1e99`, `""`, `{}`, `[]`, `\u0000`, `\ud800`, "\xc3\x28", "\x00", `"v":1,`, `"id":"x",`, `"payload":{},`, ` `}

// FuzzDecode: no input panics, and what is accepted can be written and read again.
func FuzzDecode(f *testing.F) {
	for _, typ := range sortedTypes() {
		f.Add([]byte(wrap(typ, valid[typ])))
	}
	files, _ := filepath.Glob("testdata/seed/*.json")
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(edit("hi", `\ud83d\ude00\u0000`)))
	f.Add([]byte(edit(`"hi"`, `1e999999999`)))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := Decode(b)
		if err != nil {
			if err.Code == "" || err.Field == "" || err.Expected == "" {
				t.Errorf("%+v", err)
			}
			return
		}
		if !json.Valid(b) {
			t.Error("accepted what is not JSON")
		}
		if e.Type == TypeInput {
			in, err := Payload[Input](e)
			if err != nil {
				t.Error(err)
			}
			SecretField(in)
		}
		if len(b) < MaxSize/2 {
			roundTrip(t, e)
		}
	})
}
