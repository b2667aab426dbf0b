package web

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"lineup/surface"
)

// hostPage is the least page that hosts frames: it answers a frame's ready with a
// port, sends what it is told to down, sizes the frame as the frame asks (as the
// real page does) and reports what comes up.
const hostPage = `<!doctype html><body><script>
const log = (frame, kind, value) => fetch("/log", {method: "POST", body: JSON.stringify({frame, kind, value})});
fetch("/frames").then(r => r.json()).then(list => list.forEach(({name, url, down}) => {
  const f = document.createElement("iframe");
  f.setAttribute("sandbox", "allow-scripts");
  f.style.height = "150px";
  let loads = 0;
  f.onload = () => log(name, "load", String(++loads));
  addEventListener("message", e => {
    if (e.source !== f.contentWindow || e.data.type !== "ready") return;
    const c = new MessageChannel();
    c.port1.onmessage = m => {
      log(name, "up", m.data);
      const u = JSON.parse(m.data);
      if (u.type === "resize") f.style.height = u.height + "px";
    };
    f.contentWindow.postMessage({namespace: "lineup.surface.v1", type: "port"}, "*", [c.port2]);
    for (const d of down || []) c.port1.postMessage(d);
  });
  f.src = url;
  document.body.append(f);
}));
</script>`

// said is what the host page reports: Kind is "up" or "load".
type said struct{ Frame, Kind, Value string }

// framed is one frame of a host page. Build makes its document once the host's origin is known.
type framed struct {
	Name  string                                                   `json:"name"`
	URL   string                                                   `json:"url"`
	Down  []string                                                 `json:"down"`
	Build func(hostOrigin string) (doc []byte, header http.Header) `json:"-"`
}

// browse opens a host page with these frames in a real browser, and returns what the page reports.
func browse(t *testing.T, frames *FrameServer, csp string, list ...framed) <-chan said {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	bin, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this system; the end-to-end tests need one too")
	}
	log := make(chan said, 1000)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/log":
			var s said
			if json.NewDecoder(r.Body).Decode(&s) == nil {
				select {
				case log <- s:
				default: // a flood: the test has what it looks for, or fails
				}
			}
		case "/frames":
			for i := range list {
				list[i].URL, _ = frames.Issue(list[i].Build("http://" + r.Host))
			}
			_ = json.NewEncoder(w).Encode(list)
		default:
			if csp != "" {
				w.Header().Set("Content-Security-Policy", csp)
			}
			_, _ = io.WriteString(w, hostPage)
		}
	}))
	t.Cleanup(host.Close)
	cmd := exec.Command(bin, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-dev-shm-usage", "--remote-debugging-port=0",
		"--user-data-dir="+t.TempDir(), host.URL+"/")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return log
}

// await reads reports until ok says that one is it.
func await(t *testing.T, log <-chan said, what string, ok func(said) bool) (all []said) {
	t.Helper()
	deadline := time.After(120 * time.Second)
	for {
		select {
		case s := <-log:
			all = append(all, s)
			if ok(s) {
				return all
			}
		case <-deadline:
			t.Fatalf("no %s; reported: %q", what, all)
		}
	}
}

func onlyFrames(frames *FrameServer) string {
	return "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; frame-src " + frames.Origin()
}

func TestGuestInBrowser(t *testing.T) {
	frames, err := NewFrameServer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	app := surface.App{
		HTML: `<main><p id="city">-</p><button id="b">go</button></main><!-- </script> `,
		CSS:  `main { padding: 16px; height: 300px; box-sizing: border-box } /* </style><script>bad()</script> */`,
		JS: `const mine = "</script><script>bad()</script>";
let ready = false;
document.addEventListener("DOMContentLoaded", () => { ready = true });
Array.prototype.push = JSON.stringify = MessagePort.prototype.postMessage = () => { throw new Error("replaced") };
let n = 0;
LineUpSurface.onState(s => { throw new Error("one listener fails") });
LineUpSurface.onState(s => {
  document.querySelector("#city").textContent = s.city;
  if (++n < 2) return;
  const refused = [["close", {}], ["<b>", {}], ["a", []], ["a", null], ["a", "x"], ["a", {x: "y".repeat(16384)}]]
    .filter(a => { try { LineUpSurface.event(...a); return false } catch { return true } }).length;
  let frozen = true;
  try { LineUpSurface = 1; frozen = LineUpSurface !== 1 } catch {}
  LineUpSurface.event("refresh", {
    unit: "c", city: document.querySelector("#city").textContent, mine, ready, refused,
    frozen: frozen && Object.isFrozen(LineUpSurface) && !delete window.LineUpSurface,
    color: getComputedStyle(document.documentElement).getPropertyValue("--lineup-color-text"),
    scheme: getComputedStyle(document.documentElement).colorScheme,
    theme: LineUpSurface.theme.name, locale: LineUpSurface.locale, id: LineUpSurface.instanceId,
    keys: Object.keys(LineUpSurface).sort().join(), origin: self.origin,
  });
});
Promise.reject(new Error("late"));
fetch("http://127.0.0.1:9/").catch(() => {});`,
	}
	dark := surface.Theme{Name: "dark", Tokens: map[string]string{"--lineup-color-text": "#eee"}}
	log := browse(t, frames, onlyFrames(frames), framed{
		Build: func(host string) ([]byte, http.Header) {
			return surface.BuildDocument(surface.Frame{App: app, InstanceID: "w.1", Locale: "en", Ancestors: []string{host}})
		},
		Down: []string{
			surface.InitMessage("w.1", json.RawMessage(`{"city":"Beijing"}`), dark, "zh-CN"),
			surface.StateMessage(json.RawMessage(`{"city":"Shanghai"}`)),
		},
	})

	var event surface.Uplink
	height := 0.0
	errors := map[string]string{}
	await(t, log, "event, height and errors", func(s said) bool {
		if s.Kind != "up" {
			return false
		}
		u, err := surface.DecodeUplink(s.Value)
		if err != nil {
			t.Fatalf("%v: %s", err, s.Value)
		}
		switch u.Type {
		case "event":
			event = u
		case "resize":
			height = u.Height
		case "error":
			errors[u.Kind] += u.Message
		}
		return event.Event != "" && height > 0 && len(errors) == 3
	})
	want := map[string]any{"unit": "c", "city": "Shanghai", "mine": "</script><script>bad()</script>", "ready": true, "refused": 6.0,
		"frozen": true, "color": "#eee", "scheme": "dark", "theme": "dark", "locale": "zh-CN", "id": "w.1",
		"keys": "event,instanceId,locale,onState,onTheme,resize,theme", "origin": "null"}
	var got map[string]any
	if err := json.Unmarshal(event.Data, &got); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the surface saw\n%v\nwant\n%v", got, want)
	}
	if height != 300 {
		t.Errorf("height %v, want 300", height)
	}
	if !strings.Contains(errors["script"], "one listener fails") || !strings.Contains(errors["rejection"], "late") || !strings.Contains(errors["violation"], "connect-src") {
		t.Errorf("errors %q", errors)
	}
}

