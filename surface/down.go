package surface

import (
	"encoding/json"
	"regexp"
	"strings"
)

// Theme is what a surface gets of the host's look.
type Theme struct {
	Name   string            `json:"name"` // light, dark or contrast
	Tokens map[string]string `json:"tokens"`
}

var (
	tokenName  = regexp.MustCompile(`^--lineup-[a-z0-9-]{1,64}$`)
	themeName  = regexp.MustCompile(`^[a-z]{1,16}$`)
	localeTag  = regexp.MustCompile(`^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8}){0,8}$`)
	maxTokenSz = 512
)

// clean keeps what a style sheet can hold. Tokens come from the host's own
// files, so this is a second wall, not a decoder: bad ones are left out.
func (t Theme) clean() Theme {
	out := Theme{Name: "light", Tokens: map[string]string{}}
	if themeName.MatchString(t.Name) {
		out.Name = t.Name
	}
	for k, v := range t.Tokens {
		if tokenName.MatchString(k) && len(v) <= maxTokenSz && !strings.ContainsAny(v, ";{}<>\\\n\r\x00") {
			out.Tokens[k] = v
		}
	}
	return out
}

func cleanLocale(l string) string {
	if localeTag.MatchString(l) {
		return l
	}
	return "en"
}

type downMessage struct {
	Type       string          `json:"type"`
	State      json.RawMessage `json:"state,omitempty"`
	Theme      *Theme          `json:"theme,omitempty"`
	Locale     string          `json:"locale,omitempty"`
	InstanceID InstanceID      `json:"instanceId,omitempty"`
}

func (m downMessage) encode() string {
	b, err := json.Marshal(m)
	if err != nil {
		// Only a state that CheckState never saw can do this; the frame then
		// gets a message that it ignores rather than half a one.
		return `{"type":"none"}`
	}
	return string(b)
}

// InitMessage answers a frame's ready: all it needs to start. state is as
// CheckState returned it.
func InitMessage(id InstanceID, state json.RawMessage, theme Theme, locale string) string {
	t := theme.clean()
	return downMessage{Type: "init", State: orEmpty(state), Theme: &t, Locale: cleanLocale(locale), InstanceID: id}.encode()
}

// StateMessage carries the whole state after a patch.
func StateMessage(state json.RawMessage) string {
	return downMessage{Type: "state", State: orEmpty(state)}.encode()
}

// ThemeMessage carries a changed theme or locale.
func ThemeMessage(theme Theme, locale string) string {
	t := theme.clean()
	return downMessage{Type: "theme", Theme: &t, Locale: cleanLocale(locale)}.encode()
}

func orEmpty(state json.RawMessage) json.RawMessage {
	if len(state) == 0 {
		return json.RawMessage("{}")
	}
	return state
}
