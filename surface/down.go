package surface

import (
	"encoding/json"
	"regexp"
	"strconv"
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

// look is the part that tells a frame how to look.
type look struct {
	Theme  Theme  `json:"theme"`
	Locale string `json:"locale"`
}

func makeLook(theme Theme, locale string) look {
	return look{Theme: theme.clean(), Locale: cleanLocale(locale)}
}

// encode makes a message's JSON. It escapes no < > &: a message is a string for a
// port, never part of a document, and large bundles are full of them.
func encode(message any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(message); err != nil {
		// Only a state that CheckState never saw can do this; the frame then
		// gets a message that it ignores rather than half a one.
		return `{"type":"none"}`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// FillMessage makes a spare (BuildSpare) the surface of f, whose App the caller has
// Checked. The frame answers with filled; InitMessage may follow at once.
func FillMessage(f Frame) string {
	type config struct {
		look
		InstanceID InstanceID `json:"instanceId"`
	}
	return encode(struct {
		Type   string `json:"type"`
		HTML   string `json:"html"`
		CSS    string `json:"css"`
		JS     string `json:"js"`
		Config config `json:"config"`
	}{"fill", f.App.HTML, f.App.CSS, f.App.JS, config{makeLook(f.Theme, f.Locale), f.InstanceID}})
}

// InitMessage answers a frame's ready: all it needs to start. state is as
// CheckState returned it.
func InitMessage(id InstanceID, state json.RawMessage, theme Theme, locale string) string {
	return encode(struct {
		Type  string          `json:"type"`
		State json.RawMessage `json:"state"`
		look
		InstanceID InstanceID `json:"instanceId"`
	}{"init", orEmpty(state), makeLook(theme, locale), id})
}

// StateMessage carries the whole state after a patch, as CheckState returned it. Not encoded
// anew: it may be large and come often.
func StateMessage(state json.RawMessage) string {
	return `{"type":"state","state":` + string(orEmpty(state)) + `}`
}

// DiffMessage carries what Diff found between the last state that the frame was sent
// and the present one.
func DiffMessage(ops json.RawMessage) string {
	return `{"type":"diff","ops":` + string(ops) + `}`
}

// ThemeMessage carries a changed theme or locale.
func ThemeMessage(theme Theme, locale string) string {
	return encode(struct {
		Type string `json:"type"`
		look
	}{"theme", makeLook(theme, locale)})
}

// PingMessage asks the guest for a pong with the same n, 0…2^53-1.
func PingMessage(n int64) string {
	return `{"type":"ping","n":` + strconv.FormatInt(n, 10) + `}`
}

func orEmpty(state json.RawMessage) json.RawMessage {
	if len(state) == 0 {
		return json.RawMessage("{}")
	}
	return state
}
