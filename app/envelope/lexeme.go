package envelope

import "strconv"

// text reads a string and says whether it holds an escape.
func (s *scanner) text() (escaped bool, err *Error) {
	s.pos++ // the opening quotation mark
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return escaped, nil
		case c == '\\':
			escaped = true
			if err := s.escape(); err != nil {
				return true, err
			}
		case c < 0x20:
			return escaped, s.syntax("an escape instead of a control character")
		default:
			s.pos++
		}
	}
	return escaped, s.syntax("the end of the string")
}

func (s *scanner) escape() *Error {
	s.pos++
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos++
		return nil
	case 'u':
	default:
		return s.syntax("a JSON escape")
	}
	high, ok := s.hex()
	if !ok {
		return s.syntax("four hexadecimal digits")
	}
	switch {
	case high >= 0xDC00 && high <= 0xDFFF:
		return s.syntax("a whole surrogate pair (do not cut a character in two)")
	case high >= 0xD800 && high <= 0xDBFF:
		if s.peek() != '\\' || s.pos+1 >= len(s.data) || s.data[s.pos+1] != 'u' {
			return s.syntax("a whole surrogate pair (do not cut a character in two)")
		}
		s.pos++
		if low, ok := s.hex(); !ok || low < 0xDC00 || low > 0xDFFF {
			return s.syntax("a whole surrogate pair (do not cut a character in two)")
		}
	}
	return nil
}

// hex reads uXXXX.
func (s *scanner) hex() (uint64, bool) {
	if s.pos+5 > len(s.data) {
		return 0, false
	}
	for _, c := range s.data[s.pos+1 : s.pos+5] {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return 0, false // ParseUint alone would take a sign or an underscore in other bases
		}
	}
	n, err := strconv.ParseUint(string(s.data[s.pos+1:s.pos+5]), 16, 16)
	s.pos += 5
	return n, err == nil
}

// A number may be this long, and its exponent this large. Doubles need no
// more, and arbitrary-precision readers (the schema validator is one) would
// spend unbounded work on 1e999999999.
const (
	maxNumber   = 256
	maxExponent = 400
)

func (s *scanner) number() *Error {
	start := s.pos
	if s.peek() == '-' {
		s.pos++
	}
	switch c := s.peek(); {
	case c == '0':
		s.pos++
	case c >= '1' && c <= '9':
		s.digits()
	default:
		return s.syntax("a digit")
	}
	if s.peek() == '.' {
		s.pos++
		if s.digits() == 0 {
			return s.syntax("a digit")
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		from := s.pos
		if s.digits() == 0 {
			return s.syntax("a digit")
		}
		if n, err := strconv.Atoi(string(s.data[from:s.pos])); err != nil || n > maxExponent {
			return s.syntax("a number in the range of a double")
		}
	}
	if s.pos-start > maxNumber {
		return s.syntax("a number of at most 256 characters")
	}
	return nil
}

func (s *scanner) digits() int {
	from := s.pos
	for s.pos < len(s.data) && s.data[s.pos] >= '0' && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos - from
}
