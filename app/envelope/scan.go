package envelope

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A member is one name and value of the outermost object.
type member struct {
	name  string
	value json.RawMessage // points into the scanned bytes
}

// scan reads data as exactly one JSON object and checks what encoding/json lets
// pass: duplicate names at any depth, lone surrogates (they have no UTF-8 form,
// and encoding/json would turn two different names into the same one), depth,
// and numbers whose exponent no reader can hold. On an error the members that were read
// whole before it are returned too.
func scan(data []byte, maxDepth int) ([]member, *Error) {
	s := scanner{data: data, maxDepth: maxDepth}
	s.space()
	if s.peek() != '{' {
		return nil, refuse(NotJSON, Whole, "one JSON object")
	}
	if err := s.object(); err != nil {
		return s.top, err
	}
	s.space()
	if s.pos != len(data) {
		return s.top, refuse(NotJSON, Whole, "nothing after the JSON object, at byte "+strconv.Itoa(s.pos))
	}
	return s.top, nil
}

type scanner struct {
	data     []byte
	pos      int
	maxDepth int
	path     []step // where pos is; its length is the depth
	top      []member
}

// A step is a member name, or an index if name is nil; a negative index stands
// for the space between two members.
type step struct {
	name  *string
	index int
}

func (s *scanner) peek() byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

func (s *scanner) fail(code ErrorCode, expected string) *Error {
	return refuse(code, pathOf(s.path), expected)
}

func (s *scanner) syntax(expected string) *Error {
	return s.fail(NotJSON, expected+" at byte "+strconv.Itoa(s.pos))
}

func (s *scanner) enter() *Error {
	if len(s.path) >= s.maxDepth {
		return s.fail(TooDeep, "at most "+strconv.Itoa(s.maxDepth)+" levels of objects and arrays")
	}
	s.path = append(s.path, step{index: -1})
	s.pos++
	s.space()
	return nil
}

func (s *scanner) leave() {
	s.path = s.path[:len(s.path)-1]
	s.pos++
}

func (s *scanner) object() *Error {
	if err := s.enter(); err != nil {
		return err
	}
	at := len(s.path) - 1
	if s.peek() == '}' {
		s.leave()
		return nil
	}
	var seen names
	for {
		s.path[at] = step{index: -1}
		if s.peek() != '"' {
			return s.syntax("a name in quotation marks")
		}
		name, err := s.name()
		if err != nil {
			return err
		}
		s.path[at] = step{name: &name}
		if !seen.add(name) {
			return s.fail(DuplicateKey, "each name once in an object")
		}
		s.space()
		if s.peek() != ':' {
			return s.syntax("a colon")
		}
		s.pos++
		s.space()
		start := s.pos
		if err := s.value(); err != nil {
			return err
		}
		if at == 0 {
			s.top = append(s.top, member{name, s.data[start:s.pos:s.pos]})
		}
		s.space()
		switch s.peek() {
		case ',':
			s.pos++
			s.space()
		case '}':
			s.leave()
			return nil
		default:
			return s.syntax("a comma or the end of the object")
		}
	}
}

func (s *scanner) array() *Error {
	if err := s.enter(); err != nil {
		return err
	}
	at := len(s.path) - 1
	if s.peek() == ']' {
		s.leave()
		return nil
	}
	for i := 0; ; i++ {
		s.path[at] = step{index: i}
		if err := s.value(); err != nil {
			return err
		}
		s.space()
		switch s.peek() {
		case ',':
			s.pos++
			s.space()
		case ']':
			s.leave()
			return nil
		default:
			return s.syntax("a comma or the end of the array")
		}
	}
}

func (s *scanner) value() *Error {
	switch c := s.peek(); {
	case c == '{':
		return s.object()
	case c == '[':
		return s.array()
	case c == '"':
		_, err := s.text()
		return err
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	}
	return s.syntax("a JSON value")
}

func (s *scanner) word(w string) *Error {
	if !strings.HasPrefix(string(s.data[s.pos:min(s.pos+len(w), len(s.data))]), w) {
		return s.syntax("a JSON value")
	}
	s.pos += len(w)
	return nil
}

// name reads a string and gives it unescaped.
func (s *scanner) name() (string, *Error) {
	start := s.pos
	escaped, err := s.text()
	if err != nil {
		return "", err
	}
	if !escaped {
		return string(s.data[start+1 : s.pos-1]), nil
	}
	var name string
	if json.Unmarshal(s.data[start:s.pos], &name) != nil {
		return "", s.syntax("a JSON string")
	}
	return name, nil
}

// names is the set of names of one object: a short list, a map once it is long.
type names struct {
	few  []string
	many map[string]struct{}
}

func (n *names) add(name string) bool {
	if n.many != nil {
		if _, ok := n.many[name]; ok {
			return false
		}
		n.many[name] = struct{}{}
		return true
	}
	for _, f := range n.few {
		if f == name {
			return false
		}
	}
	n.few = append(n.few, name)
	if len(n.few) > 12 {
		n.many = make(map[string]struct{}, 32)
		for _, f := range n.few {
			n.many[f] = struct{}{}
		}
	}
	return true
}
