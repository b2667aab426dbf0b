package envelope

import (
	"fmt"
	"strings"
	"testing"
)

// wrap puts a payload into an envelope of its type.
func wrap(t Type, payload string) string {
	conv := `,"conversation_id":"conv_01"`
	if ConnectionLevel(t) {
		conv = ""
	}
	return fmt.Sprintf(`{"v":1,"id":"m1","type":%q%s,"sender":{"kind":"agent","id":"hermes"},"payload":%s}`, t, conv, payload)
}

func mustDecode(t *testing.T, text string) Envelope {
	t.Helper()
	e, err := Decode([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%.500s", err, text)
	}
	return e
}

// valid is one payload of each type with every field of it.
var valid = map[Type]string{
	TypeHello:           `{"client":{"name":"LineUp Desktop","version":"0.1.0"},"locale":"zh-CN","protocol":[1],"conversations":[{"conversation_id":"conv_01","last_id":"m9"}]}`,
	TypeReady:           `{"agent":{"id":"hermes","name":"Hermes","version":"2.1","icon":"data:image/png;base64,iVBORw0KGgo="},"conversations":[{"conversation_id":"conv_01","last_id":""}],"features":["app.list","audit"]}`,
	TypePing:            `{}`,
	TypePong:            `{}`,
	TypeMessage:         `{"text":"**hello** 你好","format":"markdown","attachments":[{"artifact_id":"a1","name":"notes.txt","mime":"text/plain; charset=utf-8","size":12}]}`,
	TypeMessageDelta:    `{"message_id":"s1","delta":"wor"}`,
	TypeMessageEnd:      `{"message_id":"s1","text":"world"}`,
	TypeStatus:          `{"status_id":"st1","text":"Looking it up","state":"working"}`,
	TypeProgress:        `{"progress_id":"p1","label":"Download","value":3.5,"max":10,"steps":[{"label":"fetch","state":"done"},{"label":"unpack","state":"working"}]}`,
	TypeError:           `{"code":"quota","message":"Try tomorrow","retryable":true,"details":{"limit":3}}`,
	TypeChoice:          `{"prompt":"Which?","options":[{"id":"a","label":"A","description":"first"},{"id":"b","label":"B","disabled":true}],"multiple":true,"min":1,"max":2,"expires_at":"2026-08-02T12:00:00Z"}`,
	TypeConfirm:         `{"prompt":"Delete?","confirm_label":"Delete","cancel_label":"Keep","tone":"danger","expires_at":"2026-08-02T20:00:00+08:00"}`,
	TypeInput:           `{"prompt":"Who?","schema":{"type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":40},"age":{"type":"integer","minimum":0}}},"initial":{"name":"Li"},"submit_label":"Save","multiline":false,"placeholder":"Name","expires_at":"2026-08-02T12:00:00Z"}`,
	TypeComponentResult: `{"component_id":"m1","status":"answered","value":["a","b"]}`,
	TypeCancel:          `{}`,
	TypeTool:            `{"tool_id":"t1","name":"search","arguments":{"q":"x"},"result":["y"],"state":"done"}`,
	TypeReasoning:       `{"reasoning_id":"r1","text":"First…","state":"working"}`,
	TypePlan:            `{"plan_id":"pl1","title":"Plan","steps":[{"label":"look","state":"pending"}]}`,
	TypeTable:           `{"caption":"Rates","columns":["from","to"],"rows":[["EUR","CNY"],["USD"]]}`,
	TypeCode:            `{"language":"go","filename":"main.go","text":"package main\n"}`,
	TypeDiff:            `{"path":"main.go","old":"a","new":"b"}`,
	TypeFile:            `{"artifact_id":"f1","name":"hi.txt","mime":"text/plain","size":2,"data":"aGk="}`,
	TypeCitation:        `{"title":"RFC 8259","url":"https://www.rfc-editor.org/rfc/rfc8259","quote":"JSON is a text format"}`,
	TypeUIOpen:          `{"instance_id":"w.1","app":{"id":"com.example.weather","name":"Weather","version":"1.0.0-rc.1+b2","surface":"main","integrity":"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=","signature":"x","html":"<p>","css":"p{}","js":"1","events":["refresh"],"host_styles":true},"state":{"city":"北京"},"title":"Weather","size":{"height":320}}`,
	TypeUIPatch:         `{"instance_id":"w.1","state":{"city":null}}`,
	TypeUIClose:         `{"instance_id":"w.1","reason":"completed"}`,
	TypeUIEvent:         `{"instance_id":"w.1","event":"refresh","data":{"unit":"c"}}`,
	TypeUIResult:        `{"instance_id":"w.1","op":"open","status":"refused","code":"policy","message":"Not allowed"}`,
	TypeAppCall:         `{"call_id":"c1","capability":"app.open_url","reason":"to show you","expires_at":"2026-08-02T12:10:00Z","arguments":{"url":"https://example.com"}}`,
	TypeAppCancel:       `{"call_id":"c1"}`,
	TypeAppResult:       `{"call_id":"c1","status":"rejected","error":{"code":"user","message":"The user said no"}}`,
	TypeAppList:         `{"capabilities":[{"name":"app.open_url","version":"1.0","risk":"user_confirmation","input_schema":{"type":"object"}}]}`,
	TypeAppAudit:        `{"seq":1,"call_id":"c1","capability":"app.open_url","event":"decided","at":"2026-08-02T12:00:00.000Z","prev_hash":"","hash":"00ff"}`,
	TypeInventory:       `{"revision":"catalog-42","standard_components":[{"id":"choice","version":"1"}],"applications":[{"id":"com.example.canvas","version":"1.0.0","surfaces":[{"id":"canvas","events":["draw"]}]}],"capabilities":[{"name":"artifact.save","version":"1.0","risk":"user_confirmation"}]}`,
}

func TestEachTypeDecodes(t *testing.T) {
	for typ := range kinds {
		text, ok := valid[typ]
		if !ok {
			t.Errorf("no example of %s", typ)
			continue
		}
		e := mustDecode(t, wrap(typ, text))
		if e.Type != typ || string(e.Payload) != text {
			t.Errorf("%s came out as %s %s", typ, e.Type, e.Payload)
		}
		roundTrip(t, e)
	}
}

func roundTrip(t *testing.T, e Envelope) {
	t.Helper()
	one, err := e.Encode()
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	again, derr := Decode(one)
	if derr != nil {
		t.Fatalf("%v\n%.300s", derr, one)
	}
	two, err := again.Encode()
	if err != nil || string(one) != string(two) {
		t.Fatalf("not stable (%v):\n%.300s\n%.300s", err, one, two)
	}
}

func repeat(s string, n int, sep string) string {
	return strings.TrimSuffix(strings.Repeat(s+sep, n), sep)
}
