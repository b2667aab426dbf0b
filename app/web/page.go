package web

import (
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"lineup/weak"
)

// Page serves the host page: the files of a built front end under the page's
// own Content-Security-Policy. Both shells use it.
type Page struct {
	files fs.FS
	csp   string
}

// NewPage makes the handler. surfaceOrigin is the only origin that the page
// may frame; connect lists what it may connect to ("ws://127.0.0.1:4000").
func NewPage(files fs.FS, surfaceOrigin string, connect ...string) *Page {
	if weak.PageFrameSrc {
		surfaceOrigin = "*"
	}
	return &Page{files: files, csp: strings.Join([]string{
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self' 'unsafe-inline'",
		"img-src 'self' data:",
		"font-src 'self'",
		"connect-src " + strings.Join(append([]string{"'self'"}, connect...), " "),
		// Exactly one origin with its port: this is what stops a frame from
		// navigating itself anywhere else (SANDBOX.md §2).
		"frame-src " + surfaceOrigin,
		"frame-ancestors 'none'",
		"base-uri 'none'",
		"form-action 'none'",
		"object-src 'none'",
	}, "; ")}
}

// CSP is the policy the page is served under.
func (p *Page) CSP() string { return p.csp }

// ServeHTTP serves files only; the page's own routes are in its fragment.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	data, err := fs.ReadFile(p.files, name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	head := w.Header()
	head.Set("Content-Security-Policy", p.csp)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	head.Set("X-Frame-Options", "DENY")
	// The page may use what the user grants it in a prompt; frames may not.
	head.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), display-capture=(), payment=(), usb=()")
	if strings.HasPrefix(name, "assets/") {
		head.Set("Cache-Control", "max-age=31536000, immutable") // names carry a hash
	} else {
		head.Set("Cache-Control", "no-store")
	}
	t := mime.TypeByExtension(path.Ext(name))
	if t == "" {
		t = "application/octet-stream"
	}
	head.Set("Content-Type", t)
	_, _ = w.Write(data)
}
