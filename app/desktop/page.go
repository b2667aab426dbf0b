package desktop

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
)

// gate serves the page to the web view, and not before the view is settled:
// sealed, or known not to be. A document that was loaded earlier would live with
// Wails' message handler in reach.
type gate struct {
	settled <-chan struct{}
	page    http.Handler
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-g.settled:
	case <-r.Context().Done():
		return
	}
	plain := &plainWriter{ResponseWriter: w}
	// net/http would do this; Wails lets a panic end the program.
	defer func() {
		if problem := recover(); problem != nil && problem != http.ErrAbortHandler {
			slog.Error("serving the page", "path", r.URL.Path, "panic", problem, "stack", string(debug.Stack()))
			plain.WriteHeader(http.StatusInternalServerError)
		}
	}()
	g.page.ServeHTTP(plain, r)
	plain.WriteHeader(http.StatusOK) // an answer without a body; Wails would say 501
}

// plainWriter keeps Wails from rewriting the page. Its asset server adds two
// scripts (its message channel and its runtime) to each text/html answer whose
// status is exactly 200, and puts a page of its own in the place of a 404. The
// web view treats 203 as it treats 200, and 410 as it treats 404.
type plainWriter struct {
	http.ResponseWriter
	wrote bool
}

func (w *plainWriter) WriteHeader(code int) {
	if w.wrote {
		return
	}
	w.wrote = true
	switch code {
	case http.StatusOK:
		if strings.Contains(w.Header().Get("Content-Type"), "text/html") {
			code = http.StatusNonAuthoritativeInfo
		}
	case http.StatusNotFound:
		code = http.StatusGone
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *plainWriter) Write(b []byte) (int, error) {
	if !w.wrote {
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", http.DetectContentType(b))
		}
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(b)
}
