package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"lineup/surface"
)

// surfaceFrame is a surface's frame: cold, or a spare that is filled. down is what it is sent after that.
func surfaceFrame(name string, warm bool, f surface.Frame, down ...any) framed {
	build := surface.BuildDocument
	if warm {
		build = surface.BuildSpare
		down = append([]any{surface.FillMessage(f)}, down...)
	}
	return framed{Name: name, Down: down, Build: func(host string) ([]byte, http.Header) {
		own := f
		if own.Ancestors = []string{host}; warm {
			own.App, own.InstanceID = surface.App{}, ""
		}
		return build(own)
	}}
}

func bothWays(t *testing.T, run func(t *testing.T, warm bool)) {
	for name, warm := range map[string]bool{"cold": false, "warm": true} {
		t.Run(name, func(t *testing.T) { run(t, warm) })
	}
}

func newFrames(t *testing.T) *FrameServer {
	t.Helper()
	frames, err := NewFrameServer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return frames
}

func decodeUp(t *testing.T, s said) surface.Uplink {
	t.Helper()
	u, err := surface.DecodeUplink(s.Value)
	if err != nil {
		t.Fatalf("%s: %v: %s", s.Frame, err, s.Value)
	}
	return u
}

func large(fields string) json.RawMessage {
	return json.RawMessage(`{"pad":"` + strings.Repeat("x", 20_000) + `",` + fields + `}`)
}

// surfacesSee is what surfaces see, in a frame of their own and in a spare one that
// was filled. Each surface says is(data) once.
var surfacesSee = []struct {
	name          string
	html, css, js string
	down          []any // after init
	want          string
}{
	{name: "what runs when", css: ":root { --x: 1 }",
		html: `<script>var log = ["inline " + document.readyState + " " + typeof LineUpSurface + " " + !!document.currentScript + " " +
  getComputedStyle(document.documentElement).getPropertyValue("--x")];
addEventListener("load", () => log.push("load"));
document.addEventListener("DOMContentLoaded", () => log.push("content"))</script>
<script type="module">log.push("module")</script><p id="end">`,
		js:   `log.push("js " + document.readyState + " " + !!document.querySelector("#end")); addEventListener("load", () => setTimeout(() => is({log})))`,
		want: `{"log":["inline loading object true 1","js interactive true","module","content","load"]}`},
	{name: "the document", css: "p { color: red }", html: `<p>one<p>two</div></body><!-- three --><b>`,
		js: `setTimeout(() => is({mode: document.compatMode, charset: document.characterSet, origin, referrer: document.referrer,
  head: [...document.head.children].map(e => e.localName), body: document.body.innerHTML, before: document.firstChild.nodeName,
  root: document.documentElement.lang + " " + document.documentElement.dataset.theme, frames: frames.length}))`,
		want: `{"mode":"CSS1Compat","charset":"UTF-8","origin":"null","referrer":"","head":["meta","meta","style","style"],
"body":"<p>one</p><p>two<b></b></p>","before":"html","root":"zh-CN dark","frames":0}`},
	{name: "a document written on", html: `<script>document.write("<i>" + "w</i>"); let a = 1; var b = 2; function c() { return 3 }</script><u id="d"></u>`,
		js: `is({list: [document.querySelector("i").textContent, a, b, c(), d.localName]})`, want: `{"list":["w",1,2,3,"u"]}`},
	{name: "text that ends elements", html: `<p>x</p>`, css: `/* </style><script>bad()</script> */ p { top: 7px }`,
		js:   `const mine = "</script><script>bad()</script>"; is({mine, top: getComputedStyle(document.querySelector("p")).top})`,
		want: `{"mine":"</script><script>bad()</script>","top":"7px"}`},
	{name: "an html that begins a comment", html: `<p>x</p><!-- </script> `, js: `is({n: document.querySelectorAll("p").length})`, want: `{"n":1}`},
	{name: "the global", js: `let frozen = true;
try { LineUpSurface = 1; frozen = LineUpSurface !== 1 } catch {}
const refused = [["close", {}], ["<b>", {}], ["a", []], ["a", null], ["a", "x"], ["a", {x: "y".repeat(16384)}]]
  .filter(a => { try { LineUpSurface.event(...a); return false } catch { return true } }).length;
is({frozen: frozen && Object.isFrozen(LineUpSurface) && !delete window.LineUpSurface, refused, id: LineUpSurface.instanceId,
  keys: Object.keys(LineUpSurface).sort().join(), theme: LineUpSurface.theme.name, locale: LineUpSurface.locale,
  token: LineUpSurface.theme.tokens["--lineup-color-text"], frozenTheme: Object.isFrozen(LineUpSurface.theme.tokens)})`,
		want: `{"frozen":true,"refused":6,"id":"w.1","keys":"event,instanceId,locale,onState,onTheme,resize,theme","theme":"dark","locale":"zh-CN","token":"#eee","frozenTheme":true}`},
	{name: "the look", js: `const color = () => getComputedStyle(document.documentElement).getPropertyValue("--lineup-color-text");
const before = [color(), getComputedStyle(document.documentElement).colorScheme];
LineUpSurface.onTheme(t => is({before, after: [color(), t.name, LineUpSurface.locale, document.documentElement.lang]}));
LineUpSurface.event("next")`,
		down: []any{[]string{surface.ThemeMessage(surface.Theme{Name: "light", Tokens: map[string]string{"--lineup-other": "1"}}, "de")}},
		want: `{"before":["#eee","dark"],"after":["","light","de","de"]}`},
	{name: "builtins replaced", js: `const was = LineUpSurface.event;
Array.prototype.push = JSON.stringify = JSON.parse = MessagePort.prototype.postMessage = Object.keys = Array.prototype.slice =
  document.open = setTimeout = requestAnimationFrame = () => { throw new Error("replaced") };
LineUpSurface.onState(s => { throw new Error("one listener fails") });
LineUpSurface.onState(s => { s.n === 1 ? was("next") : was("is", {n: s.n}) })`,
		down: []any{[]string{surface.StateMessage(json.RawMessage(`{"n":2}`))}}, want: `{"n":2}`},
	{name: "no port", html: `<script>let ports = 0;
addEventListener("message", e => { ports += e.ports.length }, true)</script>`,
		js:   `LineUpSurface.onState(() => setTimeout(() => is({ports}), 200))`,
		want: `{"ports":0}`},
	{name: "a state it spoils", js: `let n = 0;
LineUpSurface.onState(s => {
  const seen = JSON.stringify([s.list, s.a]);
  s.list.length = 0; delete s.pad; s.a = "spoilt"; s.list.push({x: 1});
  if (++n < 4) LineUpSurface.event("next"); else is({seen});
})`,
		down: []any{
			[]string{surface.StateMessage(large(`"list":[1,{"b":2}],"a":0`))},
			[]string{surface.DiffMessage(json.RawMessage(`[[["a"],1],[["list",1,"b"],-0],[["list"],2,0,[3]]]`))},
			[]string{surface.DiffMessage(json.RawMessage(`[[["list"],0,1,[]]]`))},
		},
		want: `{"seen":"[[{\"b\":0},3],1]"}`},
	{name: "a second fill", html: "<p>first", js: `LineUpSurface.onState(s => s.n === 1 ? LineUpSurface.event("next") : is({body: document.body.textContent}))`,
		down: []any{[]string{
			surface.FillMessage(surface.Frame{App: surface.App{HTML: "<p>second", JS: `LineUpSurface.event("intruder")`}}),
			surface.StateMessage(json.RawMessage(`{"n":2}`)),
		}},
		want: `{"body":"first"}`},
}

