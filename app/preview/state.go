package preview

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"lineup/surface"
)

// checkState reads a state that an author typed.
func checkState(text string, schema json.RawMessage) (state []byte, problems []surface.Finding) {
	problem := func(s surface.Severity, code, detail string, at int) {
		line, column := lineAndColumn(text, at)
		problems = append(problems, surface.Finding{Severity: s, Code: code, Line: line, Column: column, Detail: detail})
	}
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal([]byte(text), new(json.RawMessage)); errors.As(err, &syntax) {
		problem(surface.LintError, "bad_json", syntax.Error(), max(0, int(syntax.Offset)-1))
		return nil, problems
	}
	state, err := surface.CheckState([]byte(text))
	if f, refused := surface.FindingOf(err); refused {
		problem(surface.LintError, f.Code, f.Detail, 0)
		return nil, problems
	}
	places, err := surface.MatchState(schema, state)
	if err != nil {
		problem(surface.LintWarning, "bad_schema", "", 0)
	}
	for _, p := range places {
		problem(surface.LintWarning, "state_schema", p.String(), offsetOf([]byte(text), p.Pointer))
	}
	return state, problems
}

// offsetOf is the byte where the value of a JSON Pointer begins in a valid text
// with each key once; 0 if there is none.
func offsetOf(text []byte, pointer string) int {
	at := 0
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer == "" {
			break
		}
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		next, ok := child(text[at:], step)
		if !ok {
			return at
		}
		at += next
	}
	for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	return at
}

// child finds a member or element of the value at the beginning of text.
func child(text []byte, step string) (at int, ok bool) {
	dec := json.NewDecoder(strings.NewReader(string(text)))
	open, err := dec.Token()
	if err != nil {
		return 0, false
	}
	for i := 0; dec.More(); i++ {
		name := strconv.Itoa(i)
		if open == json.Delim('{') {
			key, err := dec.Token()
			if err != nil {
				return 0, false
			}
			name, _ = key.(string)
		}
		begin := int(dec.InputOffset())
		if name == step {
			for begin < len(text) && strings.IndexByte(" \t\r\n:,", text[begin]) >= 0 {
				begin++
			}
			return begin, true
		}
		var skip json.RawMessage
		if dec.Decode(&skip) != nil {
			return 0, false
		}
	}
	return 0, false
}

// lineAndColumn of a byte, both from 1; the column in characters.
func lineAndColumn(text string, at int) (line, column int) {
	before := text[:min(max(at, 0), len(text))]
	start := strings.LastIndexByte(before, '\n') + 1
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[start:])
}

// cutText shortens s to whole characters of at most n bytes.
func cutText(s string, n int) string {
	s = s[:min(len(s), n)]
	for len(s) > 0 {
		if r, size := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || size > 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s
}
