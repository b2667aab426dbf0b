package surface

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/Masterminds/semver/v3"

	"lineup/weak"
)

// InstanceID names an open surface within a conversation: [A-Za-z0-9._:-]{1,128}.
type InstanceID string

// Limits of PROTOCOL.md §4 and §7, in bytes unless said otherwise.
const (
	MaxBundle    = 160 << 10 // html+css+js together
	MaxState     = 256 << 10
	MaxEventData = 16<<10 - 1 // "< 16 KiB"
	MaxDepth     = 64         // nesting of state and event data
	MaxHeight    = 4000       // CSS pixels a frame may ask for
	maxNameRunes = 128
	maxSignature = 4 << 10
	maxEvents    = 128 // declared event names
)

// App is a bundle, or a reference to an installed app (PROTOCOL.md §4).
type App struct {
	ID        string
	Name      string
	Version   string
	Surface   string // one of the app's surfaces; empty = its only one
	Integrity string // "sha256-" + base64, empty = not claimed
	Signature string // the text of a minisign signature, empty = none
	HTML      string
	CSS       string
	JS        string
	Events    []string // the only events it may send; empty = any
	// HostStyles asks for the host's small stylesheet, so that plain HTML looks
	// right in every theme.
	HostStyles bool
}

// Inline reports whether the bundle came with the message; otherwise App is a
// reference to an installed app.
func (a App) Inline() bool { return a.HTML != "" }

// Allows reports whether the app may send the event: all well-formed ones
// when it declares none, never "close".
func (a App) Allows(event string) bool {
	return ValidEvent(event) && (len(a.Events) == 0 || slices.Contains(a.Events, event) || weak.Declared)
}

var (
	idPattern        = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+$`)
	instancePattern  = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,128}$`)
	surfacePattern   = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)
	eventPattern     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._:-]{0,63}$`)
	integrityPattern = regexp.MustCompile(`^sha256-[A-Za-z0-9+/]{43}=$`)
)

// Valid reports whether the id has the form of PROTOCOL.md §4.
func (id InstanceID) Valid() bool { return instancePattern.MatchString(string(id)) }

// ValidEvent reports whether a frame may send an event of that name: the form
// of PROTOCOL.md §4 and not "close", which is the host's alone.
func ValidEvent(name string) bool {
	return (name != "close" || weak.CloseEvent) && (eventPattern.MatchString(name) || weak.EventName)
}

// Digest is the integrity of a bundle: "sha256-" and the base64 of SHA-256 over
// html, css and js, each preceded by its length as 8 bytes big-endian, so that
// bytes cannot move from one part to another (PROTOCOL.md §4).
func Digest(html, css, js string) string {
	h := sha256.New()
	for _, part := range []string{html, css, js} {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		io.WriteString(h, part)
	}
	return "sha256-" + base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// Check refuses an app whose fields are malformed, whose bundle is too large,
// or whose bundle is not the one that Integrity names. The integrity of a
// reference is only checked for its form: whoever holds the installed bundle
// compares it.
func Check(a App) error {
	switch {
	case len(a.ID) > 128 || !idPattern.MatchString(a.ID):
		return refuse(CodeBadApp, "app.id", "a reverse-domain name such as com.example.chart, at most 128 characters")
	case !validVersion(a.Version):
		return refuse(CodeBadApp, "app.version", "a semantic version such as 1.0.0")
	case !shortText(a.Name, maxNameRunes):
		return refuse(CodeBadApp, "app.name", fmt.Sprintf("at most %d characters of UTF-8, none of them a control character", maxNameRunes))
	case a.Surface != "" && !surfacePattern.MatchString(a.Surface):
		return refuse(CodeBadApp, "app.surface", "the name of a surface: 1 to 64 of A-Z a-z 0-9 . _ : -")
	case len(a.Signature) > maxSignature:
		return refuse(CodeTooLarge, "app.signature", fmt.Sprintf("at most %d bytes", maxSignature))
	case a.Integrity != "" && !integrityPattern.MatchString(a.Integrity):
		return refuse(CodeBadApp, "app.integrity", `"sha256-" and a base64 SHA-256 digest`)
	case !a.Inline() && (a.CSS != "" || a.JS != ""):
		return refuse(CodeBadApp, "app.html", "html when css or js is given")
	}
	if err := checkEvents(a.Events); err != nil {
		return err
	}
	return checkBundle(a)
}

func validVersion(v string) bool {
	if len(v) > 64 {
		return false
	}
	_, err := semver.StrictNewVersion(v)
	return err == nil
}

func checkEvents(events []string) error {
	if len(events) > maxEvents {
		return refuse(CodeBadApp, "app.events", fmt.Sprintf("at most %d names", maxEvents))
	}
	seen := make(map[string]bool, len(events))
	for i, e := range events {
		field := fmt.Sprintf("app.events[%d]", i)
		if !ValidEvent(e) {
			return refuse(CodeBadApp, field, `an event name other than "close": a letter, then up to 63 of A-Z a-z 0-9 . _ : -`)
		}
		if seen[e] {
			return refuse(CodeBadApp, field, "each name once")
		}
		seen[e] = true
	}
	return nil
}

func checkBundle(a App) error {
	if len(a.HTML)+len(a.CSS)+len(a.JS) > MaxBundle {
		return refuse(CodeTooLarge, "app.html", fmt.Sprintf("html, css and js of at most %d bytes together", MaxBundle))
	}
	for _, part := range []struct{ field, text string }{{"app.html", a.HTML}, {"app.css", a.CSS}, {"app.js", a.JS}} {
		if !utf8.ValidString(part.text) {
			return refuse(CodeBadApp, part.field, "UTF-8")
		}
	}
	if !a.Inline() || a.Integrity == "" {
		return nil
	}
	if subtle.ConstantTimeCompare([]byte(a.Integrity), []byte(Digest(a.HTML, a.CSS, a.JS))) != 1 {
		return refuse(CodeIntegrity, "app.integrity", "the digest of this bundle")
	}
	return nil
}
