package surface

import (
	"fmt"
	"strings"
	"testing"
)

// said lists findings as "severity code file:line:column detail".
func said(list []Finding) string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s %s %s:%d:%d %s", f.Severity, f.Code, f.File, f.Line, f.Column, f.Detail))
	}
	return strings.Join(out, "\n")
}

func lintApp(html, css, js string, events ...string) []Finding {
	return Lint(Bundle{App: App{ID: "com.example.a", Name: "A", Version: "1.0.0", HTML: html, CSS: css, JS: js, Events: events}})
}

const quiet = `LineUpSurface.onState(draw);`

func TestLintGood(t *testing.T) {
	list := lintApp(`<h1 id="t">Hi</h1><a href="#t">up</a><img src="data:image/png;base64,AA=="><svg><use href="#x"/></svg>
<img srcset="data:image/png;base64,AA== 1x, data:image/png;base64,BB== 2x"><button type="button" onclick="LineUpSurface.event('go', {})">Go</button>`,
		`@namespace url(http://www.w3.org/1999/xhtml); a{background:url(#g),url("data:image/png;base64,AA==")} b{background:image-set(url(data:,x) type("image/png"))}`,
		`const fetch = () => 1; fetch(); let o = { alert: 1, open() {}, import: 2 }; o.alert; o.open(); o.fetch();
/* fetch('x') */ "localStorage"; // alert(1)
`+"const s = `fetch(1) ${o.open()}`; /localStorage.x/.test(s);"+`
class Box { open() { return this.parent.top } } new Box().open(); LineUpSurface.event("go", {}); window.LineUpSurface.event("stop", {}); caches => caches;
switch (s) { case o: top: for (;;) break top }`, "go", "stop")
	if len(list) != 0 {
		t.Errorf("a good bundle has findings:\n%s", said(list))
	}
}

