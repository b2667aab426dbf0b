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

// guestConfig is the argument of guest.Bridge. A spare has neither instance nor css
// nor js: its fill message brings them.
type guestConfig struct {
	Spare      bool       `json:"spare,omitempty"`
	Head       string     `json:"head,omitempty"` // spare: what the filled document begins with
	InstanceID InstanceID `json:"instanceId,omitempty"`
	Locale     string     `json:"locale"`
	Theme      Theme      `json:"theme"`
	CSS        string     `json:"css,omitempty"`
	JS         string     `json:"js,omitempty"`
	MaxHeight  int        `json:"maxHeight"`
	MaxData    int        `json:"maxData"`
}

// BuildDocument makes the document of a surface and the headers it must be
// served with. The untrusted html is the body as it is: what holds it is the
// header, the sandbox and the host's frame-src, not its text. css and js travel
// as JSON inside the guest script, so nothing in them can end an element early.
func BuildDocument(f Frame) ([]byte, http.Header) {
	return page(f, guest.Style, f.App.HTML, guest.Bridge, guestConfig{
		InstanceID: f.InstanceID,
		Locale:     cleanLocale(f.Locale),
		Theme:      f.Theme.clean(),
		CSS:        f.App.CSS,
		JS:         f.App.JS,
		MaxHeight:  MaxHeight,
		MaxData:    MaxEventData,
	}), headers(f.Ancestors)
}

// BuildSpare makes a document that has the guest and nothing else, with the
// headers of a surface's; f needs no App and no InstanceID. Its frame says ready
// when it has loaded, and may then be filled once, with FillMessage; it loads a
// second time by that.
func BuildSpare(f Frame) ([]byte, http.Header) {
	return page(f, guest.Style, "", guest.Bridge, guestConfig{
		Spare:     true,
		Head:      head(f, guest.Style),
		Locale:    cleanLocale(f.Locale),
		Theme:     f.Theme.clean(),
		MaxHeight: MaxHeight,
		MaxData:   MaxEventData,
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
	b.WriteString(head(f, style))
	b.WriteString("<script>\n")
	b.WriteString(script)
	b.WriteByte('(')
	b.Write(arg)
	b.WriteString(")\n</script></head><body>")
	b.WriteString(body)
	b.WriteString("</body></html>")
	return b.Bytes()
}

// head is the beginning of every document, up to the place in its head where the
// guest begins.
func head(f Frame, style string) string {
	return "<!doctype html>\n<html lang=\"" + html.EscapeString(cleanLocale(f.Locale)) +
		"\" data-theme=\"" + html.EscapeString(f.Theme.clean().Name) +
		"\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><style>" +
		style + "</style>"
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
