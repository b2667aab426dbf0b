package surface

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// fetching lists the attributes by which an element loads something.
var fetching = map[string]string{
	"src": "", "srcset": "", "imagesrcset": "", "poster": "", "background": "", "data": "object",
	"xlink:href": "", "manifest": "html",
}

// blockedElements never show anything in a surface.
var blockedElements = map[string]bool{"object": true, "embed": true, "applet": true, "portal": true, "frameset": true, "frame": true}

// lintMarkup looks at html, and at the scripts and styles within it.
func lintMarkup(src string, r *lintReport) (usesBridge bool, sent []sentEvent) {
	p := place{file: htmlFile, text: src, r: r}
	z := html.NewTokenizer(strings.NewReader(src))
	z.SetMaxBuf(0)
	inside := "" // the raw-text element that the next text belongs to
	for at := 0; ; {
		kind := z.Next()
		raw := z.Raw()
		here := p.within(at)
		at += len(raw)
		switch kind {
		case html.ErrorToken:
			return usesBridge, sent
		case html.TextToken:
			switch inside {
			case "script":
				uses, events := lintScript(string(raw), here)
				usesBridge = usesBridge || uses
				sent = append(sent, events...)
			case "style":
				lintStyle(string(raw), here)
			}
			inside = ""
		case html.StartTagToken, html.SelfClosingTagToken:
			e := readTag(z, raw)
			inside = e.rawText()
			uses, events := e.lint(here)
			usesBridge = usesBridge || uses
			sent = append(sent, events...)
		}
	}
}

// element is a start tag; raw is its text.
type element struct {
	name  string
	attrs map[string]string
	raw   []byte
	lower []byte
}

func readTag(z *html.Tokenizer, raw []byte) element {
	// Raw is the tokenizer's own memory, and TagName lowers its letters in place.
	e := element{attrs: map[string]string{}, raw: bytes.Clone(raw)}
	e.lower = bytes.ToLower(e.raw)
	name, more := z.TagName()
	e.name = string(name)
	for more {
		var k, v []byte
		k, v, more = z.TagAttr()
		if _, twice := e.attrs[string(k)]; !twice { // the first one counts
			e.attrs[string(k)] = string(v)
		}
	}
	return e
}

// rawText is the name of an element whose content is one piece of script or
// style, else "". A script of another type is data.
func (e element) rawText() string {
	switch e.name {
	case "style":
		return e.name
	case "script":
		switch t := strings.ToLower(strings.TrimSpace(e.attrs["type"])); t {
		case "", "module", "text/javascript", "application/javascript":
			return e.name
		}
	}
	return ""
}

// manyAttrs is more than anybody writes; in such a tag the place is the tag's own.
const manyAttrs = 200

// at finds where an attribute begins in the tag.
func (e element) at(name string) int {
	if len(e.attrs) > manyAttrs {
		return 0
	}
	for from := 1 + len(e.name); from < len(e.lower); {
		i := bytes.Index(e.lower[from:], []byte(name))
		if i < 0 {
			break
		}
		i += from
		if c := e.lower[i-1]; c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '/' || c == '"' || c == '\'' {
			return i
		}
		from = i + len(name)
	}
	return 0
}

// value finds where an attribute's value begins, if it is spelled there as it is.
func (e element) value(name, v string) int {
	at := e.at(name)
	if at == 0 {
		return 0
	}
	if i := bytes.Index(e.raw[at:], []byte(v)); i >= 0 {
		return at + i
	}
	return at
}

