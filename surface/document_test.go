package surface

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// hostileText breaks out of whatever is careless about it.
const hostileText = "</script></style><script>alert(1)</script><!--\u2028\u2029\" ' ` ${x} \\ ]]>"

func TestDocumentCarriesScriptAndStyleAsData(t *testing.T) {
	doc, _ := BuildDocument(Frame{
		App:        App{HTML: "<p id=a>hi</p>", CSS: hostileText, JS: hostileText},
		InstanceID: InstanceID(hostileText), Locale: hostileText,
		Theme: Theme{Name: hostileText, Tokens: map[string]string{"--lineup-x": hostileText, hostileText: "x"}},
	})
	root, err := html.Parse(strings.NewReader(string(doc)))
	if err != nil {
		t.Fatal(err)
	}
	var scripts, styles []string
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode && n.FirstChild != nil {
			switch n.Data {
			case "script":
				scripts = append(scripts, n.FirstChild.Data)
			case "style":
				styles = append(styles, n.FirstChild.Data)
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	if len(scripts) != 1 || len(styles) != 1 {
		t.Fatalf("%d scripts, %d styles", len(scripts), len(styles))
	}
	// What the guest is called with is the last line; it has to give back exactly what went in.
	line := strings.TrimSpace(scripts[0])
	arg := line[strings.LastIndexByte(line, '\n')+1:]
	arg = strings.TrimSuffix(strings.TrimPrefix(arg, "("), ")")
	if strings.ContainsAny(arg, "<>\u2028\u2029") {
		t.Errorf("not escaped: %q", arg)
	}
	var config struct{ CSS, JS, Locale string }
	if err := json.Unmarshal([]byte(arg), &config); err != nil {
		t.Fatalf("%v in %q", err, arg)
	}
	if config.CSS != hostileText || config.JS != hostileText || config.Locale != "en" {
		t.Errorf("%+v", config)
	}
}

func TestHeadersAreClosed(t *testing.T) {
	_, surface := BuildDocument(Frame{App: App{HTML: "x"}, Ancestors: []string{"http://127.0.0.1:4000", "wails://wails", "wails:"}})
	doc, spare := BuildSpare(Frame{App: weather(), InstanceID: "w.1", Ancestors: []string{"http://127.0.0.1:4000", "wails://wails", "wails:"}})
	if strings.Contains(string(doc), "refresh") || strings.Contains(string(doc), "w.1") {
		t.Error("a spare knows its surface before it is filled")
	}
	_, probe := BuildProbe(ProbeIn{Ancestors: []string{"http://127.0.0.1:4000", "wails://wails", "wails:"}})
	want := "default-src 'none'; connect-src 'none'; img-src data: blob:; media-src data: blob:; font-src data:; " +
		"style-src 'unsafe-inline'; script-src 'unsafe-inline'; sandbox allow-scripts; form-action 'none'; base-uri 'none'; " +
		"frame-src 'none'; child-src 'none'; worker-src 'none'; object-src 'none'; manifest-src 'none'; " +
		"frame-ancestors http://127.0.0.1:4000 wails://wails wails:"
	for name, h := range map[string]http.Header{"surface": surface, "spare": spare, "probe": probe} {
		if got := h.Get("Content-Security-Policy"); got != want {
			t.Errorf("%s: %s", name, got)
		}
		for k, v := range map[string]string{
			"Content-Type": "text/html; charset=utf-8", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
		} {
			if h.Get(k) != v {
				t.Errorf("%s: %s is %q", name, k, h.Get(k))
			}
		}
		for _, f := range []string{"camera=()", "microphone=()", "geolocation=()", "clipboard-read=()", "fullscreen=()"} {
			if !strings.Contains(h.Get("Permissions-Policy"), f) {
				t.Errorf("%s: %s is missing", name, f)
			}
		}
	}
}

func TestAncestorsFailClosed(t *testing.T) {
	for _, list := range [][]string{nil, {""}, {"*"}, {"http://*"}, {"'self'; script-src *"}, {"http://a b"}, {"http://a/x"}, {"HTTP://A"}, {"http://a\nX: y"}} {
		_, h := BuildDocument(Frame{Ancestors: list})
		if csp := h.Get("Content-Security-Policy"); !strings.HasSuffix(csp, "frame-ancestors 'none'") {
			t.Errorf("%q: %s", list, csp)
		}
	}
}

func report(nonce string, change func([]map[string]any) []map[string]any) string {
	var list []map[string]any
	for _, name := range ProbeAttempts() {
		list = append(list, map[string]any{"name": name, "got_through": false})
	}
	if change != nil {
		list = change(list)
	}
	b, _ := json.Marshal(map[string]any{"namespace": ProbeNamespace, "nonce": nonce, "attempts": list})
	return string(b)
}

func TestDecodeProbeReport(t *testing.T) {
	const nonce = "0123456789abcdef"
	r, err := DecodeProbeReport(report(nonce, func(l []map[string]any) []map[string]any {
		l[3]["got_through"] = true
		return l
	}))
	if err != nil || r.Nonce != nonce || len(r.Attempts) != len(ProbeAttempts()) || !slices.Equal(r.Leaks(), ProbeAttempts()[3:4]) {
		t.Errorf("%+v %v", r, err)
	}
	for name, raw := range map[string]string{
		"empty":        "",
		"other":        `{"namespace":"lineup.surface.v1","type":"ready"}`,
		"no attempts":  `{"namespace":"lineup.probe.v1","nonce":"` + nonce + `","attempts":[]}`,
		"short nonce":  report("x", nil),
		"one missing":  report(nonce, func(l []map[string]any) []map[string]any { return l[1:] }),
		"one twice":    report(nonce, func(l []map[string]any) []map[string]any { return append(l, l[0]) }),
		"one unknown":  report(nonce, func(l []map[string]any) []map[string]any { l[0]["name"] = "x"; return l }),
		"no outcome":   report(nonce, func(l []map[string]any) []map[string]any { delete(l[0], "got_through"); return l }),
		"null outcome": report(nonce, func(l []map[string]any) []map[string]any { l[0]["got_through"] = nil; return l }),
		"a text":       report(nonce, func(l []map[string]any) []map[string]any { l[0]["got_through"] = "false"; return l }),
		"huge":         report(nonce, nil) + strings.Repeat(" ", 16<<10),
	} {
		if _, err := DecodeProbeReport(raw); code(err) != CodeBadReport {
			t.Errorf("%s: %v", name, err)
		}
	}
}
