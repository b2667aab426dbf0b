package host

import (
	"encoding/json"
)

const (
	settingStrikes = "strikes:" // + agent id: JSON object, app id → count
	// struckOut is how many hangs or crashes alone make an app ask before it opens again.
	struckOut = 3
	// maxStruck bounds the apps that are remembered for an agent; an agent that
	// makes up new ids gains nothing but a longer list.
	maxStruck = 200
)

// strikes are what an agent's apps did. An app's own id is the agent's word, so
// it counts within that agent alone.
func (h *Host) strikes(l *link) map[string]int {
	raw, ok, err := h.store.Setting(h.ctx, settingStrikes+l.id)
	out := map[string]int{}
	if err != nil || !ok {
		return out
	}
	if json.Unmarshal([]byte(raw), &out) != nil {
		return map[string]int{}
	}
	return out
}

func (h *Host) strike(l *link, app string) {
	h.setStrikes(l, app, func(n int) int { return n + 1 })
}

// forgive lets an app open once more: the next hang alone makes it ask again.
func (h *Host) forgive(l *link, app string) {
	h.setStrikes(l, app, func(n int) int { return min(n, struckOut-1) })
}

func (h *Host) setStrikes(l *link, app string, change func(int) int) {
	h.strikesMu.Lock()
	defer h.strikesMu.Unlock()
	all := h.strikes(l)
	if _, known := all[app]; !known && len(all) >= maxStruck {
		for other, n := range all {
			if n < struckOut {
				delete(all, other)
				break
			}
		}
	}
	all[app] = change(all[app])
	raw, err := json.Marshal(all)
	if err == nil {
		err = h.store.SetSetting(h.ctx, settingStrikes+l.id, string(raw))
	}
	if err != nil {
		h.log.Error("cannot note that an app hung", "app", app, "err", err)
	}
}
