package surface

import (
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// What a script may reach for and what comes of it. All of it loads and runs
// without an error message that an author would find, or throws where nobody
// looks: that is why it is said before.

// onWindow are globals, by themselves or as a member of window.
var onWindow = map[string]string{
	"fetch": "network", "XMLHttpRequest": "network", "WebSocket": "network", "EventSource": "network",
	"WebTransport": "network", "RTCPeerConnection": "network", "webkitRTCPeerConnection": "network", "importScripts": "network",
	"Worker": "worker", "SharedWorker": "worker",
	"localStorage": "storage", "sessionStorage": "storage", "indexedDB": "storage", "caches": "storage", "cookieStore": "storage",
	"alert": "dialog", "confirm": "dialog", "prompt": "dialog", "print": "dialog",
	"eval": "eval", "Function": "eval", "open": "popup",
	"showOpenFilePicker": "permission", "showSaveFilePicker": "permission", "Notification": "permission",
}

// called are those of onWindow that mean something only when they are called:
// their names are good names for other things, too.
var called = map[string]bool{
	"fetch": true, "alert": true, "confirm": true, "prompt": true, "print": true, "eval": true, "open": true, "Function": true,
	"importScripts": true, "Notification": true, "showOpenFilePicker": true, "showSaveFilePicker": true,
}

// onMember are members of other globals.
var onMember = map[string]map[string]string{
	"navigator": {"sendBeacon": "network", "serviceWorker": "worker", "clipboard": "permission", "geolocation": "permission",
		"mediaDevices": "permission", "credentials": "permission", "share": "permission", "bluetooth": "permission",
		"usb": "permission", "serial": "permission", "hid": "permission", "storage": "storage", "locks": "storage"},
	"document": {"cookie": "storage", "write": "document_write", "writeln": "document_write", "open": "document_write",
		"domain": "parent", "requestStorageAccess": "storage"},
	"location": {"assign": "navigate", "replace": "navigate", "reload": "navigate"},
}

// anyMember are methods of any object.
var anyMember = map[string]string{"requestFullscreen": "permission", "requestPointerLock": "permission"}

// walker goes through the tokens of one script.
type walker struct {
	tokens     []jsToken
	i          int
	global     func(name string) bool
	place      place
	usesBridge bool
	sent       []sentEvent
}

// tok is the token d places on, or a zero one.
func (w *walker) tok(d int) jsToken {
	if i := w.i + d; i >= 0 && i < len(w.tokens) {
		return w.tokens[i]
	}
	return jsToken{}
}

func (w *walker) dot(d int) bool {
	k := w.tok(d).kind
	return k == js.DotToken || k == js.OptChainToken
}

func (w *walker) warn(code, detail string) {
	w.place.add(LintWarning, code, w.tok(0).at, detail)
}

func (w *walker) step() {
	t := w.tok(0)
	switch {
	case t.kind == js.ImportToken && w.tok(1).kind == js.OpenParenToken:
		w.warn("import", "import()")
	case t.kind == js.ImportToken && !w.dot(1), t.kind == js.ExportToken && !w.dot(-1):
		w.module()
	case !js.IsIdentifier(t.kind):
	case w.dot(-1):
		w.member(t.text)
	default:
		w.name(t.text)
	}
}

// module: import and export are errors in a script that is no module. In an
// object's key or a member they are names.
func (w *walker) module() {
	if next := w.tok(1).kind; w.dot(-1) || next == js.ColonToken || next == js.CommaToken || next == js.CloseBraceToken {
		return
	}
	if w.place.file == htmlFile { // <script type=module> may have them; what it imports is blocked
		w.warn("import", w.tok(0).text)
		return
	}
	w.place.add(LintError, "module", w.tok(0).at, w.tok(0).text)
}

func isWindow(name string) bool {
	return name == "window" || name == "self" || name == "globalThis" || name == "frames"
}

// name is an identifier that is nobody's member.
func (w *walker) name(name string) {
	if w.tok(1).kind == js.ColonToken && w.tok(-1).kind != js.QuestionToken && w.tok(-1).kind != js.CaseToken {
		return // a key or a label
	}
	if !w.global(name) {
		return
	}
	switch name {
	case "LineUpSurface":
		w.bridge(0)
	case "location":
		w.location(0)
	case "setTimeout", "setInterval":
		if w.tok(1).kind == js.OpenParenToken && w.tok(2).kind == js.StringToken {
			w.warn("eval", name)
		}
	case "parent", "top", "opener":
		if w.dot(1) {
			w.warn("parent", name)
		}
	default:
		w.use(name)
	}
}

func (w *walker) use(name string) {
	code, ok := onWindow[name]
	isCall := w.tok(1).kind == js.OpenParenToken
	if !ok || called[name] && !isCall {
		return
	}
	w.warn(code, name)
}

// member is an identifier behind a dot.
func (w *walker) member(name string) {
	object := w.tok(-2)
	qualified := w.i >= 3 && w.dot(-3)
	owner := object.text
	if qualified && isWindow(w.tok(-4).text) {
		qualified = false // window.navigator.clipboard
	}
	switch {
	case qualified || !js.IsIdentifier(object.kind):
		if code, ok := anyMember[name]; ok {
			w.warn(code, name)
		}
	case isWindow(owner) && name == "LineUpSurface":
		w.bridge(0)
	case isWindow(owner) && name == "location":
		w.location(0)
	case isWindow(owner) && (name == "parent" || name == "top" || name == "opener"):
		w.warn("parent", name)
	case isWindow(owner):
		w.use(name)
	case onMember[owner][name] != "":
		w.warn(onMember[owner][name], owner+"."+name)
	case anyMember[name] != "":
		w.warn(anyMember[name], name)
	case name == "addEventListener" && w.tok(1).kind == js.OpenParenToken && quoted(w.tok(2)) == "submit",
		name == "submit" && w.tok(1).kind == js.OpenParenToken, name == "requestSubmit":
		w.warn("form", name)
	case (name == "src" || name == "srcset" || name == "poster") && w.tok(1).kind == js.EqToken:
		if u := quoted(w.tok(2)); u != "" && !loadable(u) {
			w.warn("external_url", u)
		}
	}
}

// location: assigned to, or to its href.
func (w *walker) location(d int) {
	switch {
	case w.tok(d+1).kind == js.EqToken, w.dot(d+1) && w.tok(d+2).text == "href" && w.tok(d+3).kind == js.EqToken:
		w.warn("navigate", "location")
	}
}

// bridge is a use of LineUpSurface; its event's name is noted if it is spelled out.
func (w *walker) bridge(d int) {
	w.usesBridge = true
	whole := w.tok(d+5).kind == js.CommaToken || w.tok(d+5).kind == js.CloseParenToken // no part of a name
	if w.dot(d+1) && w.tok(d+2).text == "event" && w.tok(d+3).kind == js.OpenParenToken && w.tok(d+4).kind == js.StringToken && whole {
		w.sent = append(w.sent, sentEvent{name: quoted(w.tok(d + 4)), place: w.place, at: w.tok(d + 4).at})
	}
}

// quoted is the text of a string without escapes, or "".
func quoted(t jsToken) string {
	if t.kind != js.StringToken || len(t.text) < 2 || strings.ContainsRune(t.text, '\\') {
		return ""
	}
	return t.text[1 : len(t.text)-1]
}
