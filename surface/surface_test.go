package surface

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func code(err error) string {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	if err != nil {
		return "not a Refusal: " + err.Error()
	}
	return ""
}

func weather() App {
	return App{ID: "com.lineup.weather.dashboard", Name: "天气面板", Version: "1.0.0", HTML: "<main><button id='refresh'>刷新</button></main>", CSS: "main { padding: 16px }", JS: "document.querySelector('#refresh')"}
}

func TestDigestSeparatesTheParts(t *testing.T) {
	if Digest("ab", "c", "") == Digest("a", "bc", "") || Digest("", "", "x") == Digest("x", "", "") {
		t.Error("bytes may move from one part to another")
	}
	// sha256 of 00000000 00000001 61 | 8×00 | 8×00, computed with another program.
	if got := Digest("a", "", ""); got != "sha256-Ycmg5+1Dg1CxVvU+9gc5pzv+xDwsUXeRrQeJT6spiLk=" {
		t.Errorf("got %s", got)
	}
}

func TestCheck(t *testing.T) {
	with := func(change func(*App)) App { a := weather(); change(&a); return a }
	events := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf("e%d", i))
		}
		return list
	}
	fill := func(n int) App {
		a := weather()
		a.JS = ""
		a.CSS = ""
		a.HTML = strings.Repeat("x", n)
		return a
	}
	for _, c := range []struct {
		name string
		app  App
		want string
	}{
		{"the seed's example", weather(), ""},
		{"a reference", App{ID: "a.b", Version: "0.0.1"}, ""},
		{"nothing", App{}, CodeBadApp},
		{"one label", with(func(a *App) { a.ID = "weather" }), CodeBadApp},
		{"upper case", with(func(a *App) { a.ID = "com.Lineup" }), CodeBadApp},
		{"id with line end", with(func(a *App) { a.ID = "com.lineup\n" }), CodeBadApp},
		{"id of 128", with(func(a *App) { a.ID = "a." + strings.Repeat("b", 126) }), ""},
		{"id of 129", with(func(a *App) { a.ID = "a." + strings.Repeat("b", 127) }), CodeBadApp},
		{"version v1", with(func(a *App) { a.Version = "v1.0.0" }), CodeBadApp},
		{"version 1.0", with(func(a *App) { a.Version = "1.0" }), CodeBadApp},
		{"pre-release", with(func(a *App) { a.Version = "1.0.0-rc.1+b2" }), ""},
		{"name of 128 characters", with(func(a *App) { a.Name = strings.Repeat("面", 128) }), ""},
		{"name of 129", with(func(a *App) { a.Name = strings.Repeat("面", 129) }), CodeBadApp},
		{"name not UTF-8", with(func(a *App) { a.Name = "\xff" }), CodeBadApp},
		{"script without html", with(func(a *App) { a.HTML = "" }), CodeBadApp},
		{"html not UTF-8", with(func(a *App) { a.HTML = "\xff" }), CodeBadApp},
		{"at the limit", fill(MaxBundle), ""},
		{"one past it", fill(MaxBundle + 1), CodeTooLarge},
		{"right digest", with(func(a *App) { a.Integrity = Digest(a.HTML, a.CSS, a.JS) }), ""},
		{"wrong digest", with(func(a *App) { a.Integrity = Digest(a.HTML, a.CSS, a.JS+" ") }), CodeIntegrity},
		{"digest of another kind", with(func(a *App) { a.Integrity = "md5-xx" }), CodeBadApp},
		{"the seed's placeholder digest", with(func(a *App) { a.Integrity = "sha256-BASE64_DIGEST" }), CodeBadApp},
		{"events", with(func(a *App) { a.Events = events(128) }), ""},
		{"too many events", with(func(a *App) { a.Events = events(129) }), CodeBadApp},
		{"event twice", with(func(a *App) { a.Events = []string{"a", "a"} }), CodeBadApp},
		{"event close", with(func(a *App) { a.Events = []string{"close"} }), CodeBadApp},
		{"surface name", with(func(a *App) { a.Surface = "canvas/../x" }), CodeBadApp},
		{"long signature", with(func(a *App) { a.Signature = strings.Repeat("x", 4097) }), CodeTooLarge},
	} {
		if got := code(Check(c.app)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAllows(t *testing.T) {
	any, some := App{}, App{Events: []string{"draw"}}
	for event, want := range map[string][2]bool{
		"draw": {true, true}, "erase": {true, false}, "close": {false, false}, "": {false, false},
		"9x": {false, false}, "a" + strings.Repeat("b", 63): {true, false}, "a" + strings.Repeat("b", 64): {false, false}, "draw\n": {false, false},
	} {
		if any.Allows(event) != want[0] || some.Allows(event) != want[1] {
			t.Errorf("%q: %v %v", event, any.Allows(event), some.Allows(event))
		}
	}
}

func nested(n int) string { return strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1) }

func TestCheckState(t *testing.T) {
	object := func(n int) string { return `{"a":"` + strings.Repeat("x", n-8) + `"}` }
	for _, c := range []struct{ name, in, want, refused string }{
		{"nothing", "", "{}", ""},
		{"null", "null", "{}", ""},
		{"spaces", " { \"a\" : [ 1 , 2 ] }\n", `{"a":[1,2]}`, ""},
		{"numbers as they are", `{"a":1.0,"b":12345678901234567890}`, `{"a":1.0,"b":12345678901234567890}`, ""},
		{"array", "[]", "", CodeBadState},
		{"string", `"x"`, "", CodeBadState},
		{"two values", "{}{}", "", CodeBadState},
		{"cut", `{"a":`, "", CodeBadState},
		{"not UTF-8", "{\"a\":\"\xff\"}", "", CodeBadState},
		{"duplicate", `{"a":1,"a":2}`, "", CodeBadState},
		{"duplicate by escape", `{"a":1,"\u0061":2}`, "", CodeBadState},
		{"duplicate within", `{"x":[{"a":1,"b":{},"a":2}]}`, "", CodeBadState},
		{"same key in siblings", `{"x":[{"a":1},{"a":2}],"a":3}`, `{"x":[{"a":1},{"a":2}],"a":3}`, ""},
		{"key within a string", `{"x":"\"__proto__\":1,{"}`, `{"x":"\"__proto__\":1,{"}`, ""},
		{"prototype as a value", `{"x":"__proto__"}`, `{"x":"__proto__"}`, ""},
		{"__proto__", `{"__proto__":{}}`, "", CodeBadState},
		{"__proto__ by escape", `{"\u005f_proto__":{}}`, "", CodeBadState},
		{"constructor deep", `{"a":[[{"constructor":1}]]}`, "", CodeBadState},
		{"prototype", `{"a":{"prototype":1}}`, "", CodeBadState},
		{"64 levels", nested(64), nested(64), ""},
		{"65 levels", nested(65), "", CodeBadState},
		{"a bomb of levels", strings.Repeat("[", 1<<17), "", CodeBadState},
		{"at the limit", object(MaxState), object(MaxState), ""},
		{"one past it", object(MaxState + 1), "", CodeTooLarge},
		{"blanks do not count", "{" + strings.Repeat(" ", MaxState) + "}", "{}", ""},
		{"endless blanks", strings.Repeat(" ", 5*MaxState) + "{}", "", CodeTooLarge},
	} {
		got, err := CheckState(json.RawMessage(c.in))
		if code(err) != c.refused || string(got) != c.want {
			t.Errorf("%s: got %.80s, %v", c.name, got, err)
		}
	}
}

func TestMergePatch(t *testing.T) {
	// RFC 7396, appendix A, as far as the targets and patches are objects, and more.
	for _, c := range []struct{ state, patch, want string }{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
		{`{"a":1}`, `{"a":[{"b":null},null]}`, `{"a":[{"b":null},null]}`}, // arrays are taken whole
		{`{"a":{"b":1}}`, `{"a":{}}`, `{"a":{"b":1}}`},
		{`{"a":1}`, `{"a":{"b":2}}`, `{"a":{"b":2}}`},
		{`{"\u0061":1,"s":"a,}{\"]"}`, `{"a":2}`, `{"\u0061":2,"s":"a,}{\"]"}`},
		{`{"a":"<&>"}`, `{ "b" : true }`, `{"a":"<&>","b":true}`},
		{``, `{"a":1}`, `{"a":1}`},
		{`{"a":1,"b":{"c":[1,{"d":2}]},"e":-1.5e3}`, `{"b":{"x":false}}`, `{"a":1,"b":{"c":[1,{"d":2}],"x":false},"e":-1.5e3}`},
	} {
		got, err := MergePatch(json.RawMessage(c.state), json.RawMessage(c.patch))
		if err != nil || string(got) != c.want {
			t.Errorf("%s + %s = %s, %v; want %s", c.state, c.patch, got, err, c.want)
		}
	}
	half := `{"a":"` + strings.Repeat("x", MaxState/2) + `"}`
	for _, c := range []struct{ name, state, patch, want string }{
		{"array", `{}`, `[]`, CodeBadPatch},
		{"null", `{}`, `null`, CodeBadPatch},
		{"empty", `{}`, ``, CodeBadPatch},
		{"prototype", `{}`, `{"a":{"__proto__":null}}`, CodeBadPatch},
		{"duplicate", `{}`, `{"a":1,"a":2}`, CodeBadPatch},
		{"too deep", `{}`, nested(65), CodeBadPatch},
		{"grows too large", half, strings.Replace(half, `"a"`, `"b"`, 1), CodeTooLarge},
		{"too large itself", `{}`, `{"a":"` + strings.Repeat("x", MaxState) + `"}`, CodeTooLarge},
	} {
		if _, err := MergePatch(json.RawMessage(c.state), json.RawMessage(c.patch)); code(err) != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestJSONPatch(t *testing.T) {
	for _, c := range []struct{ name, state, ops, want, refused string }{
		{"add", `{"a":1}`, `[{"op":"add","path":"/b","value":[1,2]}]`, `{"a":1,"b":[1,2]}`, ""},
		{"append", `{"a":[1]}`, `[{"op":"add","path":"/a/-","value":2}]`, `{"a":[1,2]}`, ""},
		{"null value", `{}`, `[{"op":"add","path":"/a","value":null}]`, `{"a":null}`, ""},
		{"test and replace", `{"a":1}`, `[{"op":"test","path":"/a","value":1},{"op":"replace","path":"/a","value":2}]`, `{"a":2}`, ""},
		{"move", `{"a":1}`, `[{"op":"move","from":"/a","path":"/b"}]`, `{"b":1}`, ""},
		{"whole", `{"a":1}`, `[{"op":"replace","path":"","value":{"z":1}}]`, `{"z":1}`, ""},
		{"nothing to do", `{"a":1}`, `[]`, `{"a":1}`, ""},
		{"no escaping", `{"a":"<"}`, `[{"op":"add","path":"/b","value":">"}]`, `{"a":"<","b":">"}`, ""},
		{"failed test", `{"a":1}`, `[{"op":"add","path":"/b","value":1},{"op":"test","path":"/a","value":2}]`, "", CodeBadPatch},
		{"missing path", `{}`, `[{"op":"remove","path":"/a"}]`, "", CodeBadPatch},
		{"negative index", `{"a":[1]}`, `[{"op":"remove","path":"/a/-1"}]`, "", CodeBadPatch},
		{"far index", `{"a":[1]}`, `[{"op":"add","path":"/a/999999999","value":1}]`, "", CodeBadPatch},
		{"no op", `{}`, `[{"path":"/a","value":1}]`, "", CodeBadPatch},
		{"unknown op", `{}`, `[{"op":"eval","path":"/a"}]`, "", CodeBadPatch},
		{"no value", `{}`, `[{"op":"add","path":"/a"}]`, "", CodeBadPatch},
		{"path not a pointer", `{}`, `[{"op":"add","path":"a","value":1}]`, "", CodeBadPatch},
		{"path not a string", `{}`, `[{"op":"add","path":1,"value":1}]`, "", CodeBadPatch},
		{"remove all", `{}`, `[{"op":"remove","path":""}]`, "", CodeBadPatch},
		{"becomes an array", `{}`, `[{"op":"replace","path":"","value":[]}]`, "", CodeBadState},
		{"prototype key by path", `{}`, `[{"op":"add","path":"/__proto__","value":1}]`, "", CodeBadState},
		{"prototype key by value", `{}`, `[{"op":"add","path":"/a","value":{"constructor":1}}]`, "", CodeBadPatch},
		{"into itself", `{"a":{}}`, `[{"op":"move","from":"/a","path":"/a/b"}]`, "", CodeBadPatch},
		{"not an array", `{}`, `{"op":"add"}`, "", CodeBadPatch},
		{"null", `{}`, `null`, "", CodeBadPatch},
		{"null op", `{}`, `[null]`, "", CodeBadPatch},
		{"1000 ops", `{"a":1}`, "[" + strings.Repeat(`{"op":"test","path":"/a","value":1},`, 999) + `{"op":"test","path":"/a","value":1}]`, `{"a":1}`, ""},
		{"1001 ops", `{"a":1}`, "[" + strings.Repeat(`{"op":"test","path":"/a","value":1},`, 1000) + `{"op":"test","path":"/a","value":1}]`, "", CodeTooLarge},
		{"copies double and double", `{"a":[1,2,3,4,5,6,7,8]}`, "[" + strings.Repeat(`{"op":"copy","from":"/a","path":"/a/-"},`, 40) + `{"op":"copy","from":"/a","path":"/a/-"}]`, "", CodeTooLarge},
		{"deepens", `{"a":` + nested(62) + `}`, `[{"op":"move","from":"/a","path":"/b"},{"op":"add","path":"/c","value":{"d":{}}},{"op":"move","from":"/b","path":"/c/d/b"}]`, "", CodeBadState},
	} {
		got, err := JSONPatch(json.RawMessage(c.state), json.RawMessage(c.ops))
		if code(err) != c.refused || string(got) != c.want {
			t.Errorf("%s: got %.80s, %v; want %s %s", c.name, got, err, c.want, c.refused)
		}
	}
}

func TestDecodeUplink(t *testing.T) {
	ns := `"namespace":"lineup.surface.v1"`
	data := func(n int) string { return `{"a":"` + strings.Repeat("x", n-8) + `"}` }
	for _, c := range []struct{ name, raw, want string }{
		{"ready", `{` + ns + `,"type":"ready"}`, ""},
		{"the seed's event", `{` + ns + `,"type":"event","event":"refresh","data":{"unit":"c"}}`, ""},
		{"resize", `{` + ns + `,"type":"resize","height":120.5}`, ""},
		{"error", `{` + ns + `,"type":"error","message":"x is not defined"}`, ""},
		{"error kind", `{` + ns + `,"type":"error","kind":"violation","message":"img-src"}`, ""},
		{"data below the limit", `{` + ns + `,"type":"event","event":"a","data":` + data(16<<10-1) + `}`, ""},
		{"data at 16 KiB", `{` + ns + `,"type":"event","event":"a","data":` + data(16<<10) + `}`, CodeBadEvent},
		{"data 16 KiB in two-byte characters", `{` + ns + `,"type":"event","event":"a","data":{"a":"` + strings.Repeat("é", 8<<10) + `"}}`, CodeBadEvent},
		{"empty", ``, CodeBadUplink},
		{"array", `[]`, CodeBadUplink},
		{"undefined", `undefined`, CodeBadUplink},
		{"NaN", `{` + ns + `,"type":"resize","height":NaN}`, CodeBadUplink},
		{"no namespace", `{"type":"ready"}`, CodeBadUplink},
		{"other namespace", `{"namespace":"lineup.surface.v2","type":"ready"}`, CodeBadUplink},
		{"other type", `{` + ns + `,"type":"app.call"}`, CodeBadUplink},
		{"no type", `{` + ns + `}`, CodeBadUplink},
		{"null type", `{` + ns + `,"type":null}`, CodeBadUplink},
		{"upper-case field", `{` + ns + `,"Type":"ready"}`, CodeBadUplink},
		{"both cases", `{` + ns + `,"type":"ready","TYPE":"event"}`, CodeBadUplink},
		{"unknown field", `{` + ns + `,"type":"ready","instance_id":"other"}`, CodeBadUplink},
		{"field twice", `{` + ns + `,"type":"ready","type":"event"}`, CodeBadUplink},
		{"ready with data", `{` + ns + `,"type":"ready","data":{}}`, CodeBadUplink},
		{"close", `{` + ns + `,"type":"event","event":"close","data":{}}`, CodeBadEvent},
		{"bad name", `{` + ns + `,"type":"event","event":"<b>","data":{}}`, CodeBadEvent},
		{"no data", `{` + ns + `,"type":"event","event":"a"}`, CodeBadEvent},
		{"null data", `{` + ns + `,"type":"event","event":"a","data":null}`, CodeBadEvent},
		{"array data", `{` + ns + `,"type":"event","event":"a","data":[]}`, CodeBadEvent},
		{"prototype in data", `{` + ns + `,"type":"event","event":"a","data":{"__proto__":1}}`, CodeBadUplink},
		{"deep data", `{` + ns + `,"type":"event","event":"a","data":` + nested(64) + `}`, ""},
		{"too deep data", `{` + ns + `,"type":"event","event":"a","data":` + nested(65) + `}`, CodeBadUplink},
		{"negative height", `{` + ns + `,"type":"resize","height":-1}`, CodeBadUplink},
		{"height as text", `{` + ns + `,"type":"resize","height":"9"}`, CodeBadUplink},
		{"endless height", `{` + ns + `,"type":"resize","height":1e999}`, CodeBadUplink},
		{"no height", `{` + ns + `,"type":"resize"}`, CodeBadUplink},
		{"long error", `{` + ns + `,"type":"error","message":"` + strings.Repeat("x", 2049) + `"}`, CodeBadUplink},
		{"error of a kind unknown", `{` + ns + `,"type":"error","kind":"x","message":"y"}`, CodeBadUplink},
		{"filled", `{` + ns + `,"type":"filled"}`, ""},
		{"filled with a number", `{` + ns + `,"type":"filled","n":1}`, CodeBadUplink},
		{"pong", `{` + ns + `,"type":"pong","n":0}`, ""},
		{"the largest pong", `{` + ns + `,"type":"pong","n":9007199254740991}`, ""},
		{"a larger one", `{` + ns + `,"type":"pong","n":9007199254740992}`, CodeBadUplink},
		{"pong without a number", `{` + ns + `,"type":"pong"}`, CodeBadUplink},
		{"pong with a fraction", `{` + ns + `,"type":"pong","n":1.5}`, CodeBadUplink},
		{"negative pong", `{` + ns + `,"type":"pong","n":-1}`, CodeBadUplink},
		{"pong with a height", `{` + ns + `,"type":"pong","n":1,"height":1}`, CodeBadUplink},
		{"resize with a number", `{` + ns + `,"type":"resize","height":1,"n":1}`, CodeBadUplink},
		{"huge", `{` + ns + `,"type":"ready"` + strings.Repeat(" ", MaxUplink) + `}`, CodeBadUplink},
	} {
		if _, err := DecodeUplink(c.raw); code(err) != c.want {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	u, err := DecodeUplink(`{` + ns + `,"type":"event","event":"refresh","data":{ "unit": "c" }}`)
	if err != nil || u.Event != "refresh" || string(u.Data) != `{"unit":"c"}` {
		t.Errorf("%+v %v", u, err)
	}
	if u, _ := DecodeUplink(`{` + ns + `,"type":"resize","height":1e9}`); u.Height != MaxHeight {
		t.Errorf("height %v", u.Height)
	}
}

func TestLimiter(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	l := NewLimiter(func() time.Time { return now })
	count := func(n int) (passed int) {
		for range n {
			if l.Allow() {
				passed++
			}
		}
		return passed
	}
	if n := count(1000); n != EventBurst || l.Dropped() != 1000-EventBurst {
		t.Errorf("burst %d, dropped %d", n, l.Dropped())
	}
	now = now.Add(time.Second)
	if n := count(1000); n != EventsPerSecond {
		t.Errorf("after a second: %d", n)
	}
	now = now.Add(time.Hour)
	if n := count(1000); n != EventBurst {
		t.Errorf("after an hour: %d", n)
	}
}

func TestDownMessages(t *testing.T) {
	theme := Theme{Name: "dark", Tokens: map[string]string{"--lineup-color-text": "#fff", "--lineup-x": "red;} body{", "color": "red"}}
	for name, c := range map[string][2]string{
		"init":  {InitMessage("w.1", json.RawMessage(`{"a":1}`), theme, "zh-CN"), `{"type":"init","state":{"a":1},"theme":{"name":"dark","tokens":{"--lineup-color-text":"#fff"}},"locale":"zh-CN","instanceId":"w.1"}`},
		"state": {StateMessage(nil), `{"type":"state","state":{}}`},
		"diff":  {DiffMessage(json.RawMessage(`[[["a"],"<b>"]]`)), `{"type":"diff","ops":[[["a"],"<b>"]]}`},
		"ping":  {PingMessage(1 << 52), `{"type":"ping","n":4503599627370496}`},
		"fill": {FillMessage(Frame{App: App{HTML: "<p>é\u2028", CSS: "a > b", JS: `"\n"`}, InstanceID: "w.1", Locale: "de", Theme: theme}),
			`{"type":"fill","html":"<p>é\u2028","css":"a > b","js":"\"\\n\"","config":{"theme":{"name":"dark","tokens":{"--lineup-color-text":"#fff"}},"locale":"de","instanceId":"w.1"}}`},
		"theme": {ThemeMessage(Theme{Name: "x y"}, "<b>"), `{"type":"theme","theme":{"name":"light","tokens":{}},"locale":"en"}`},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %s", name, c[0])
		}
	}
}
