package openurl

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"lineup/capability"
)

func TestAccepted(t *testing.T) {
	for _, c := range []struct{ in, url, host, readable string }{
		{"https://example.com/docs", "https://example.com/docs", "example.com", ""},
		{"HTTPS://EXAMPLE.com", "https://example.com/", "example.com", ""},
		{"http://example.com:80/a?b=c#d", "http://example.com/a?b=c#d", "example.com", ""},
		{"http://example.com:8080", "http://example.com:8080/", "example.com:8080", ""},
		{"https://example.com?q=1", "https://example.com/?q=1", "example.com", ""},
		{"http://127.0.0.1:3000/", "http://127.0.0.1:3000/", "127.0.0.1:3000", ""},
		{"http://[::1]:80/x", "http://[::1]/x", "[::1]", ""},
		{"https://例子.中国/路径?q=值", "https://xn--fsqu00a.xn--fiqs8s/%E8%B7%AF%E5%BE%84?q=%E5%80%BC", "xn--fsqu00a.xn--fiqs8s", "例子.中国"},
		{"https://my_site.example.com/", "https://my_site.example.com/", "my_site.example.com", ""},
		{"https://example.com/a%20b%zz", "https://example.com/a%20b%25zz", "example.com", ""},
		{"https://example.com./", "https://example.com./", "example.com.", ""},
		{"mailto:anna@example.com?subject=Hi%20there&body=a%0D%0Ab", "mailto:anna@example.com?subject=Hi%20there&body=a%0D%0Ab", "", ""},
	} {
		a, err := parse(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if a.url != c.url || a.host != c.host || a.readable != c.readable {
			t.Errorf("%s:\n got %q %q %q\nwant %q %q %q", c.in, a.url, a.host, a.readable, c.url, c.host, c.readable)
		}
		if again, err := parse(a.url); err != nil || again.url != a.url {
			t.Errorf("%s: normalising again gives %q, %v", c.in, again.url, err)
		}
	}
}

func TestRefused(t *testing.T) {
	long := "https://example.com/" + strings.Repeat("a", 2048-len("https://example.com/"))
	if _, err := parse(long); err != nil {
		t.Errorf("2048 bytes: %v", err)
	}
	for in, want := range map[string]error{
		long + "a": errLong,
		"https://example.com/" + strings.Repeat("字", 400): errLong, // in ASCII it is too long
		"":                                errNotURL,
		"example.com":                     errNotURL,
		"javascript:alert(1)":             errNotURL,
		"file:///etc/passwd":              errNotURL,
		"smb://host/share":                errNotURL,
		"data:text/html,x":                errNotURL,
		"vscode://x":                      errNotURL,
		"https:example.com":               errNotURL,
		"https:/example.com":              errNotURL,
		"https:///example.com":            errHost,
		"https://":                        errHost,
		"https://?q":                      errHost,
		"https://user@example.com":        errUserinfo,
		"https://user:pw@example.com":     errUserinfo,
		"https://google.com@evil.example": errUserinfo,
		"https://@example.com":            errUserinfo,
		" https://example.com":            errChars,
		"https://example.com/a b":         errChars,
		"https://example.com/\n":          errChars,
		"https://exam\tple.com":           errChars,
		"https://example.com\\@evil":      errChars,
		"https://example.com/\u202Egpj":   errChars,
		"https://exa\u200Bmple.com":       errChars,
		"https://example.com/\x00":        errChars,
		"https://example.com/\xff":        errChars,
		"https://example.com/\u3000":      errChars,
		"https://exa%6Dple.com":           errHost,
		"https://2130706433/":             errHost,
		"https://127.1/":                  errHost,
		"https://0x7f.0.0.1/":             errHost,
		"https://0x7f000001/":             errHost,
		"https://1.2.3.4.5/":              errHost,
		"https://01.2.3.4/":               errHost,
		"https://-example.com/":           errHost,
		"https://a..b/":                   errHost,
		"https://exa<mple.com":            errHost,
		"https://[fe80::1%25eth0]/":       errHost,
		"https://[127.0.0.1]/":            errHost,
		"https://[::1/":                   errHost,
		"https://xn--a-ecp.ru\u00AD/":     errChars,
		"https://xn--zzzzzz999999/":       errHost,
		"https://example.com:0/":          errPort,
		"https://example.com:99999/":      errPort,
		"https://example.com:/":           errPort,
		"https://example.com:0443/":       errPort,
		"https://example.com:44x/":        errPort,
		"mailto:":                         errMail,
		"mailto://x":                      errMail,
		"mailto:a@b?attach=/etc/passwd":   errMail,
		"mailto:a@b?ATTACHMENT=x":         errMail,
		"mailto:a@b?subject=x%0ABcc:e@f":  errMail,
		"mailto:a%0A@b":                   errMail,
		"mailto:a@b?subject=%zz":          errMail,
		"mailto:a@b?body=%00":             errMail,
	} {
		if a, err := parse(in); err != want {
			t.Errorf("%q: got %q, %v; want %v", in, a.url, err, want)
		}
	}
}

func TestLookalike(t *testing.T) {
	for host, want := range map[string]bool{
		"example.com":               false,
		"例子.中国":                     false,
		"bücher.example":            false,
		"пример.рф":                 false,
		"日本語とabc.jp":                false,
		"한국어abc.kr":                 false,
		"αθήνα.gr":                  false,
		"аррӏе.com":                 true, // all Cyrillic
		"раураl.com":                true, // Cyrillic and Latin
		"gοogle.com":                true, // a Greek o
		"xn--80ak6aa92e.com":        true,
		"login.xn--80ak6aa92e.com":  true,
		"gıthub.com":                true, // dotless i
		"ɡoogle.com":                true, // script g
		"paypal.com.xn--e1afmkfd.x": false,
	} {
		a, err := parse("https://" + host + "/")
		if err != nil {
			t.Errorf("%s: %v", host, err)
		} else if a.lookalike != want {
			t.Errorf("%s (%s): look-alike %v, want %v", host, a.host, a.lookalike, want)
		}
	}
}

func TestPresentAndScope(t *testing.T) {
	p := New(nil)
	args := json.RawMessage(`{"url":"https://аррӏе.com/x"}`)
	got := p.Present(args, "en")
	if got.Summary != "https://xn--80ak6aa92e.com" || len(got.Warnings) != 1 || got.Warnings[0] != capability.WarnLookalike {
		t.Errorf("got %+v", got)
	}
	if got.Args[0].Value != "xn--80ak6aa92e.com (аррӏе.com)" || got.Args[1].Value != "https://xn--80ak6aa92e.com/x" {
		t.Errorf("got %+v", got.Args)
	}
	if zh := p.Present(args, "zh-CN"); zh.Args[0].Label != "网站" {
		t.Errorf("got %+v", zh.Args)
	}
	key, rule := p.Scope(json.RawMessage(`{"url":"http://EXAMPLE.com:80/a/b"}`))
	if key != "http://example.com" || rule("en") != "open any page on http://example.com" || rule("zh-CN") != "打开 http://example.com 上的任何网页" {
		t.Errorf("scope %q %q", key, rule("en"))
	}
	if key, _ := p.Scope(json.RawMessage(`{"url":"mailto:a@b.c"}`)); key != "" {
		t.Errorf("a mail has scope %q", key)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"https://example.com", "http://[::1]:8080/a?b#c", "mailto:a@b.c?subject=x&body=y", "https://例子.中国/", "https://a@b", "https://1.2.3.4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := parse(s)
		if err != nil {
			return
		}
		for i := 0; i < len(a.url); i++ {
			if c := a.url[i]; c <= ' ' || c >= 0x7f || c == '\\' {
				t.Fatalf("%q gives %q", s, a.url)
			}
		}
		again, err := parse(a.url)
		if err != nil || again.url != a.url || again.host != a.host {
			t.Fatalf("%q gives %q, which gives %q, %v", s, a.url, again.url, err)
		}
		u, err := url.Parse(a.url)
		if err != nil || u.User != nil || a.host != "" && u.Host != a.host {
			t.Fatalf("%q: net/url reads %+v, %v, we read host %q", a.url, u, err, a.host)
		}
	})
}
