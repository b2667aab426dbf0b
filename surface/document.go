package surface

import (
	"bytes"
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"lineup/surface/guest"
	"lineup/weak"
)

// Frame is what a frame's document is built from. Ancestors are the CSP source
// expressions of the host page that may frame it ("http://127.0.0.1:4000",
// "wails://wails", "wails:"); none that is well-formed means that nobody may.
type Frame struct {
	App        App // its HTML, CSS and JS; the caller has Checked it
	InstanceID InstanceID
	Locale     string // BCP 47
	Theme      Theme
	Ancestors  []string
}

// documentConfig is the argument of guest.Bridge.
type documentConfig struct {
	InstanceID InstanceID `json:"instanceId"`
	Locale     string     `json:"locale"`
	Theme      Theme      `json:"theme"`
	CSS        string     `json:"css"`
	JS         string     `json:"js"`
	MaxHeight  int        `json:"maxHeight"`
	MaxData    int        `json:"maxData"`
}

// BuildDocument makes the document of a surface and the headers it must be
// served with. The untrusted html is the body as it is: what holds it is the
// header, the sandbox and the host's frame-src, not its text. css and js travel
// as JSON inside the guest script, so nothing in them can end an element early.
func BuildDocument(f Frame) ([]byte, http.Header) {
	return page(f, guest.Style, f.App.HTML, guest.Bridge, documentConfig{
		InstanceID: f.InstanceID,
		Locale:     cleanLocale(f.Locale),
		Theme:      f.Theme.clean(),
		CSS:        f.App.CSS,
		JS:         f.App.JS,
		MaxHeight:  MaxHeight,
		MaxData:    MaxEventData,
	}), headers(f.Ancestors)
}

func page(f Frame, style, body, script string, config any) []byte {
	// json.Marshal escapes < > & and U+2028/9, so the configuration can neither
	// end the script element nor break its JavaScript.
	arg, err := json.Marshal(config)
	if err != nil {
		arg = []byte("null") // plain strings and maps always encode
	}
	var b bytes.Buffer
	b.Grow(len(body) + len(arg) + len(script) + len(style) + 512)
	b.WriteString("<!doctype html>\n<html lang=\"")
	b.WriteString(html.EscapeString(cleanLocale(f.Locale)))
	b.WriteString("\" data-theme=\"")
	b.WriteString(html.EscapeString(f.Theme.clean().Name))
	b.WriteString("\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><style>")
	b.WriteString(style)
	b.WriteString("</style><script>\n")
	b.WriteString(script)
	b.WriteByte('(')
	b.Write(arg)
	b.WriteString(")\n</script></head><body>")
	b.WriteString(body)
	b.WriteString("</body></html>")
	return b.Bytes()
}

// policy is the CSP of every frame, surface or probe (SANDBOX.md §2).
// default-src covers the rest; they are spelled out so that a directive that a
// later browser splits off cannot fall open.
var policy = []string{
	"default-src 'none'",
	"connect-src 'none'",
	"img-src data: blob:",
	"media-src data: blob:",
	"font-src data:",
	"style-src 'unsafe-inline'",
	"script-src 'unsafe-inline'",
	"sandbox allow-scripts",
	"form-action 'none'",
	"base-uri 'none'",
	"frame-src 'none'",
	"child-src 'none'",
	"worker-src 'none'",
	"object-src 'none'",
	"manifest-src 'none'",
}

var ancestorPattern = regexp.MustCompile(`^[a-z][a-z0-9+.-]{0,31}:(//[a-z0-9.-]{1,255}(:[0-9]{1,5})?)?$`)

// features are switched off one by one: Permissions-Policy has no "all".
var features = strings.Fields(`accelerometer ambient-light-sensor attribution-reporting autoplay bluetooth
browsing-topics camera clipboard-read clipboard-write compute-pressure cross-origin-isolated display-capture
document-domain encrypted-media fullscreen gamepad geolocation gyroscope hid identity-credentials-get
idle-detection keyboard-map local-fonts magnetometer microphone midi otp-credentials payment
picture-in-picture publickey-credentials-create publickey-credentials-get screen-wake-lock serial
storage-access sync-xhr unload usb web-share window-management xr-spatial-tracking`)

// standing is policy, but for what a test took away.
func standing() []string {
	if !weak.FrameCSP && !weak.FrameSandbox {
		return policy
	}
	return slices.DeleteFunc(slices.Clone(policy), func(directive string) bool {
		if strings.HasPrefix(directive, "sandbox") {
			return weak.FrameSandbox
		}
		return weak.FrameCSP
	})
}

func headers(ancestors []string) http.Header {
	var ok []string
	for _, a := range ancestors {
		if ancestorPattern.MatchString(a) {
			ok = append(ok, a)
		}
	}
	if len(ok) == 0 {
		ok = []string{"'none'"}
	}
	h := http.Header{}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", strings.Join(standing(), "; ")+"; frame-ancestors "+strings.Join(ok, " "))
	if weak.FrameHeaders {
		return h
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", strings.Join(features, "=(), ")+"=()")
	h.Set("X-DNS-Prefetch-Control", "off")
	h.Set("Cache-Control", "no-store")
	return h
}
