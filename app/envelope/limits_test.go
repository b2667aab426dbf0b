package envelope

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func sortedTypes() []Type {
	var l []Type
	for t := range kinds {
		l = append(l, t)
	}
	slices.Sort(l)
	return l
}

func nested(levels int) string {
	return strings.Repeat("[", levels) + strings.Repeat("]", levels)
}

// Each limit holds at the limit, and names the field one past it.
func TestLimits(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	q := func(n int) string { return `"` + x(n) + `"` }
	option := func(i int) string { return fmt.Sprintf(`{"id":"o%d","label":"x"}`, i) }
	options := func(n int) string {
		l := make([]string, n)
		for i := range l {
			l[i] = option(i)
		}
		return `{"prompt":"?","options":[` + strings.Join(l, ",") + `]}`
	}
	open := func(app, rest string) string {
		return `{"instance_id":"w","app":{"id":"a.b","version":"1.0.0"` + app + `}` + rest + `}`
	}
	obj := func(size int) string { return `{"k":"` + x(size-8) + `"}` } // size bytes of JSON
	patch := func(size int) string {
		const before, after = `[{"op":"add","path":"/a","value":"`, `"}]`
		return before + x(size-len(before)-len(after)) + after
	}
	cases := []struct {
		name  string
		typ   Type
		field string
		make  func(n int) string
		limit int
	}{
		{"options", TypeChoice, "payload.options", options, 100},
		{"bundle", TypeUIOpen, "payload.app", func(n int) string {
			return open(`,"html":`+q(n-200)+`,"css":`+q(100)+`,"js":`+q(100), "")
		}, 160 << 10},
		{"bundle in UTF-8 bytes", TypeUIOpen, "payload.app", func(n int) string {
			return open(`,"html":"`+strings.Repeat("气", n/3)+x(n%3)+`"`, "")
		}, 160 << 10},
		{"state", TypeUIOpen, "payload.state", func(n int) string { return open("", `,"state":`+obj(n)) }, 256 << 10},
		{"patch", TypeUIPatch, "payload.state", func(n int) string { return `{"instance_id":"w","state":` + obj(n) + `}` }, 256 << 10},
		{"state with spaces", TypeUIPatch, "payload.state", func(n int) string {
			return `{"instance_id":"w","state": {  "k" :` + strings.Repeat(" ", 5000) + q(n-8) + `} }`
		}, 256 << 10},
		{"json_patch", TypeUIPatch, "payload.json_patch", func(n int) string {
			return `{"instance_id":"w","json_patch":` + patch(n) + `}`
		}, 256 << 10},
		{"event data", TypeUIEvent, "payload.data", func(n int) string { return `{"instance_id":"w","event":"e","data":` + obj(n) + `}` }, 16<<10 - 1},
		{"event name", TypeUIEvent, "payload.event", func(n int) string { return `{"instance_id":"w","event":` + q(n) + `,"data":{}}` }, 64},
		{"instance_id", TypeUIClose, "payload.instance_id", func(n int) string { return `{"instance_id":` + q(n) + `}` }, 128},
		{"call_id", TypeAppCancel, "payload.call_id", func(n int) string { return `{"call_id":` + q(n) + `}` }, 128},
		{"message_id", TypeMessageDelta, "payload.message_id", func(n int) string { return `{"message_id":` + q(n) + `,"delta":""}` }, 128},
		{"app.id", TypeUIOpen, "payload.app.id", func(n int) string {
			return `{"instance_id":"w","app":{"id":"a.` + x(n-2) + `","version":"1.0.0"}}`
		}, 128},
		{"schema depth", TypeInput, "payload.schema", func(n int) string {
			return `{"prompt":"?","schema":{"default":` + nested(n-1) + `}}`
		}, 16},
		{"icon", TypeReady, "payload.agent.icon", func(n int) string {
			return `{"agent":{"id":"a","name":"A","version":"1","icon":"data:image/png;base64,` + strings.Repeat("A", n-22) + `"}}`
		}, 64 << 10},
		{"table cells", TypeTable, "payload.rows[0]", func(n int) string {
			return `{"columns":["a","b","c"],"rows":[[` + repeat(`"x"`, n, ",") + `]]}`
		}, 3},
		{"reason", TypeAppCall, "payload.reason", func(n int) string {
			return `{"call_id":"c","capability":"a.b","reason":` + q(n) + `,"arguments":{}}`
		}, 2000},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			mustDecode(t, wrap(c.typ, c.make(c.limit)))
			_, err := Decode([]byte(wrap(c.typ, c.make(c.limit+1))))
			if err == nil {
				t.Fatal("one past the limit is accepted")
			}
			if err.Code != InvalidPayload || err.Field != c.field {
				t.Errorf("%v, want field %s", err, c.field)
			}
		})
	}
}

