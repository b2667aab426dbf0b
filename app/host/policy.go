package host

import (
	"errors"
	"fmt"

	"lineup/surface"
)

// Policy says which bundles may open (PROTOCOL.md §4).
type Policy string

const (
	PolicyAsk           Policy = "ask"
	PolicyAnySandboxed  Policy = "any-sandboxed"
	PolicyAllowlisted   Policy = "allowlisted"
	PolicyInstalledOnly Policy = "installed-only"
)

// ErrPolicy: the value is no bundle policy.
var ErrPolicy = errors.New("bundle policy: expected ask, any-sandboxed, allowlisted or installed-only")

// ParsePolicy reads a flag's value.
func ParsePolicy(s string) (Policy, error) {
	switch p := Policy(s); p {
	case PolicyAsk, PolicyAnySandboxed, PolicyAllowlisted, PolicyInstalledOnly:
		return p, nil
	}
	return "", fmt.Errorf("%w, not %q", ErrPolicy, s)
}

// Marks of a surface's title bar.
const (
	markVerified   = "verified"   // it is known who made it: installed, or signed by a key the user trusts
	markDeveloper  = "developer"  // developer mode let it in
	markUnverified = "unverified" // all others, those that the user allowed by their digest too: a digest binds no name
)

// Checks: what was looked at, and what let the surface in. The page words them.
const (
	checkIntegrityOK     = "integrity_ok"
	checkIntegrityAbsent = "integrity_absent"
	checkIntegrityWrong  = "integrity_wrong"
	checkSignedBy        = "signed_by:" // + the name the user gave the key
	checkUnsigned        = "signature_none"
	checkUnknownKey      = "signature_unknown_key"
	checkBadSignature    = "signature_bad"
	checkInstalled       = "installed"
	checkAllowlisted     = "allowlisted"
	checkDemo            = "demo_agent"
	checkDeveloper       = "developer_mode"
	checkAgentAllowed    = "agent_allowed"
)

type integrityState string

const (
	integrityAbsent integrityState = "absent"
	integrityRight  integrityState = "right"
	integrityWrong  integrityState = "wrong"
)

// installedState compares an app with the installed one of its id.
type installedState string

const (
	installedNone  installedState = "none"  // no app of that id is installed
	installedSame  installedState = "same"  // it is the installed one, or a reference to it
	installedOther installedState = "other" // another bundle or version under the id of an installed app
)

// bundleFacts is all that the policy looks at.
type bundleFacts struct {
	Policy    Policy
	Demo      bool // the agent is the one that is built in
	Developer bool // developer mode, or the preview
	Allowed   bool // the user lets this agent show its own interfaces
	Inline    bool // the bundle came with the message
	Integrity integrityState
	Signature surface.SignatureState
	Signer    string // the trusted key's name, of a good signature
	Listed    bool   // its digest is in the agent's allowlist
	Installed installedState
}

// Verdicts of judgeBundle besides the code of a refusal.
const (
	verdictOpen = ""
	verdictAsk  = "ask"
)

// judgeBundle decides by data alone whether a bundle may open: verdictOpen,
// verdictAsk, or the code of a refusal with words for the agent's developer.
//
// What is wrong in itself is refused under every policy. What is known to be
// the installed app opens under every policy. After that each policy lets in
// what the stricter one before it does: installed-only, allowlisted (a trusted
// signature or a listed digest), ask (an agent that the user allowed; else it
// asks), any-sandboxed (everything, but only from the built-in agent and in
// developer mode; from others it is ask). Ask treats the built-in agent as
// any-sandboxed does. A policy that is none of these lets in nothing.
func judgeBundle(f bundleFacts) (code, message string) {
	switch {
	case f.Integrity == integrityWrong:
		return surface.CodeIntegrity, "app.integrity: expected the digest of this bundle"
	case f.Signature == surface.SignatureBad:
		return surface.CodeSignature, "app.signature: expected a minisign signature of this app by the key it names"
	case !f.Inline && f.Installed != installedSame:
		return "unknown_app", "app.id: no app of that id and version is installed and enabled"
	case f.Installed == installedOther:
		return "installed_id", "app.id: an app of that id is installed, and this bundle is not it"
	case f.Installed == installedSame:
		return verdictOpen, ""
	}
	vouched := f.Signature == surface.SignatureGood || f.Listed
	switch f.Policy {
	case PolicyAllowlisted:
		if vouched {
			return verdictOpen, ""
		}
	case PolicyAsk, PolicyAnySandboxed:
		anything := f.Demo || (f.Policy == PolicyAnySandboxed && f.Developer)
		if vouched || anything || f.Allowed {
			return verdictOpen, ""
		}
		return verdictAsk, ""
	}
	return "policy", "the bundle policy of this client does not allow this bundle"
}

// markOf is the mark of a surface, and what was checked, most telling first.
func markOf(f bundleFacts) (mark string, checks []string) {
	mark = markUnverified // what is refused always is
	if f.Installed == installedSame {
		mark, checks = markVerified, append(checks, checkInstalled)
	}
	switch f.Signature {
	case surface.SignatureGood:
		mark, checks = markVerified, append(checks, checkSignedBy+f.Signer)
	case surface.SignatureUnknown:
		checks = append(checks, checkUnknownKey)
	case surface.SignatureBad:
		checks = append(checks, checkBadSignature)
	case surface.SignatureNone:
		checks = append(checks, checkUnsigned)
	}
	switch f.Integrity {
	case integrityRight:
		checks = append(checks, checkIntegrityOK)
	case integrityWrong:
		checks = append(checks, checkIntegrityWrong)
	case integrityAbsent:
		if mark != markVerified { // which has its digest from the signature or the record
			checks = append(checks, checkIntegrityAbsent)
		}
	}
	if f.Listed {
		checks = append(checks, checkAllowlisted)
	}
	switch code, _ := judgeBundle(f); {
	case code != verdictOpen && code != verdictAsk:
		return markUnverified, checks
	case code == verdictAsk || f.Listed || mark == markVerified:
		return mark, checks
	// What let it in, where nothing about the bundle itself did.
	case f.Demo:
		return mark, append(checks, checkDemo)
	case f.Policy == PolicyAnySandboxed && f.Developer:
		return markDeveloper, append(checks, checkDeveloper)
	}
	return mark, append(checks, checkAgentAllowed)
}
