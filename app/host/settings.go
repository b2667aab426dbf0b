package host

import (
	"context"
	"encoding/json"

	"lineup/app/uiapi"
)

const (
	settingUI       = "ui"
	settingLanguage = "page_language"     // what the browser prefers, for "system"
	settingOpen     = "open_conversation" // what a page that starts shows first
	settingSurface  = "surface_ok:"       // + agent id: may show its own interface; the value is the fingerprint
)

func defaultSettings() uiapi.Settings {
	return uiapi.Settings{Theme: "system", Language: "system", TextSize: 100}
}

func (h *Host) loadSettings(ctx context.Context) error {
	raw, ok, err := h.store.Setting(ctx, settingUI)
	if err != nil {
		return err
	}
	s := defaultSettings()
	if ok {
		if err := json.Unmarshal([]byte(raw), &s); err != nil {
			h.log.Warn("settings cannot be read; the defaults are used", "err", err)
			s = defaultSettings()
		}
	}
	page, _, err := h.store.Setting(ctx, settingLanguage)
	if err != nil {
		return err
	}
	h.mu.Lock()
	h.settings, h.pageLocale = s, page
	h.mu.Unlock()
	h.inspect.set(h.devMode || s.DevMode)
	return nil
}

func (h *Host) setSettings(ctx context.Context, s uiapi.Settings) error {
	switch s.Theme {
	case "system", "light", "dark", "contrast":
	default:
		return uiapi.Bad("theme", "system, light, dark or contrast")
	}
	switch s.Language {
	case "system", "en", "zh-CN":
	default:
		return uiapi.Bad("language", "system, en or zh-CN")
	}
	if s.TextSize < 80 || s.TextSize > 200 {
		return uiapi.Bad("text_size", "80 to 200 percent")
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := h.store.SetSetting(ctx, settingUI, string(raw)); err != nil {
		return err
	}
	h.mu.Lock()
	h.settings = s
	h.mu.Unlock()
	h.inspect.set(h.devMode || s.DevMode)
	h.reworded()
	h.remark() // the developer mode is part of it
	return nil
}

// setPageLocale notes what the page's browser prefers.
func (h *Host) setPageLocale(ctx context.Context, tag string) {
	h.mu.Lock()
	same := h.pageLocale == tag
	h.pageLocale = tag
	h.mu.Unlock()
	if same {
		return
	}
	if err := h.store.SetSetting(ctx, settingLanguage, tag); err != nil {
		h.log.Warn("cannot note the language", "err", err)
	}
	h.reworded()
}

// reworded redraws what Go words when the language may have changed.
func (h *Host) reworded() {
	h.hub.Mark(keySettings, keyPrompts, keyPreview)
	for _, c := range h.hub.Clients() {
		h.restyle(c)
		p := h.pageOf(c)
		p.mu.Lock()
		id := p.open
		p.mu.Unlock()
		if conv := h.conv(id); conv != nil {
			c.Mark(conv.callKeys()...)
		}
	}
}

// language is the language of words that Go composes: "en" or "zh-CN".
func (h *Host) language() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.settings.Language != "system" && h.settings.Language != "" {
		return lang(h.settings.Language)
	}
	return lang(h.pageLocale)
}

// maySurface says whether the user allowed this agent's own interfaces, for
// the agent as it is recorded now.
func (h *Host) maySurface(l *link) bool {
	v, ok, err := h.store.Setting(h.ctx, settingSurface+l.id)
	return err == nil && ok && v != "" && v == l.fingerprint()
}

func (h *Host) allowSurfaces(l *link) error {
	defer h.remark()
	return h.store.SetSetting(h.ctx, settingSurface+l.id, l.fingerprint())
}
