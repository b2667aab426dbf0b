package capability

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The limits of argument bytes: those of an envelope (PROTOCOL.md §1).
const (
	maxArgs  = 1 << 20
	maxDepth = 64
)

// canonical returns the one form of a JSON object that is stored, shown and run:
// no white space, members sorted by name, numbers as they were written. It
// refuses duplicate members, because two readers could take different ones.
// Nothing at all stands for {}.
func canonical(raw json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return json.RawMessage("{}"), nil
	}
	out, err := canonicalValue(raw)
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	if out[0] != '{' {
		return nil, errors.New("arguments: expected a JSON object")
	}
	return out, nil
}

// canonicalValue does the same for any one JSON value.
func canonicalValue(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) > maxArgs {
		return nil, fmt.Errorf("%d bytes, at most %d", len(raw), maxArgs)
	}
	if !utf8.Valid(raw) {
		return nil, errors.New("not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var out bytes.Buffer
	if err := canonValue(d, &out, 0); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	// Escapes that become characters can only make it shorter, except U+2028
	// and the like, which become escapes again.
	if out.Len() > maxArgs {
		return nil, fmt.Errorf("%d bytes, at most %d", out.Len(), maxArgs)
	}
	return out.Bytes(), nil
}

var errNotJSON = errors.New("not valid JSON")

// sane refuses numbers that fit no double: validating 1e999999 exactly would
// cost a number of a million digits.
func sane(number string) bool {
	if len(number) > 400 {
		return false
	}
	if _, exp, ok := strings.Cut(strings.ToLower(number), "e"); ok {
		n, err := strconv.Atoi(exp)
		if err != nil || n < -400 || n > 400 {
			return false
		}
	}
	_, err := strconv.ParseFloat(number, 64)
	return err == nil
}

func canonValue(d *json.Decoder, out *bytes.Buffer, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("nested deeper than %d", maxDepth)
	}
	t, err := d.Token()
	if err != nil {
		return errNotJSON
	}
	switch v := t.(type) {
	case json.Delim:
		if v == '{' {
			return canonObject(d, out, depth)
		}
		return canonArray(d, out, depth)
	case json.Number:
		if !sane(v.String()) {
			return errors.New("a number is out of range")
		}
		out.WriteString(v.String())
		return nil
	case string:
		return writeString(out, v)
	case bool:
		fmt.Fprint(out, v)
		return nil
	default:
		out.WriteString("null")
		return nil
	}
}

func canonObject(d *json.Decoder, out *bytes.Buffer, depth int) error {
	type member struct {
		name string
		at   [2]int
	}
	var members []member
	var body bytes.Buffer
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return errNotJSON
		}
		name := t.(string) // the decoder lets nothing else stand here
		if seen[name] {
			return errors.New("an object has the same member twice")
		}
		seen[name] = true
		from := body.Len()
		if err := canonValue(d, &body, depth+1); err != nil {
			return err
		}
		members = append(members, member{name, [2]int{from, body.Len()}})
	}
	if _, err := d.Token(); err != nil {
		return errNotJSON
	}
	sort.Slice(members, func(i, j int) bool { return members[i].name < members[j].name })
	out.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := writeString(out, m.name); err != nil {
			return err
		}
		out.WriteByte(':')
		out.Write(body.Bytes()[m.at[0]:m.at[1]])
	}
	out.WriteByte('}')
	return nil
}

func canonArray(d *json.Decoder, out *bytes.Buffer, depth int) error {
	out.WriteByte('[')
	for i := 0; d.More(); i++ {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := canonValue(d, out, depth+1); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return errNotJSON
	}
	out.WriteByte(']')
	return nil
}

func writeString(out *bytes.Buffer, s string) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // Encode ends with a newline
	return nil
}

// fingerprint tells two requests under one call id apart. args are canonical,
// or raw when they could not be made so.
func fingerprint(n Name, args json.RawMessage) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s", len(n), n)
	h.Write(args)
	return hex.EncodeToString(h.Sum(nil))
}
