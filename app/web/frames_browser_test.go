package web

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"lineup/surface"
)

// hostPage is the least page that hosts frames: it answers a frame's ready with a
// port, sends what it is told to down, sizes the frame as the frame asks (as the
// real page does) and reports what comes up. Messages down that are lists are sent
// when the frame has sent an event "next", one list each time.
const hostPage = `<!doctype html><body><script>
let last = Promise.resolve();
const log = (frame, kind, value) => {
  const body = JSON.stringify({frame, kind, value});
  last = last.then(() => fetch("/log", {method: "POST", body}));
};
fetch("/frames").then(r => r.json()).then(list => list.forEach(({name, url, down, hidden}) => {
  const f = document.createElement("iframe");
  f.setAttribute("sandbox", "allow-scripts");
  f.setAttribute("referrerpolicy", "no-referrer");
  f.style.height = "150px";
  if (hidden) f.style.display = "none";
  let loads = 0, next;
  f.onload = () => log(name, "load", String(++loads));
  addEventListener("message", e => {
    if (e.source !== f.contentWindow || e.data.type !== "ready") return;
    const c = new MessageChannel();
    c.port1.onmessage = m => {
      log(name, "up", m.data);
      const u = JSON.parse(m.data);
      if (u.type === "resize") f.style.height = u.height + "px";
      if (u.type === "event" && u.event === "next") next();
    };
    f.contentWindow.postMessage({namespace: "lineup.surface.v1", type: "port"}, "*", [c.port2]);
    const later = [];
    for (const d of down || []) Array.isArray(d) ? later.push(d) : c.port1.postMessage(d);
    next = () => (later.shift() || []).forEach(d => c.port1.postMessage(d));
  });
  f.src = url;
  document.body.append(f);
}));
</script>`

// said is what the host page reports: Kind is "up" or "load".
type said struct{ Frame, Kind, Value string }

// framed is one frame of a host page. Build makes its document once the host's origin is known.
type framed struct {
	Name   string                                                   `json:"name"`
	URL    string                                                   `json:"url"`
	Down   []any                                                    `json:"down"`   // strings, or lists of them
	Hidden bool                                                     `json:"hidden"` // nothing of it is drawn
	Build  func(hostOrigin string) (doc []byte, header http.Header) `json:"-"`
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
	// Not t.TempDir: a browser's last process may write a moment longer than it is waited for.
	profile, err := os.MkdirTemp("", "lineup-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(profile) })
	cmd := exec.Command(bin, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-dev-shm-usage", "--remote-debugging-port=0",
		"--user-data-dir="+profile, host.URL+"/")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		late := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		late.Stop()
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