// TestHeightSettles: a page that fills its frame must not grow it, and be grown by it, for ever.
func TestHeightSettles(t *testing.T) {
	frames, err := NewFrameServer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	styles := map[string]string{
		"vh":     `body { height: 100vh } main { height: 80px }`,
		"filled": `html, body { height: 100% } main { height: 100% }`,
		"margin": `body { margin: 20px } main { height: 100vh }`,
		"canvas": `canvas { display: block; margin: 5px }`,
		"placed": `main { position: absolute; top: 10px; height: 250px }`,
		"plain":  `main { margin: 30px 0; height: 200px }`,
	}
	var list []framed
	for name, css := range styles {
		list = append(list, framed{Name: name, Build: func(host string) ([]byte, http.Header) {
			return surface.BuildDocument(surface.Frame{Ancestors: []string{host}, InstanceID: "a", App: surface.App{
				HTML: "<main>x</main><canvas></canvas>", CSS: "canvas { display: none } " + css,
				// The event comes long after any loop would have shown.
				JS: `const fill = () => { document.querySelector("canvas").height = innerHeight };
addEventListener("resize", fill);
fill();
setTimeout(() => LineUpSurface.event("settled"), 1500)`,
			}})
		}})
	}
	heights := map[string][]float64{}
	ended := 0
	await(t, browse(t, frames, onlyFrames(frames), list...), "end", func(s said) bool {
		if s.Kind == "up" {
			switch u, err := surface.DecodeUplink(s.Value); {
			case err != nil:
				t.Errorf("%s: %v", s.Frame, err)
			case u.Type == surface.UplinkEvent:
				ended++
			case u.Type == surface.UplinkResize:
				heights[s.Frame] = append(heights[s.Frame], u.Height)
			}
		}
		return ended == len(styles)
	})
	for name := range styles {
		if n := len(heights[name]); n == 0 || n > 3 {
			t.Errorf("%s: %d reports: %v", name, n, heights[name])
		}
	}
	for _, name := range []string{"plain", "placed"} {
		if h := heights[name]; len(h) > 0 && h[len(h)-1] != 260 {
			t.Errorf("%s: %v, want 260 in the end", name, h)
		}
	}
}

func TestProbeInBrowser(t *testing.T) {
	const nonce = "0123456789abcdef"
	for name, c := range map[string]struct {
		csp     func(*FrameServer) string
		escapes bool
	}{
		"sealed": {onlyFrames, false},
		// The host page's frame-src is what keeps a frame from leaving.
		"no frame-src": {func(*FrameServer) string { return "" }, true},
	} {
		t.Run(name, func(t *testing.T) {
			frames, err := NewFrameServer(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			canary, err := NewCanary(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			log := browse(t, frames, c.csp(frames), framed{Build: func(host string) ([]byte, http.Header) {
				return surface.BuildProbe(surface.ProbeIn{
					Nonce: nonce, HostOrigin: host, UIURL: "ws" + strings.TrimPrefix(host, "http") + "/ui",
					CanaryURL: canary.URL(), Ancestors: []string{host},
				})
			}})
			up := await(t, log, "report", func(s said) bool { return s.Kind == "up" })
			r, err := surface.DecodeProbeReport(up[len(up)-1].Value)
			if err != nil || r.Nonce != nonce {
				t.Fatalf("%v in %q", err, up)
			}
			if leaks := r.Leaks(); len(leaks) > 0 {
				t.Errorf("got through: %q", leaks)
			}
			// The frame's attempt to leave loads something, be it an error page.
			await(t, log, "second load", func(s said) bool { return s.Kind == "load" && s.Value == "2" })
			// Not Hits: Chromium connects ahead of a navigation that it then refuses.
			if n := canary.Requests(); (n > 0) != c.escapes {
				t.Errorf("the canary got %d requests", n)
			}
		})
	}
}
