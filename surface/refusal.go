package surface

import "strconv"

// Codes of a Refusal. They are part of the wire (ui.result code) and of what
// the page translates, so they never change.
const (
	CodeBadApp    = "bad_app"    // id, version, name, events or bundle malformed
	CodeTooLarge  = "too_large"  // bundle, state or patch over its limit
	CodeIntegrity = "integrity"  // the digest given is not the bundle's
	CodeBadState  = "bad_state"  // not an object, too deep, duplicate or prototype key
	CodeBadPatch  = "bad_patch"  // the patch is malformed or does not apply
	CodeBadUplink = "bad_uplink" // a message from a frame that is not in the protocol
	CodeBadEvent  = "bad_event"  // an event's name or data is malformed
	CodeBadReport = "bad_report" // the probe's report is malformed or not this probe's
	CodeBadBundle = "bad_bundle" // a bundle's file is missing, unreadable or not in its format
	CodeBadKey    = "bad_key"    // not a minisign public key
	CodeSignature = "signature"  // a signature is malformed or not of this app; or there can be none
)

// Refusal says why something hostile or mistaken was turned away. Expected is
// written for the author of the surface or agent and never repeats their input.
type Refusal struct {
	Code     string
	Field    string // dotted path of the offending field, "" for the whole
	Expected string
	File     string // of a bundle, relative to it; "" if it came as a message
	Line     int    // within File, from 1; 0 = not known
}

func (r *Refusal) Error() string {
	text := r.Code + ": expected " + r.Expected
	if r.Field != "" {
		text = r.Code + ": " + r.Field + ": expected " + r.Expected
	}
	switch {
	case r.File == "":
		return text
	case r.Line == 0:
		return r.File + ": " + text
	}
	return r.File + ":" + strconv.Itoa(r.Line) + ": " + text
}

func refuse(code, field, expected string) *Refusal {
	return &Refusal{Code: code, Field: field, Expected: expected}
}
