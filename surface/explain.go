package surface

import (
	"regexp"
	"strings"
)

// Violation is what the policy of a frame's document stopped, read from the
// report of the frame. The frame may report what it likes: Blocked is hostile.
type Violation struct {
	// Code names the cause as a Finding's does: network, external_url, font_url, script_src,
	// stylesheet_link, eval, wasm, worker, embedded, form, base, link_element, blocked.
	Code      string
	Directive string // of the CSP, as the engine names it; "" = the report names none
	Blocked   string // an address or a keyword such as eval
}

// violationText is how the guest words it: the directive, then the address.
var violationText = regexp.MustCompile(`^([a-z][a-z-]{2,31}) stopped (.*)$`)

var violationCodes = map[string]string{
	"connect-src":      "network",
	"img-src":          "external_url",
	"media-src":        "external_url",
	"font-src":         "font_url",
	"style-src":        "stylesheet_link",
	"style-src-elem":   "stylesheet_link",
	"style-src-attr":   "stylesheet_link",
	"script-src":       "script_src",
	"script-src-elem":  "script_src",
	"script-src-attr":  "script_src",
	"worker-src":       "worker",
	"frame-src":        "embedded",
	"fenced-frame-src": "embedded",
	"child-src":        "embedded",
	"object-src":       "embedded",
	"form-action":      "form",
	"base-uri":         "base",
	"manifest-src":     "link_element",
	"prefetch-src":     "link_element",
}

// Explain reads the message of an uplink error of kind violation. One that is
// not as the guest words it has the code "blocked" and the message as Blocked.
func Explain(message string) Violation {
	m := violationText.FindStringSubmatch(message)
	if m == nil {
		return Violation{Code: "blocked", Blocked: message}
	}
	v := Violation{Code: violationCodes[m[1]], Directive: m[1], Blocked: m[2]}
	switch {
	case v.Code == "":
		v.Code = "blocked"
	case v.Code == "script_src" && v.Blocked == "eval":
		v.Code = "eval"
	case v.Code == "script_src" && strings.HasPrefix(v.Blocked, "wasm"):
		v.Code = "wasm"
	}
	return v
}

// Finding is the violation as the validator would have said it, had it seen it
// coming; its Words are for people.
func (v Violation) Finding() Finding {
	return Finding{Severity: LintWarning, Code: v.Code, Detail: cutText(v.Blocked, maxDetail)}
}
