package openurl

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxURL is the longest address, in bytes, before and after normalising.
const maxURL = 2048

// address is a checked and normalised address. host, readable and lookalike
// are empty for a mail.
type address struct {
	url       string // ASCII
	scheme    string
	host      string // ASCII, with the port if it is not the scheme's own
	readable  string // the host in its own letters, if that is not ASCII
	lookalike bool
}

// site is scheme and host, what a grant is for.
func (a address) site() string {
	if a.host == "" {
		return a.scheme
	}
	return a.scheme + "://" + a.host
}

var (
	errNotURL   = errors.New("url: expected an absolute http, https or mailto address")
	errLong     = errors.New("url: longer than 2048 bytes")
	errChars    = errors.New("url: blanks, control characters, back-slashes and invisible characters are not allowed")
	errUserinfo = errors.New("url: a user name or password in the address is not allowed")
	errHost     = errors.New("url: the host is not valid")
	errPort     = errors.New("url: the port is not valid")
	errMail     = errors.New("url: mailto may have only to, cc, bcc, subject, body and in-reply-to, without line breaks in headers")
)

func parse(s string) (address, error) {
	if len(s) > maxURL {
		return address{}, errLong
	}
	if !utf8.ValidString(s) {
		return address{}, errChars
	}
	for _, r := range s {
		// IsPrint leaves out every blank but U+0020, control and format characters.
		if r == ' ' || r == '\\' || r == '\u3000' || !unicode.IsPrint(r) {
			return address{}, errChars
		}
	}
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok {
		return address{}, errNotURL
	}
	var a address
	var err error
	switch scheme = strings.ToLower(scheme); scheme {
	case "http", "https":
		a, err = parseWeb(scheme, rest)
	case "mailto":
		a, err = parseMail(rest)
	default:
		err = errNotURL
	}
	if err == nil && len(a.url) > maxURL {
		err = errLong
	}
	if err != nil {
		return address{}, err
	}
	return a, nil
}

// parseWeb splits the authority off by hand: browsers and net/url disagree on
// what odd ones mean, so odd ones are refused.
func parseWeb(scheme, rest string) (address, error) {
	rest, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return address{}, errNotURL
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority, tail := rest[:end], rest[end:]
	if strings.Contains(authority, "@") {
		return address{}, errUserinfo
	}
	a := address{scheme: scheme}
	name, port, err := splitPort(scheme, authority)
	if err != nil {
		return address{}, err
	}
	if a.host, a.readable, a.lookalike, err = hostname(name); err != nil {
		return address{}, err
	}
	a.host += port
	if !strings.HasPrefix(tail, "/") {
		tail = "/" + tail
	}
	a.url = scheme + "://" + a.host + escape(tail)
	if _, err := url.Parse(a.url); err != nil {
		return address{}, errNotURL
	}
	return a, nil
}

// splitPort returns the host and ":port", empty for the scheme's own port.
func splitPort(scheme, authority string) (name, port string, err error) {
	name = authority
	if i := strings.LastIndexByte(authority, ':'); i > strings.LastIndexByte(authority, ']') {
		name = authority[:i]
		digits := authority[i+1:]
		n, err := strconv.ParseUint(digits, 10, 16)
		if err != nil || n == 0 || strings.HasPrefix(digits, "0") {
			return "", "", errPort
		}
		if (scheme != "http" || n != 80) && (scheme != "https" || n != 443) {
			port = ":" + digits
		}
	}
	return name, port, nil
}

var asciiHost = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$`)

// profile is the mapping browsers use, with underscores, which real hosts have.
var profile = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.CheckJoiners(true), idna.ValidateLabels(true), idna.StrictDomainName(false), idna.Transitional(false))

// hostname returns the host in ASCII and, if they differ, as it reads.
func hostname(name string) (ascii, readable string, lookalike bool, err error) {
	if v6, ok := strings.CutPrefix(name, "["); ok {
		v6, ok = strings.CutSuffix(v6, "]")
		ip, perr := netip.ParseAddr(v6)
		if !ok || perr != nil || !ip.Is6() || ip.Zone() != "" {
			return "", "", false, errHost
		}
		return "[" + ip.String() + "]", "", false, nil
	}
	ascii, ierr := profile.ToASCII(name)
	if ierr != nil || len(ascii) > 253 || !asciiHost.MatchString(ascii) {
		return "", "", false, errHost
	}
	labels := strings.Split(strings.TrimSuffix(ascii, "."), ".")
	if endsInNumber(labels) {
		// Browsers read 2130706433, 127.1 and 0x7f.1 as addresses; what is
		// shown must be what is meant.
		ip, perr := netip.ParseAddr(ascii)
		if perr != nil || !ip.Is4() {
			return "", "", false, errHost
		}
		return ascii, "", false, nil
	}
	for _, l := range labels {
		if len(l) > 63 {
			return "", "", false, errHost
		}
	}
	unicodeName, uerr := profile.ToUnicode(ascii)
	if uerr != nil {
		return "", "", false, errHost
	}
	if unicodeName == ascii {
		return ascii, "", false, nil
	}
	return ascii, unicodeName, deceptive(unicodeName), nil
}

func endsInNumber(labels []string) bool {
	last := labels[len(labels)-1]
	digits := strings.Trim(last, "0123456789") == ""
	_, err := strconv.ParseUint(strings.TrimPrefix(last, "0x"), 16, 64)
	return digits || strings.HasPrefix(last, "0x") && (err == nil || last == "0x")
}

// escape writes what is not ASCII, and the few ASCII characters that no address
// may have, as percent escapes. It leaves escapes alone.
func escape(s string) string {
	const hex = "0123456789ABCDEF"
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		bad := c == '%' && !(i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]))
		if c >= 0x80 || bad || strings.IndexByte("\"<>^`{|}", c) >= 0 {
			out.WriteByte('%')
			out.WriteByte(hex[c>>4])
			out.WriteByte(hex[c&15])
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// parseMail allows only the headers that start a draft: some mail programs
// attach files when an address says so.
func parseMail(rest string) (address, error) {
	if strings.HasPrefix(rest, "/") {
		return address{}, errMail
	}
	to, query, _ := strings.Cut(rest, "?")
	if strings.ContainsAny(query, "?#") || strings.Contains(to, "#") {
		return address{}, errMail
	}
	if who, err := url.PathUnescape(to); err != nil || broken(who) {
		return address{}, errMail
	}
	if to == "" && query == "" {
		return address{}, errMail
	}
	for _, field := range strings.Split(query, "&") {
		if field == "" && query == "" {
			break
		}
		k, v, _ := strings.Cut(field, "=")
		value, err := url.PathUnescape(v)
		if err != nil {
			return address{}, errMail
		}
		switch strings.ToLower(k) {
		case "body":
			if strings.ContainsRune(value, 0) {
				return address{}, errMail
			}
		case "to", "cc", "bcc", "subject", "in-reply-to":
			if broken(value) {
				return address{}, errMail
			}
		default:
			return address{}, errMail
		}
	}
	return address{scheme: "mailto", url: "mailto:" + escape(rest)}, nil
}

// broken tells whether a header value would start another header.
func broken(s string) bool {
	return strings.ContainsFunc(s, unicode.IsControl)
}