func TestEnvelopeLimits(t *testing.T) {
	size := func(n int) string {
		base := wrap(TypeMessage, `{"text":""}`)
		return wrap(TypeMessage, `{"text":"`+strings.Repeat("x", n-len(base))+`"}`)
	}
	mustDecode(t, size(MaxSize))
	if _, err := Decode([]byte(size(MaxSize + 1))); err == nil || err.Code != TooLarge || err.ID != "m1" {
		t.Errorf("one byte too many: %v", err)
	}
	mustDecode(t, wrap("lineup.v1.x", `{"a":`+nested(MaxDepth-2)+`}`))
	_, err := Decode([]byte(wrap("lineup.v1.x", `{"a":`+nested(MaxDepth-1)+`}`)))
	if err == nil || err.Code != TooDeep || !strings.HasPrefix(err.Field, "payload.a[0][0]") {
		t.Errorf("one level too many: %v", err)
	}
	for _, field := range []string{`"id":"m1"`, `"conversation_id":"conv_01"`, `"id":"hermes"`} {
		name := field[:strings.Index(field, ":")]
		mustDecode(t, edit(field, name+`:"`+strings.Repeat("x", 128)+`"`))
		if _, err := Decode([]byte(edit(field, name+`:"`+strings.Repeat("x", 129)+`"`))); err == nil {
			t.Errorf("%s of 129 characters is accepted", name)
		}
	}
}

