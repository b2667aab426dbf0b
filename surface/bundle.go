package surface

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of a bundle's files, in bytes unless said otherwise.
const (
	MaxPacked      = 2 << 20 // bundle.json: 160 KiB of text may take six times that in escapes
	MaxStateSchema = 64 << 10
	maxSchemaDepth = 16 // PROTOCOL.md §7
	maxTitleRunes  = 256
)

// Bundle is an inline app with what an author says of its first showing. It
// exists as a folder (LoadBundle) and as one packed file (DecodeBundle,
// PackBundle); the two carry the same.
type Bundle struct {
	App
	Title       string
	Height      int             // CSS pixels it wishes for; 0 = none
	State       json.RawMessage // the first state: an object without white space
	StateSchema json.RawMessage // JSON Schema of the state; nil = none
}

// bundleKeys are the fields that both forms share.
var bundleKeys = []string{"id", "name", "version", "title", "events", "host_styles", "size", "state", "state_schema"}

// DecodeBundle reads a packed bundle.json: the app object of a ui.open with
// title, size, state and state_schema beside it. Unknown and doubled fields,
// null, lone surrogates and a digest that is missing or not the bundle's are
// refused; a *Refusal names bundle.json, the line and the field. Whether a
// signature is good is for whoever holds the keys.
func DecodeBundle(raw []byte) (Bundle, error) {
	f, err := readFields("bundle.json", raw, MaxPacked, append([]string{"html", "css", "js", "integrity", "signature"}, bundleKeys...))
	if err != nil {
		return Bundle{}, err
	}
	b, err := f.bundle()
	if err != nil {
		return Bundle{}, err
	}
	for _, t := range []struct {
		name string
		to   *string
		must bool
	}{{"html", &b.HTML, true}, {"css", &b.CSS, false}, {"js", &b.JS, false}, {"integrity", &b.Integrity, true}, {"signature", &b.Signature, false}} {
		if *t.to, err = f.text(t.name, t.must); err != nil {
			return Bundle{}, err
		}
	}
	for _, name := range []string{"html", "integrity", "signature"} {
		if string(f.values[name]) == `""` {
			return Bundle{}, f.refuse(name, "text")
		}
	}
	if err := Check(b.App); err != nil {
		return Bundle{}, f.locate(err)
	}
	return b, nil
}