func (e element) lint(p place) (usesBridge bool, sent []sentEvent) {
	switch e.name {
	case "script":
		if src, ok := e.attrs["src"]; ok {
			p.add(LintWarning, "script_src", e.at("src"), src)
		}
	case "link":
		e.lintLink(p)
		return false, nil
	case "base":
		p.add(LintWarning, "base", 0, e.attrs["href"])
		return false, nil
	case "meta":
		switch strings.ToLower(e.attrs["http-equiv"]) {
		case "refresh":
			p.add(LintWarning, "refresh", 0, e.attrs["content"])
		case "content-security-policy":
			p.add(LintWarning, "meta_csp", 0, e.attrs["content"])
		}
	case "form":
		p.add(LintWarning, "form", 0, e.attrs["action"])
	case "iframe":
		if src, ok := e.attrs["src"]; ok && !strings.HasPrefix(src, "about:") {
			p.add(LintWarning, "embedded", e.at("src"), src)
			return false, nil
		}
	case "a", "area":
		if href := strings.TrimSpace(e.attrs["href"]); leaves(href) {
			p.add(LintWarning, "link_leaves", e.at("href"), href)
		}
	case "use", "image", "feimage":
		if href, ok := e.attrs["href"]; ok && !loadable(href) {
			p.add(LintWarning, "external_url", e.at("href"), href)
		}
	}
	if blockedElements[e.name] {
		p.add(LintWarning, "embedded", 0, e.name)
		return false, nil
	}
	return e.lintAttributes(p)
}

func (e element) lintLink(p place) {
	rel := strings.Fields(strings.ToLower(e.attrs["rel"]))
	for _, r := range rel {
		if r == "stylesheet" {
			p.add(LintWarning, "stylesheet_link", 0, e.attrs["href"])
			return
		}
	}
	p.add(LintWarning, "link_element", 0, strings.Join(rel, " "))
}

func (e element) lintAttributes(p place) (usesBridge bool, sent []sentEvent) {
	for name, v := range e.attrs {
		only, fetches := fetching[name]
		switch {
		case e.name == "script" || e.name == "iframe":
			// said already
		case fetches && (only == "" || only == e.name):
			for _, u := range urlsOf(name, v) {
				if !loadable(u) {
					p.add(LintWarning, "external_url", e.at(name), u)
				}
			}
		case name == "formaction":
			p.add(LintWarning, "form", e.at(name), v)
		case name == "ping":
			p.add(LintWarning, "network", e.at(name), "ping")
		}
		switch {
		case name == "style":
			lintStyle(v, p.within(e.value(name, v)))
		case strings.HasPrefix(name, "on") && len(name) > 2:
			if name == "onsubmit" {
				p.add(LintWarning, "form", e.at(name), name)
			}
			// A handler is the body of a function: "return" is allowed in it.
			uses, events := lintHandler(v, p.within(e.value(name, v)))
			usesBridge = usesBridge || uses
			sent = append(sent, events...)
		}
	}
	return usesBridge, sent
}

// urlsOf splits srcset; its data: URLs have commas of their own.
func urlsOf(name, v string) []string {
	if name != "srcset" && name != "imagesrcset" {
		return []string{v}
	}
	var out []string
	for _, candidate := range strings.Fields(v) {
		candidate = strings.Trim(candidate, ",")
		if candidate != "" && !descriptor(candidate) {
			out = append(out, candidate)
		}
	}
	return out
}

// descriptor is the "2x" or "640w" behind an address of a srcset.
func descriptor(s string) bool {
	return strings.Trim(s[:len(s)-1], "0123456789.") == "" && strings.ContainsAny(s[len(s)-1:], "xwh")
}

// loadable tells whether an address in html or css loads in a surface: data and
// blobs of its own, a part of the document, what the host puts in for artifact:.
func loadable(u string) bool {
	u = strings.TrimSpace(u)
	if u == "" || u[0] == '#' {
		return true
	}
	for _, scheme := range []string{"data:", "blob:", "artifact:", "about:"} {
		if len(u) >= len(scheme) && strings.EqualFold(u[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// leaves tells whether a click on a link would load another document.
func leaves(href string) bool {
	return href != "" && href[0] != '#' && !strings.HasPrefix(strings.ToLower(href), "javascript:")
}