func TestLint(t *testing.T) {
	for _, c := range []struct{ html, css, js, want string }{
		{html: "<p>a\n <img alt=x SRC='https://e.example/a.png'>", want: "warning external_url index.html:2:13 https://e.example/a.png"},
		{html: `<img srcset="a.png 1x, data:,x 2x">`, want: "warning external_url index.html:1:6 a.png"},
		{html: `<video poster=x.jpg></video><object data=x></object>`, want: "warning external_url index.html:1:8 x.jpg\nwarning embedded index.html:1:29 object"},
		{html: `<p style="color:red;background:url(x.png)">`, want: "warning external_url index.html:1:32 x.png"},
		{html: "<style>\n@import 'a.css';\nb{background:url(//e.example/x)}</style>", want: "warning css_import index.html:2:1 @import\nwarning external_url index.html:3:14 //e.example/x"},
		{html: `<script src="a.js"></script>`, want: "warning script_src index.html:1:9 a.js"},
		{html: `<link rel="preload stylesheet" href=a.css><link rel=icon href=x>`, want: "warning stylesheet_link index.html:1:1 a.css\nwarning link_element index.html:1:43 icon"},
		{html: `<base href="/x"><meta http-equiv=Refresh content="0;url=x">`, want: "warning base index.html:1:1 /x\nwarning refresh index.html:1:17 0;url=x"},
		{html: `<form action="/go"><button formaction=x>`, want: "warning form index.html:1:1 /go\nwarning form index.html:1:28 x"},
		{html: `<a href="https://e.example/">x</a><iframe src=x></iframe>`, want: "warning link_leaves index.html:1:4 https://e.example/\nwarning embedded index.html:1:43 x"},
		{html: `<svg><image href="x.png"/><use xlink:href="x.svg#a"/></svg>`, want: "warning external_url index.html:1:13 x.png\nwarning external_url index.html:1:32 x.svg#a"},
		{html: `<button onclick="alert(1)">`, want: "warning dialog index.html:1:18 alert"},
		{html: "<script>\nfetch('x')</script>", want: "warning network index.html:2:1 fetch"},
		{html: `<script type="application/json">fetch(</script>`, want: ""},
		{html: `<!-- <img src=x> --><textarea><img src=x></textarea>`, want: ""},
		{css: "a{}\nb { background: url(  'x.png' ) }", want: "warning external_url style.css:2:17 x.png"},
		{css: `@font-face{src:url(a.woff2)} a{background:image-set("a.png" 1x)}`, want: "warning external_url style.css:1:16 a.woff2\nwarning external_url style.css:1:53 a.png"},
		{js: quiet + "\nawait_ = fetch('x'); new WebSocket('ws://x'); new window.EventSource('x'); navigator.sendBeacon('x')",
			want: "warning network script.js:2:10 fetch\nwarning network script.js:2:26 WebSocket\nwarning network script.js:2:58 EventSource\nwarning network script.js:2:86 navigator.sendBeacon"},
		{js: quiet + "localStorage.a = 1; window.sessionStorage.b; document.cookie; self.indexedDB",
			want: "warning storage script.js:1:29 localStorage\nwarning storage script.js:1:56 sessionStorage\nwarning storage script.js:1:83 document.cookie\nwarning storage script.js:1:96 indexedDB"},
		{js: quiet + "alert(1); window.open('x'); eval('1'); new Function('1'); setTimeout('a()', 1)",
			want: "warning dialog script.js:1:29 alert\nwarning popup script.js:1:46 open\nwarning eval script.js:1:57 eval\nwarning eval script.js:1:72 Function\nwarning eval script.js:1:87 setTimeout"},
		{js: quiet + "location = 'x'; location.href = 'y'; window.location.reload(); location.assign('z'); location.hash",
			want: "warning navigate script.js:1:29 location\nwarning navigate script.js:1:45 location\nwarning navigate script.js:1:82 location.reload\nwarning navigate script.js:1:101 location.assign"},
		{js: quiet + "parent.postMessage(1,'*'); window.top; img.src = 'http://x/y.png'; f.addEventListener('submit', g); import('x')",
			want: "warning parent script.js:1:29 parent\nwarning parent script.js:1:63 top\nwarning external_url script.js:1:72 http://x/y.png\nwarning form script.js:1:98 addEventListener\nwarning import script.js:1:129 import()"},
		{js: quiet + "navigator.clipboard.writeText('x'); new Worker('x'); document.write('x'); e.requestFullscreen()",
			want: "warning permission script.js:1:39 navigator.clipboard\nwarning worker script.js:1:69 Worker\nwarning document_write script.js:1:91 document.write\nwarning permission script.js:1:105 requestFullscreen"},
		{js: "let a = ;", want: "error js_syntax script.js:1:9 unexpected ; in expression"},
		{js: "// é\nimport x from 'y';" + quiet, want: "error module script.js:2:1 import"},
		{js: quiet + "export const a = 1", want: "error module script.js:1:29 export"},
		{js: "document.title", want: "warning no_bridge script.js:1:1 "},
		{js: "0777;" + quiet, want: ""},
		{js: `LineUpSurface.event("close"); LineUpSurface.event('9'); LineUpSurface.event("go")`,
			want: "warning event_close script.js:1:21 close\nwarning event_name script.js:1:51 9"},
	} {
		if c.html == "" {
			c.html = "<p></p>"
		}
		if got := said(lintApp(c.html, c.css, c.js)); got != c.want {
			t.Errorf("html %q css %q js %q\ngot:\n%s\nwant:\n%s", c.html, c.css, c.js, got, c.want)
		}
	}
}

func TestLintEventsDeclared(t *testing.T) {
	want := `warning event_undeclared script.js:1:21 stop`
	if got := said(lintApp("<p>", "", `LineUpSurface.event("stop"); LineUpSurface.event("go"); LineUpSurface.event("g" + x)`, "go")); got != want {
		t.Errorf("got %s", got)
	}
}