// PackBundle writes the canonical bundle.json: fields in a fixed order, one a
// line, no optional white space elsewhere, a line end after the last; the same
// bundle gives the same bytes, and DecodeBundle gives the bundle back. The
// integrity is computed; one that is given and wrong is refused, as everything
// is that DecodeBundle would refuse. A signature is carried as it is.
func PackBundle(b Bundle) ([]byte, error) {
	if !b.Inline() {
		return nil, refuse(CodeBadApp, "app.html", "text")
	}
	if b.Integrity == "" {
		b.Integrity = Digest(b.HTML, b.CSS, b.JS)
	}
	state, err := CheckState(b.State)
	if err != nil {
		return nil, err
	}
	var size *packedSize
	if b.Height != 0 {
		size = &packedSize{b.Height}
	}
	if len(state) == len("{}") {
		state = nil
	}
	// Encoded value by value: the encoder's own escaping of < > & is off, so
	// that a reader sees HTML and a signature's text is what a person compares.
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "")
	out.WriteString("{")
	for _, m := range []struct {
		name  string
		value any
		there bool
	}{
		{"id", b.ID, true}, {"name", b.Name, true}, {"version", b.Version, true}, {"title", b.Title, b.Title != ""},
		{"events", b.Events, len(b.Events) > 0}, {"host_styles", true, b.HostStyles}, {"size", size, size != nil},
		{"html", b.HTML, true}, {"css", b.CSS, b.CSS != ""}, {"js", b.JS, b.JS != ""},
		{"state", state, state != nil}, {"state_schema", b.StateSchema, len(b.StateSchema) > 0},
		{"integrity", b.Integrity, true}, {"signature", b.Signature, b.Signature != ""},
	} {
		if !m.there {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, "\n  %q: ", m.name)
		if err := enc.Encode(m.value); err != nil {
			return nil, refuse(CodeBadBundle, m.name, "JSON")
		}
		out.Truncate(out.Len() - 1) // the encoder's line end
	}
	out.WriteString("\n}\n")
	if _, err := DecodeBundle(out.Bytes()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

type packedSize struct {
	Height int `json:"height"`
}

// bundle reads what both forms share.
func (f fields) bundle() (b Bundle, err error) {
	for _, t := range []struct {
		name string
		to   *string
		must bool
	}{{"id", &b.ID, true}, {"name", &b.Name, true}, {"version", &b.Version, true}, {"title", &b.Title, false}} {
		if *t.to, err = f.text(t.name, t.must); err != nil {
			return b, err
		}
	}
	if !shortText(b.Name, maxNameRunes) || b.Name == "" {
		return b, f.refuse("name", fmt.Sprintf("a name of 1 to %d characters without control characters", maxNameRunes))
	}
	if !shortText(b.Title, maxTitleRunes) || f.has("title") && b.Title == "" {
		return b, f.refuse("title", fmt.Sprintf("a title of 1 to %d characters without control characters", maxTitleRunes))
	}
	if b.Events, err = f.texts("events"); err != nil {
		return b, err
	}
	if b.HostStyles, err = f.flag("host_styles"); err != nil {
		return b, err
	}
	if b.Height, err = f.height(); err != nil {
		return b, err
	}
	if b.State, err = CheckState(f.object("state")); err != nil {
		return b, f.locate(err)
	}
	if f.has("state") && f.object("state") == nil {
		return b, f.refuse("state", string(notObject))
	}
	if b.StateSchema, err = f.schema(); err != nil {
		return b, err
	}
	return b, nil
}

func (f fields) height() (int, error) {
	if !f.has("size") {
		return 0, nil
	}
	expected := fmt.Sprintf(`{"height": a whole number from 1 to %d}`, MaxHeight)
	raw := f.object("size")
	if raw == nil || scan(raw, 1) != "" {
		return 0, f.refuse("size", expected)
	}
	var size packedSize
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if dec.Decode(&size) != nil || size.Height < 1 || size.Height > MaxHeight {
		return 0, f.refuse("size", expected)
	}
	return size.Height, nil
}

func (f fields) schema() (json.RawMessage, error) {
	if !f.has("state_schema") {
		return nil, nil
	}
	raw := f.object("state_schema")
	if raw == nil {
		return nil, f.refuse("state_schema", "a JSON Schema, which is "+string(notObject))
	}
	if len(raw) > MaxStateSchema {
		return nil, f.refuse("state_schema", fmt.Sprintf("at most %d bytes", MaxStateSchema))
	}
	switch p := scan(raw, maxSchemaDepth); p {
	case "":
		return compact(raw), nil
	case tooDeep:
		return nil, f.refuse("state_schema", fmt.Sprintf("at most %d levels of nesting", maxSchemaDepth))
	default:
		return nil, f.refuse("state_schema", string(p))
	}
}

// locate turns a refusal about an app into one about the file it came from.
func (f fields) locate(err error) error {
	var r *Refusal
	if !errors.As(err, &r) {
		return err
	}
	field := strings.TrimPrefix(r.Field, "app.")
	top, _, _ := strings.Cut(field, "[")
	return &Refusal{Code: r.Code, Field: field, Expected: r.Expected, File: f.file, Line: f.line(top)}
}

// shortText: at most n characters of UTF-8, none of them a control character.
func shortText(s string, n int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= n &&
		!slices.ContainsFunc([]byte(s), func(c byte) bool { return c < 0x20 || c == 0x7f })
}
