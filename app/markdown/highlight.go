package markdown

import (
	"html"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

const (
	// maxHighlight is the size up to which code is highlighted: the lexers are
	// regular expressions written for people's files, not for hostile megabytes.
	maxHighlight = 32 << 10
	// codeTime bounds one block and docTime all of a message. Ordinary code of maxHighlight takes
	// a tenth of codeTime; 8 KiB made for it (one line end after another, in some
	// lexers) takes seconds, and then stays plain.
	codeTime = 400 * time.Millisecond
	docTime  = 2 * time.Second
)

// languages are those whose lexers were tried with hostile input and come back
// from each single step soon; a lexer cannot be stopped within one. Others hang for minutes.
var languages = func() map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(`go python javascript typescript tsx jsx java c c++ c# rust ruby php swift
		kotlin scala bash powershell sql html css scss json yaml toml xml markdown diff docker makefile lua perl r
		haskell elixir erlang clojure dart julia zig nix vue svelte graphql protobuf ini nginx tex objective-c fsharp
		ocaml lisp scheme vim cmake terraform groovy matlab awk bat http solidity console postgresql mysql`) {
		if l := lexers.Get(name); l != nil {
			set[l.Config().Name] = true
		}
	}
	return set
}()

// budget is the time a message may still spend on colours.
type budget struct{ left time.Duration }

// tokens is the escaped code with a span around each token, or only escaped where
// it is not highlighted.
func (b *budget) tokens(lang, code string) string {
	plain := html.EscapeString(code)
	lang = strings.ToLower(lang)
	if len(code) > maxHighlight || !langPattern.MatchString(lang) {
		return plain
	}
	lexer := lexers.Get(lang)
	if lexer == nil || !languages[lexer.Config().Name] {
		return plain
	}
	key := lexer.Config().Name + "\x00" + code
	if out, ok := seen.get(key); ok {
		return out
	}
	if b.left <= 0 {
		return plain
	}
	begin := time.Now()
	out, ok := paint(lexer, code, begin.Add(min(codeTime, b.left)))
	b.left -= time.Since(begin)
	if !ok {
		out = plain
	}
	seen.put(key, out)
	return out
}

// paint runs the lexer until the deadline.
func paint(lexer chroma.Lexer, code string, deadline time.Time) (out string, ok bool) {
	// Lexers report errors by panics; hostile code must not take a message with it.
	defer func() {
		if recover() != nil {
			out, ok = "", false
		}
	}()
	next, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, code)
	if err != nil {
		return "", false
	}
	var b, text, run strings.Builder
	class := ""
	flush := func() {
		if run.Len() == 0 {
			return
		}
		if class == "" {
			b.WriteString(html.EscapeString(run.String()))
		} else {
			b.WriteString(`<span class="` + classPrefix + class + `">` + html.EscapeString(run.String()) + `</span>`)
		}
		run.Reset()
	}
	for t := next(); t != chroma.EOF; t = next() {
		if time.Now().After(deadline) {
			return "", false
		}
		if c := tokenClass(t.Type); c != class {
			flush()
			class = c
		}
		run.WriteString(t.Value)
		text.WriteString(t.Value)
	}
	flush()
	// A lexer that changes the text is of no use.
	return b.String(), text.String() == code
}

func tokenClass(t chroma.TokenType) string {
	if t == chroma.Error || t == chroma.TextWhitespace {
		return "" // what a lexer cannot read is not the reader's problem
	}
	for {
		if c := chroma.StandardTypes[t]; c != "" {
			return c
		}
		if t == t.Parent() {
			return ""
		}
		t = t.Parent()
	}
}

// seen keeps the last results: the blocks of a message that grows are rendered many
// times, their code changes in none of them.
var seen = &paintCache{of: map[string]string{}}

type paintCache struct {
	mu    sync.Mutex
	of    map[string]string
	order []string
}

const maxSeen = 128

func (c *paintCache) get(key string) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	out, ok := c.of[key]
	return out, ok
}

func (c *paintCache) put(key, out string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.of[key]; ok {
		return
	}
	if len(c.order) >= maxSeen {
		delete(c.of, c.order[0])
		c.order = c.order[1:]
	}
	c.of[key] = out
	c.order = append(c.order, key)
}
