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

// fields is the outermost object of a bundle's file, read strictly and with
// the line of each name, so that a mistake can be shown to its author.
type fields struct {
	file   string
	values map[string]json.RawMessage
	lines  map[string]int
}

// readFields reads one JSON object of at most max bytes that has no other names
// than known.
func readFields(file string, raw []byte, max int, known []string) (fields, error) {
	f := fields{file: file, values: map[string]json.RawMessage{}, lines: map[string]int{}}
	bad := func(at int, field, expected string) error {
		return &Refusal{Code: CodeBadBundle, Field: field, Expected: expected, File: file, Line: lineAt(raw, at)}
	}
	if len(raw) > max {
		return f, &Refusal{Code: CodeTooLarge, Expected: fmt.Sprintf("at most %d bytes", max), File: file}
	}
	if at := invalidUTF8(raw); at >= 0 {
		return f, bad(at, "", "UTF-8")
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(raw, new(json.RawMessage)); errors.As(err, &syntax) {
		// The message names at most one character, quoted.
		return f, bad(int(syntax.Offset)-1, "", "one JSON object ("+syntax.Error()+")")
	} else if err != nil {
		return f, bad(0, "", "one JSON object")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, _ := dec.Token(); open != json.Delim('{') {
		return f, bad(0, "", "one JSON object")
	}
	for dec.More() {
		token, _ := dec.Token() // cannot fail: the whole text is valid JSON
		name, _ := token.(string)
		at := int(dec.InputOffset()) - 1
		if !slices.Contains(known, name) {
			return f, bad(at, printable(name), "no other fields than "+strings.Join(known, ", "))
		}
		if _, twice := f.values[name]; twice {
			return f, bad(at, name, string(duplicateKey))
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return f, bad(at, name, "a JSON value")
		}
		f.values[name], f.lines[name] = value, lineAt(raw, at)
	}
	return f, nil
}

func (f fields) has(name string) bool { return f.values[name] != nil }

func (f fields) line(name string) int { return f.lines[name] }

func (f fields) refuse(name, expected string) error {
	return &Refusal{Code: CodeBadBundle, Field: name, Expected: expected, File: f.file, Line: f.lines[name]}
}

// text reads a string; "" if it is absent and need not be there.
func (f fields) text(name string, must bool) (string, error) {
	raw := f.values[name]
	if raw == nil {
		if must {
			return "", f.refuse(name, "this field")
		}
		return "", nil
	}
	s, ok := text(raw)
	if !ok {
		return "", f.refuse(name, "a string of whole characters")
	}
	return s, nil
}

// texts reads a list of strings; nil if it is absent.
func (f fields) texts(name string) ([]string, error) {
	if !f.has(name) {
		return nil, nil
	}
	var list []json.RawMessage
	if f.values[name][0] != '[' || json.Unmarshal(f.values[name], &list) != nil || len(list) > maxEvents {
		return nil, f.refuse(name, fmt.Sprintf("a list of at most %d names", maxEvents))
	}
	var out []string
	for _, raw := range list {
		s, ok := text(raw)
		if !ok {
			return nil, f.refuse(name, "a list of strings")
		}
		out = append(out, s)
	}
	if err := checkEvents(out); err != nil {
		return nil, f.locate(err)
	}
	return out, nil
}

// flag reads true or false; false if it is absent.
func (f fields) flag(name string) (bool, error) {
	switch string(f.values[name]) {
	case "true":
		return true, nil
	case "false", "":
		return false, nil
	}
	return false, f.refuse(name, "true or false")
}

// object gives the value if it is an object, else nil.
func (f fields) object(name string) json.RawMessage {
	if raw := f.values[name]; raw != nil && raw[0] == '{' {
		return raw
	}
	return nil
}

// text decodes a JSON string, and not one that holds half a surrogate pair:
// encoding/json would silently make another text of it, with another digest.
func text(raw json.RawMessage) (string, bool) {
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if i++; raw[i] != 'u' {
			continue
		}
		switch hex := strings.ToLower(string(raw[i+1 : i+5])); {
		case hex >= "dc00" && hex <= "dfff":
			return "", false
		case hex >= "d800" && hex <= "dbff":
			if i+11 > len(raw) || raw[i+5] != '\\' || raw[i+6] != 'u' {
				return "", false
			}
			if low := strings.ToLower(string(raw[i+7 : i+11])); low < "dc00" || low > "dfff" {
				return "", false
			}
			i += 6
		}
		i += 4
	}
	return s, true
}

// lineAt is the line, from 1, of the byte at offset at.
func lineAt(raw []byte, at int) int {
	return 1 + bytes.Count(raw[:min(max(at, 0), len(raw))], []byte("\n"))
}

// invalidUTF8 is the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(raw []byte) int {
	if utf8.Valid(raw) {
		return -1
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}

// printable shows an unknown name to its author, short and on one line.
func printable(name string) string {
	if len(name) > 40 || !shortText(name, 40) || name == "" {
		return fmt.Sprintf("%.40q", name)
	}
	return name
}
