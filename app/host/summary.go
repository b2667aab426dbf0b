package host

import (
	"strings"
	"unicode/utf8"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/markdown"
	"lineup/capability/plain"
)

const (
	titleRunes   = 60
	previewRunes = 120
	nameRunes    = 60
)

// summarise keeps the list row and the search index up with the log.
func (c *conv) summarise(ended []endedText) {
	if len(ended) == 0 {
		return
	}
	for _, e := range ended {
		text := e.text
		if !strings.HasPrefix(e.id, "u:") {
			text = markdown.Plain(text)
		}
		if err := c.h.store.IndexText(c.ctx, c.id, e.id, text, e.at); err != nil {
			c.h.log.Warn("cannot index a message", "conversation", c.id, "err", err)
		}
		if err := c.h.store.SetPreview(c.ctx, c.id, oneLine(text, previewRunes), e.at); err != nil {
			c.h.log.Warn("cannot set a preview", "conversation", c.id, "err", err)
		}
	}
	c.mu.Lock()
	first, titled := c.state.FirstUserText(), c.titled
	c.titled = titled || first != ""
	c.mu.Unlock()
	if !titled && first != "" {
		if err := c.h.store.SetTitle(c.ctx, c.id, oneLine(first, titleRunes)); err != nil {
			c.h.log.Warn("cannot set a title", "conversation", c.id, "err", err)
		}
	}
	c.h.hub.Mark(keyConv(c.id))
}

// oneLine makes a short plain line of a text that may be long and hostile.
func oneLine(s string, limit int) string {
	if len(s) > 8*limit {
		s = s[:8*limit]
		for !utf8.ValidString(s) && s != "" {
			s = s[:len(s)-1]
		}
	}
	s, _, _ = plain.Show(strings.Join(strings.Fields(s), " "))
	runes := []rune(s)
	if len(runes) > limit {
		return strings.TrimSpace(string(runes[:limit-1])) + "…"
	}
	return string(runes)
}

// displayName makes an agent's own name safe to show in the host's words.
func displayName(name, id string) string {
	if n := oneLine(name, nameRunes); n != "" {
		return n
	}
	return oneLine(id, nameRunes)
}

// noteMalformed leaves a mark in the log that a frame was refused.
func (c *conv) noteMalformed(e *envelope.Error) {
	err := c.local(conversation.TypeLocalMalformed, conversation.MalformedFact{Code: string(e.Code), Field: e.Field})
	if err != nil {
		c.h.log.Warn("cannot note a refused frame", "conversation", c.id, "err", err)
	}
}
