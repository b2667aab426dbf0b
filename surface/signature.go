package surface

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"aead.dev/minisign"
)

// SignatureState is what a look at an app's signature gave.
type SignatureState string

const (
	SignatureNone    SignatureState = "none"    // there is none
	SignatureBad     SignatureState = "bad"     // malformed, or not of this app by the key it names
	SignatureUnknown SignatureState = "unknown" // by a key that is not among those given: it says nothing
	SignatureGood    SignatureState = "good"
)

// PublicKey is a publisher's key in minisign's form. The zero value signs nothing.
type PublicKey struct{ key minisign.PublicKey }

// maxPublicKey bounds the text of a public key, its comment included, in bytes.
const maxPublicKey = 1 << 10

// ParsePublicKey reads a minisign public key: the line that starts with RW, or
// the whole file with its comment. A *Refusal's field is "key".
func ParsePublicKey(text string) (PublicKey, error) {
	var k PublicKey
	text = strings.TrimSpace(text)
	if len(text) > maxPublicKey || k.key.UnmarshalText([]byte(text)) != nil {
		return PublicKey{}, refuse(CodeBadKey, "key", "a minisign public key: 56 characters that start with RW")
	}
	return k, nil
}

// String is the key's one line of base64, the same for the same key.
func (k PublicKey) String() string { return k.key.String() }

// ID is the key's id as minisign prints it: 16 hexadecimal digits. It is a
// hint; anyone may make a key with the same one.
func (k PublicKey) ID() string { return fmt.Sprintf("%016X", k.key.ID()) }

// Statement is the text that a signature of an inline app signs. It binds what
// tells one app from another, so that a signature serves no other one
// (docs/PROTOCOL.md, "Signatures"). The app must have passed Check and have a
// name: then no field holds a line end, and each text stands for one app only.
func Statement(a App) ([]byte, error) {
	if err := Check(a); err != nil {
		return nil, err
	}
	if !a.Inline() {
		return nil, refuse(CodeSignature, "app.html", "the bundle that is signed")
	}
	if a.Name == "" {
		return nil, refuse(CodeSignature, "app.name", "a name, which a signature covers")
	}
	events := "*"
	if len(a.Events) > 0 {
		events = strings.Join(a.Events, " ")
	}
	return fmt.Appendf(nil, "lineup.v1 bundle\nid: %s\nversion: %s\nname: %s\nevents: %s\nhost_styles: %t\nintegrity: %s\n",
		a.ID, a.Version, a.Name, events, a.HostStyles, Digest(a.HTML, a.CSS, a.JS)), nil
}

// CheckSignature judges the signature of an app that passed Check. by is the
// index of the key that made a good one, else -1. A reference to an installed
// app has none: it carries nothing that could be signed.
func CheckSignature(a App, keys []PublicKey) (state SignatureState, by int) {
	if a.Signature == "" || !a.Inline() {
		return SignatureNone, -1
	}
	var s minisign.Signature
	// Only prehashed signatures, minisign's default: of the two kinds one is enough.
	if s.UnmarshalText([]byte(a.Signature)) != nil || s.Algorithm != minisign.HashEdDSA {
		return SignatureBad, -1
	}
	text, err := Statement(a)
	if err != nil {
		return SignatureBad, -1
	}
	state = SignatureUnknown
	for i, k := range keys {
		if k.key.ID() != s.KeyID {
			continue
		}
		if minisign.Verify(k.key, text, []byte(a.Signature)) {
			return SignatureGood, i
		}
		state = SignatureBad
	}
	return state, -1
}

// SignatureKeyID is the id of the key that a signature names, "" if the text is
// no signature. It is a hint and proves nothing.
func SignatureKeyID(signature string) string {
	var s minisign.Signature
	if s.UnmarshalText([]byte(signature)) != nil {
		return ""
	}
	return fmt.Sprintf("%016X", s.KeyID)
}

// Sign gives the text of a minisign signature of an inline app.
func Sign(a App, key minisign.PrivateKey, at time.Time) (string, error) {
	text, err := Statement(a)
	if err != nil {
		return "", err
	}
	r := minisign.NewReader(bytes.NewReader(text))
	if _, err := io.Copy(io.Discard, r); err != nil {
		return "", err
	}
	return string(r.SignWithComments(key, fmt.Sprintf("timestamp:%d\tbundle:%s %s", at.Unix(), a.ID, a.Version),
		"signature of a LineUp bundle")), nil
}