// TestLintRefuses: what Check and CheckState refuse is an error, so nothing
// that lints clean is refused when it opens.
func TestLintRefuses(t *testing.T) {
	good := App{ID: "com.example.a", Name: "A", Version: "1.0.0", HTML: "<p>"}
	for _, c := range []struct {
		name, want string
		b          func(*Bundle)
	}{
		{"id", "error bad_app surface.json", func(b *Bundle) { b.App.ID = "a" }},
		{"version", "error bad_app surface.json", func(b *Bundle) { b.App.Version = "1" }},
		{"html", "error bad_app index.html", func(b *Bundle) { b.App.HTML, b.App.JS = "", "x" }},
		{"event", "error bad_app surface.json", func(b *Bundle) { b.App.Events = []string{"close"} }},
		{"large", "error too_large index.html", func(b *Bundle) { b.App.HTML = strings.Repeat("x", MaxBundle+1) }},
		{"integrity", "error integrity surface.json", func(b *Bundle) { b.App.Integrity = Digest("", "", "") }},
		{"state", "error bad_state surface.json", func(b *Bundle) { b.State = []byte(`[]`) }},
		{"schema", "warning bad_schema surface.json", func(b *Bundle) { b.StateSchema = []byte(`{"$ref":"https://e.example/s.json"}`) }},
		{"endless schema", "warning bad_schema surface.json", func(b *Bundle) { b.StateSchema = []byte(`{"$ref":"#"}`) }},
		{"state against its schema", "warning state_schema surface.json:0:0 a/0: expected string, but got number", func(b *Bundle) {
			b.State, b.StateSchema = []byte(`{"a":[1]}`), []byte(`{"properties":{"a":{"items":{"type":"string"}}}}`)
		}},
		{"near", "note size_near", func(b *Bundle) { b.App.HTML = strings.Repeat("x", MaxBundle) }},
	} {
		b := Bundle{App: good}
		c.b(&b)
		if got := said(Lint(b)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLintIsBounded(t *testing.T) {
	list := lintApp(strings.Repeat("<img src=x>\n", MaxBundle/12), "", "")
	if len(list) != maxFindings+1 || list[maxFindings].Code != "more" {
		t.Errorf("%d findings, the last %+v", len(list), list[len(list)-1])
	}
	if f := lintApp("<img src='"+strings.Repeat("é", 1000)+"'>", "", "")[0]; len(f.Detail) > maxDetail {
		t.Errorf("a detail of %d bytes", len(f.Detail))
	}
}

func TestLintWordsAreWhole(t *testing.T) {
	for code, w := range lintWords {
		for _, text := range []string{w.en, w.enFix, w.zh, w.zhFix} {
			if text == "" {
				t.Errorf("%s lacks words", code)
			}
		}
		if strings.Contains(w.en, "{detail}") != strings.Contains(w.zh, "{detail}") {
			t.Errorf("%s: the languages differ in their detail", code)
		}
	}
	if what, fix := (Finding{Code: "base"}).Words("zh-CN"); what == "" || fix == "" || strings.Contains(what, "{") {
		t.Errorf("%q %q", what, fix)
	}
	if what, _ := (Finding{Code: "external_url", Detail: "x.png"}).Words("en"); !strings.HasSuffix(what, "addresses: x.png") {
		t.Errorf("%q", what)
	}
	if what, _ := (Finding{Code: "external_url"}).Words("en"); !strings.HasSuffix(what, "addresses.") {
		t.Errorf("%q", what)
	}
	if what, _ := (Finding{Code: "link_leaves"}).Words("en"); strings.Contains(what, "()") {
		t.Errorf("%q", what)
	}
}

// FuzzLint: no panic, no hang, positions inside the files, words for every
// code, and an error for whatever Check refuses.
func FuzzLint(f *testing.F) {
	f.Add(`<img src=x onerror="a()"><style>@import "x"</style><script>import("x")</script>`, "a{b:url(x", "const a=`${b}`; LineUpSurface.event('x')", `{"required":["a"]}`)
	f.Add("<form><base><meta http-equiv=refresh>", "@import url(", "if (a) /x/.test(b)", `{"$ref":"#"}`)
	f.Add("<a href=", "image-set(", "`${`", `{"type":"object"}`)
	f.Fuzz(func(t *testing.T, html, css, js, schema string) {
		b := Bundle{App: App{ID: "com.example.a", Name: "A", Version: "1.0.0", HTML: html, CSS: css, JS: js}}
		if scan([]byte(schema), maxSchemaDepth) == "" {
			b.StateSchema = []byte(schema) // as much as a bundle's reader lets through
		}
		lines := map[string]int{htmlFile: 1 + strings.Count(html, "\n"), cssFile: 1 + strings.Count(css, "\n"), jsFile: 1 + strings.Count(js, "\n")}
		errors := 0
		for _, x := range Lint(b) {
			if what, fix := x.Words("en"); what == "" || fix == "" {
				t.Errorf("no words for %q", x.Code)
			}
			if n, ok := lines[x.File]; ok && x.Line > n {
				t.Errorf("%+v is beyond the file's %d lines", x, n)
			}
			if len(x.Detail) > maxDetail {
				t.Errorf("a detail of %d bytes", len(x.Detail))
			}
			if x.Severity == LintError {
				errors++
			}
		}
		if err := Check(b.App); err != nil && errors == 0 {
			t.Errorf("Check refuses (%v) what Lint passes", err)
		}
	})
}
