package markdown

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"
)

// target is where a link goes, if it may go anywhere.
type target struct {
	href string
	host string // in ASCII, lower case; of an address, the part after the @
}

// linkTarget accepts absolute http, https and mailto URLs. The host becomes
// ASCII, so what is shown and what is opened is the same name; user info is
// refused because it exists to look like a host.
func linkTarget(raw string) (target, bool) {
	if len(raw) > 2048 || strings.ContainsFunc(raw, func(r rune) bool { return unicode.IsControl(r) || isInvisible(r) }) {
		return target{}, false
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return target{}, false
	}
	switch strings.ToLower(u.Scheme) {
	case "mailto":
		at := strings.LastIndexByte(u.Opaque, '@')
		if at < 1 || strings.ContainsAny(u.Opaque, "<>\"'\\ ") {
			return target{}, false
		}
		return target{u.String(), strings.ToLower(u.Opaque[at+1:])}, true
	case "http", "https":
		host, ok := asciiHost(u.Hostname())
		if !ok || u.User != nil || u.Opaque != "" {
			return target{}, false
		}
		u.Scheme = strings.ToLower(u.Scheme)
		u.Host = host
		if strings.Contains(host, ":") {
			u.Host = "[" + host + "]"
		}
		if port := portOf(raw); port != "" {
			u.Host += ":" + port
		}
		return target{u.String(), host}, true
	}
	return target{}, false
}

func portOf(raw string) string {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return ""
	}
	return u.Port()
}

var plainHost = regexp.MustCompile(`^[a-z0-9_.:-]+$`)

func asciiHost(host string) (string, bool) {
	host = strings.ToLower(host)
	if host == "" || len(host) > 253 {
		return "", false
	}
	if !plainHost.MatchString(host) {
		a, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return "", false
		}
		host = a
	}
	return strings.TrimSuffix(host, "."), true
}

// namesOther reports whether a link's text looks like an address of another
// host than the link's own, or the link's host is an international name, which
// may be spelt to look like another.
func namesOther(words string, t target) bool {
	if strings.HasPrefix(t.host, "xn--") || strings.Contains(t.host, ".xn--") {
		return true
	}
	for _, name := range hostsIn(words) {
		if strings.TrimPrefix(name, "www.") != strings.TrimPrefix(t.host, "www.") {
			return true
		}
	}
	return false
}

var hostWords = regexp.MustCompile(`[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+`)

// hostsIn finds what a reader would take for a host name. Compatibility forms
// (full-width letters and dots) count as what they look like.
func hostsIn(words string) []string {
	words = strings.Map(func(r rune) rune {
		switch {
		case isInvisible(r):
			return -1
		case r == '。' || r == '．' || r == '｡' || r == '․':
			return '.'
		}
		return r
	}, words)
	var hosts []string
	for _, w := range hostWords.FindAllString(norm.NFKC.String(words), 32) {
		ascii, ok := asciiHost(w)
		if !ok {
			hosts = append(hosts, w) // looks like a name and is none: the more suspicious
			continue
		}
		// "v1.2" and "node.js" are no hosts: their end is no public suffix.
		if suffix, icann := publicsuffix.PublicSuffix(ascii); icann && suffix != ascii {
			hosts = append(hosts, ascii)
		}
	}
	return hosts
}

// isInvisible is true of characters that change what is read without being
// seen: zero-width, direction marks, soft hyphen, tags.
func isInvisible(r rune) bool {
	return r == 0xad || unicode.Is(unicode.Cf, r) || r == 0x34f || r == 0x115f || r == 0x3164
}