func TestSurfacesSeeTheSameBothWays(t *testing.T) {
	bothWays(t, func(t *testing.T, warm bool) {
		frames := newFrames(t)
		dark := surface.Theme{Name: "dark", Tokens: map[string]string{"--lineup-color-text": "#eee"}}
		var list []framed
		for _, c := range surfacesSee {
			list = append(list, surfaceFrame(c.name, warm, surface.Frame{InstanceID: "w.1", Locale: "zh-CN", Theme: dark,
				App: surface.App{HTML: c.html, CSS: c.css, JS: `const is = data => LineUpSurface.event("is", data);` + c.js},
			}, append([]any{surface.InitMessage("w.1", json.RawMessage(`{"n":1,"list":[]}`), dark, "zh-CN")}, c.down...)...))
		}
		seen, loads := map[string]string{}, map[string]int{}
		await(t, browse(t, frames, onlyFrames(frames), list...), "word of every surface", func(s said) bool {
			if s.Kind == "load" {
				loads[s.Frame]++
			} else if u := decodeUp(t, s); u.Event == "is" {
				seen[s.Frame] = string(u.Data)
			} else if u.Event == "intruder" {
				t.Errorf("%s was filled twice", s.Frame)
			} else if u.Type == surface.UplinkError && s.Frame != "builtins replaced" {
				t.Errorf("%s: %s", s.Frame, u.Message)
			}
			all := len(seen) == len(surfacesSee)
			for _, c := range surfacesSee {
				all = all && loads[c.name] >= map[bool]int{false: 1, true: 2}[warm]
			}
			return all
		})
		for _, c := range surfacesSee {
			var got, want any
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			_ = json.Unmarshal([]byte(seen[c.name]), &got)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\n%s, want\n%s", c.name, seen[c.name], c.want)
			}
			if n := loads[c.name]; n != map[bool]int{false: 1, true: 2}[warm] {
				t.Errorf("%s loaded %d times", c.name, n)
			}
		}
	})
}