// Rules that are not numbers.
func TestPayloadRules(t *testing.T) {
	cases := []struct {
		typ            Type
		payload, field string // no field: accepted
	}{
		{TypeUIPatch, `{"instance_id":"w","state":{}}`, ""},
		{TypeUIPatch, `{"instance_id":"w","state":{},"other":1}`, ""},
		{TypeUIPatch, `{"instance_id":"w"}`, "payload.state"},
		{TypeUIPatch, `{"instance_id":"w","state":[]}`, "payload.state"},
		{TypeUIPatch, `{"instance_id":"w","state":{},"json_patch":[{"op":"remove","path":"/a"}]}`, "payload.json_patch"},
		{TypeUIPatch, `{"instance_id":"w","json_patch":[{"op":"remove","path":"/a~1b"}]}`, ""},
		{TypeUIPatch, `{"instance_id":"w","json_patch":[{"op":"add","path":"/a","value":null}]}`, ""},
		{TypeUIPatch, `{"instance_id":"w","json_patch":[]}`, "payload.json_patch"},
		{TypeUIPatch, `{"instance_id":"w","json_patch":[{"op":"add","path":"/a"}]}`, "payload.json_patch[0].value"},
		{TypeUIPatch, `{"instance_id":"w","json_patch":[{"op":"move","path":"/a"}]}`, "payload.json_patch[0].from"},
		{TypeUIPatch, `{"instance_id":"w","json_patch":[{"op":"exec","path":"/a"}]}`, "payload.json_patch[0].op"},
		{TypeUIPatch, `{"instance_id":"w","json_patch":[{"op":"remove","path":"a"}]}`, "payload.json_patch[0].path"},
		{TypeUIPatch, `{"instance_id":"w","state":{},"html":"<p>"}`, "payload.html"},
		{TypeUIPatch, `{"instance_id":"w","state":{},"css":""}`, "payload.css"},
		{TypeUIPatch, `{"instance_id":"w","state":{},"js":null}`, "payload.js"},
		{TypeUIPatch, `{"instance_id":"w","state":{},"app":{}}`, "payload.app"},
		{TypeUIPatch, `{"instance_id":"w","json_patch":[{"op":"remove","path":"/a"}],"js":"1"}`, "payload.js"},
		{TypeUIOpen, `{"instance_id":"w","app":{"id":"a.b","version":"1.0.0"}}`, ""},
		{TypeUIOpen, `{"instance_id":"w","app":{"id":"a.b","version":"1.0.0","html":""}}`, "payload.app.html"},
		{TypeUIOpen, `{"instance_id":"w","app":{"id":"a.b","version":"1.0.0","js":"1"}}`, "payload.app.js"},
		{TypeUIOpen, `{"instance_id":"w","app":{"id":"a.b","version":"1.0.0","css":"1"}}`, "payload.app.css"},
		{TypeUIOpen, `{"instance_id":"w","app":{"id":"weather","version":"1.0.0"}}`, "payload.app.id"},
		{TypeUIOpen, `{"instance_id":"w","app":{"id":"com.Example.x","version":"1.0.0"}}`, "payload.app.id"},
		{TypeUIOpen, `{"instance_id":"w","app":{"id":"com..x","version":"1.0.0"}}`, "payload.app.id"},
		{TypeUIOpen, `{"instance_id":"w","app":{"id":"a.b","version":"1.0"}}`, "payload.app.version"},
		{TypeUIOpen, `{"instance_id":"w","app":{"id":"a.b","version":"v1.0.0"}}`, "payload.app.version"},
		{TypeUIOpen, `{"instance_id":"w","app":{"id":"a.b","version":"01.0.0"}}`, "payload.app.version"},
		{TypeUIOpen, `{"instance_id":"w","app":{"id":"a.b","version":"1.0.0","name":"a\nb"}}`, "payload.app.name"},
		{TypeUIOpen, `{"instance_id":"w","app":{"id":"a.b","version":"1.0.0"},"state":null}`, "payload.state"},
		{TypeUIOpen, `{"instance_id":"w","app":{"id":"a.b","version":"1.0.0","events":["ok","1no"]}}`, "payload.app.events[1]"},
		{TypeUIOpen, `{"instance_id":"a/b","app":{"id":"a.b","version":"1.0.0"}}`, "payload.instance_id"},
		{TypeUIOpen, `{"instance_id":"w"}`, "payload.app"},
		{TypeChoice, `{"prompt":"?","options":[]}`, "payload.options"},
		{TypeChoice, `{"prompt":"?","options":[{"id":"a","label":"x"},{"id":"a","label":"y"}]}`, "payload.options[1].id"},
		{TypeChoice, `{"prompt":"?","options":[{"id":"a","label":"x"},{"id":"b"}]}`, "payload.options[1].label"},
		{TypeChoice, `{"prompt":"?","options":[{"id":"a","label":"x"}],"min":2}`, "payload.min"},
		{TypeChoice, `{"prompt":"?","options":[{"id":"a","label":"x"},{"id":"b","label":"x"}],"min":2,"max":1}`, "payload.max"},
		{TypeChoice, `{"prompt":"?","options":[{"id":"a","label":"x"}],"max":1.0}`, "payload.max"},
		{TypeConfirm, `{"prompt":"?","tone":"scary"}`, "payload.tone"},
		{TypeConfirm, `{"prompt":"?","expires_at":"tomorrow"}`, "payload.expires_at"},
		{TypeConfirm, `{"prompt":"?","expires_at":"2026-13-01T00:00:00Z"}`, "payload.expires_at"},
		{TypeInput, `{"prompt":"?"}`, ""},
		{TypeInput, `{"prompt":"?","schema":{"type":"nonsense"}}`, "payload.schema"},
		{TypeInput, `{"prompt":"?","schema":{"pattern":"("}}`, "payload.schema"},
		{TypeInput, `{"prompt":"?","schema":{"$ref":"file:///etc/passwd"}}`, "payload.schema.$ref"},
		{TypeInput, `{"prompt":"?","schema":{"allOf":[{"$ref":"https://example.com/s.json"}]}}`, "payload.schema.allOf[0].$ref"},
		{TypeInput, `{"prompt":"?","schema":{"$schema":"https://example.com/meta"}}`, "payload.schema"},
		{TypeInput, `{"prompt":"?","schema":{"$defs":{"a":{"type":"string"}},"properties":{"x":{"$ref":"#/$defs/a"}}}}`, ""},
		{TypeComponentResult, `{"component_id":"m1","status":"cancelled"}`, ""},
		{TypeComponentResult, `{"component_id":"m1","status":"answered"}`, "payload.value"},
		{TypeComponentResult, `{"component_id":"m1","status":"answered","value":false}`, ""},
		{TypeComponentResult, `{"component_id":"m1","status":"answered","value":["a",1]}`, "payload.value[1]"},
		{TypeComponentResult, `{"component_id":"m1","status":"answered","value":"a"}`, "payload.value"},
		{TypeFile, `{"artifact_id":"f","name":"../x","mime":"text/plain","size":2}`, "payload.name"},
		{TypeFile, `{"artifact_id":"f","name":"..","mime":"text/plain","size":2}`, "payload.name"},
		{TypeFile, `{"artifact_id":"f","name":"x","mime":"text","size":2}`, "payload.mime"},
		{TypeFile, `{"artifact_id":"f","name":"x","mime":"text/plain","size":3,"data":"aGk="}`, "payload.size"},
		{TypeFile, `{"artifact_id":"f","name":"x","mime":"text/plain","size":2,"data":"aGk"}`, "payload.data"},
		{TypeFile, `{"artifact_id":"f","name":"x","mime":"text/plain","size":-1}`, "payload.size"},
		{TypeCitation, `{"title":"x","url":"javascript:alert(1)"}`, "payload.url"},
		{TypeDiff, `{"unified":"--- a"}`, ""},
		{TypeDiff, `{"path":"x"}`, "payload.unified"},
		{TypeDiff, `{"unified":"x","new":"y"}`, "payload.unified"},
		{TypeAppCall, `{"call_id":"c","capability":"a.b","reason":"","arguments":{}}`, "payload.reason"},
		{TypeAppCall, `{"call_id":"c","capability":"a.b","reason":"x","arguments":[]}`, "payload.arguments"},
		{TypeAppCall, `{"call_id":"c","capability":"a.b","reason":"x"}`, "payload.arguments"},
		{TypeAppResult, `{"call_id":"c","status":"completed"}`, ""},
		{TypeAppResult, `{"call_id":"c","status":"failed"}`, "payload.error"},
		{TypeAppResult, `{"call_id":"c","status":"done"}`, "payload.status"},
		{TypeHello, `{"client":{"name":"x","version":"1"},"locale":"en","protocol":[2],"conversations":[]}`, "payload.protocol"},
		{TypeReady, `{"agent":{"id":"a","name":"A","version":"1"},"conversations":null}`, "payload.conversations"},
		{TypeReady, `{"agent":{"id":"a","name":"A","version":"1","icon":"https://example.com/x.png"}}`, "payload.agent.icon"},
		{TypeStatus, `{"text":"x","state":"busy"}`, "payload.state"},
		{TypeProgress, `{"progress_id":"p","label":"x","value":-1}`, "payload.value"},
		{TypeProgress, `{"progress_id":"p","label":"x","value":1e400}`, "payload.value"},
		{TypeInventory, `{"revision":"42","standard_components":[],"applications":[],"capabilities":[]}`, "payload.revision"},
		{TypeAppList, `{"capabilities":[{"name":"a.b","version":"1","risk":"none"}]}`, "payload.capabilities[0].risk"},
		{TypeTool, `{"tool_id":"t","name":"x","arguments":"{\"partial","state":"streaming"}`, ""},
	}
	for _, c := range cases {
		_, err := Decode([]byte(wrap(c.typ, c.payload)))
		switch {
		case c.field == "" && err != nil:
			t.Errorf("%s %s: %v", c.typ, c.payload, err)
		case c.field != "" && (err == nil || err.Code != InvalidPayload || err.Field != c.field):
			t.Errorf("%s %s: %v, want field %s", c.typ, c.payload, err, c.field)
		}
	}
}
