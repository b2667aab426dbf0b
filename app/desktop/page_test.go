package desktop

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func get(t *testing.T, g *gate, path string) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Result()
}

func open(page http.Handler) *gate {
	settled := make(chan struct{})
	close(settled)
	return &gate{settled: settled, page: page}
}

func TestNothingIsServedBeforeTheViewIsSettled(t *testing.T) {
	settled := make(chan struct{})
	served := make(chan string, 2)
	g := &gate{settled: settled, page: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { served <- r.URL.Path })}
	done := make(chan struct{})
	go func() {
		defer close(done)
		get(t, g, "/session.json")
	}()
	// A request whose client has gone is let go, still unserved.
	gone := httptest.NewRequest(http.MethodGet, "/", nil)
	ctx, cancel := context.WithCancel(gone.Context())
	cancel()
	g.ServeHTTP(httptest.NewRecorder(), gone.WithContext(ctx))
	if len(served) != 0 {
		t.Fatalf("served %s before the view was settled", <-served)
	}
	close(settled)
	<-done
	if got := <-served; got != "/session.json" {
		t.Fatalf("served %s", got)
	}
}

// TestWailsLeavesThePageAlone: its asset server changes text/html with status
// 200, and answers 404 itself.
func TestWailsLeavesThePageAlone(t *testing.T) {
	for name, test := range map[string]struct {
		serve  http.HandlerFunc
		status int
		body   string
	}{
		"declared page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<p>page")
		}, 203, "<p>page"},
		"sniffed page": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<!doctype html><p>page") }, 203, "<!doctype html><p>page"},
		"explicit 200": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(200)
			w.WriteHeader(500)
		}, 203, ""},
		"script":    {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/javascript") }, 200, ""},
		"not found": {http.NotFound, 410, "404 page not found\n"},
		"refused":   {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", 403) }, 403, "no\n"},
		"panic": {func(http.ResponseWriter, *http.Request) {
			var nothing *int
			*nothing = 1
		}, 500, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := get(t, open(test.serve), "/")
			body, _ := io.ReadAll(r.Body)
			if r.StatusCode != test.status || string(body) != test.body {
				t.Errorf("%d %q", r.StatusCode, body)
			}
			if strings.Contains(r.Header.Get("Content-Type"), "text/html") && r.StatusCode == 200 {
				t.Error("Wails would rewrite this answer")
			}
		})
	}
}

func TestSealReport(t *testing.T) {
	whole := SealReport{Tried: true, HandlerRemoved: true, ProxyDead: true, Guarded: true}
	if !whole.OK() || whole.Why() != "" {
		t.Errorf("whole: %v %q", whole.OK(), whole.Why())
	}
	broken := map[string]func(*SealReport){
		"unsealed":   func(r *SealReport) { r.Tried = false },
		"handler":    func(r *SealReport) { r.HandlerRemoved = false },
		"network":    func(r *SealReport) { r.ProxyDead = false },
		"navigation": func(r *SealReport) { r.Guarded = false },
		"no view":    func(r *SealReport) { r.Problem = "no view" },
	}
	for word, breakIt := range broken {
		r := whole
		breakIt(&r)
		if r.OK() || !strings.Contains(r.Why(), word) {
			t.Errorf("%s: %v %q", word, r.OK(), r.Why())
		}
	}
	if (SealReport{}).OK() {
		t.Error("the zero report is sealed")
	}
}