// TestGuestTellsInOrder: first that the frame is there, then what its scripts said meanwhile.
func TestGuestTellsInOrder(t *testing.T) {
	bothWays(t, func(t *testing.T, warm bool) {
		frames := newFrames(t)
		log := browse(t, frames, onlyFrames(frames), surfaceFrame("f", warm, surface.Frame{InstanceID: "a", App: surface.App{
			HTML: `<script>LineUpSurface.event("inline")</script>`,
			JS:   `LineUpSurface.event("js"); LineUpSurface.onState(() => LineUpSurface.event("state")); onmessage = () => {}`,
		}}, surface.InitMessage("a", nil, surface.Theme{}, "en"), surface.PingMessage(1<<53-1)))
		var told []string
		await(t, log, "pong", func(s said) bool {
			if s.Kind != "up" {
				return false
			}
			u := decodeUp(t, s)
			switch u.Type {
			case surface.UplinkResize:
			case surface.UplinkPong:
				told = append(told, fmt.Sprint("pong ", u.N))
				return true
			default:
				told = append(told, u.Type+u.Event)
			}
			return false
		})
		want := []string{"filled", "eventinline", "eventjs", "eventstate", "pong 9007199254740991"}
		if !warm {
			want = want[1:]
		}
		if !reflect.DeepEqual(told, want) {
			t.Errorf("%q, want %q", told, want)
		}
	})
}

func TestGuestReportsErrors(t *testing.T) {
	bothWays(t, func(t *testing.T, warm bool) {
		frames := newFrames(t)
		log := browse(t, frames, onlyFrames(frames), surfaceFrame("f", warm, surface.Frame{InstanceID: "a", App: surface.App{
			HTML: `<script>notThere()</script>`,
			JS:   `Promise.reject(new Error("late")); fetch("http://127.0.0.1:9/").catch(() => {})`,
		}}))
		errors := map[string]string{}
		await(t, log, "errors", func(s said) bool {
			if s.Kind == "up" {
				if u := decodeUp(t, s); u.Type == surface.UplinkError {
					errors[u.Kind] += u.Message
				}
			}
			return len(errors) == 3
		})
		if !strings.Contains(errors["script"], "notThere") || !strings.Contains(errors["rejection"], "late") || !strings.Contains(errors["violation"], "connect-src") {
			t.Errorf("%q", errors)
		}
	})
}

// TestStatesFasterThanTheScreen reach the surface as fewer; the first at once and the last always, also
// where nothing is drawn.
func TestStatesFasterThanTheScreen(t *testing.T) {
	bothWays(t, func(t *testing.T, warm bool) {
		frames := newFrames(t)
		js := `const seen = [];
LineUpSurface.onState(s => { seen.push(s.n); if (s.n === 0) LineUpSurface.event("next"); if (s.n === 200) LineUpSurface.event("is", {seen}) })`
		var burst []string
		for n := 1; n <= 200; n++ {
			state := large(fmt.Sprintf(`"n":%d`, n))
			// Whole ones and differences in turns.
			if ops, ok := surface.Diff(large(fmt.Sprintf(`"n":%d`, n-1)), state); n%3 > 0 && ok {
				burst = append(burst, surface.DiffMessage(ops))
			} else {
				burst = append(burst, surface.StateMessage(state))
			}
		}
		var list []framed
		for _, name := range []string{"shown", "hidden"} {
			f := surfaceFrame(name, warm, surface.Frame{InstanceID: "a", App: surface.App{JS: js}},
				surface.InitMessage("a", large(`"n":0`), surface.Theme{}, "en"), burst)
			f.Hidden = name == "hidden"
			list = append(list, f)
		}
		seen := map[string][]int{}
		await(t, browse(t, frames, onlyFrames(frames), list...), "last state", func(s said) bool {
			if s.Kind == "up" {
				if u := decodeUp(t, s); u.Event == "is" {
					var data struct{ Seen []int }
					_ = json.Unmarshal(u.Data, &data)
					seen[s.Frame] = data.Seen
				} else if u.Type == surface.UplinkError {
					t.Errorf("%s: %s", s.Frame, u.Message)
				}
			}
			return len(seen) == 2
		})
		for name, list := range seen {
			t.Logf("%s saw %v", name, list)
			// A slow machine may need several frames for 200 messages; never one for each.
			if list[0] != 0 || list[len(list)-1] != 200 || len(list) > 60 {
				t.Errorf("%s saw %v", name, list)
			}
		}
	})
}
