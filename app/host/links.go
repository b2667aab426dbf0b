package host

import (
	"encoding/json"

	"lineup/app/uiapi"
	"lineup/capability/builtin/openurl"
)

// openLink opens what the user clicked in a message: the same rules as for an
// agent's request, but the click is the consent.
func (h *Host) openLink(c *uiapi.Client, raw string) error {
	args, err := json.Marshal(uiapi.OpenURLParams{URL: raw})
	if err != nil {
		return err
	}
	if err := openurl.New(nil).Check(args); err != nil {
		return uiapi.Bad("url", err.Error())
	}
	h.lastAnswering.Store(c)
	// Not waited for: in the web shell it is this very page that is asked.
	go func() {
		if err := h.OpenURL(h.ctx, raw); err != nil {
			h.log.Warn("a link could not be opened", "err", err)
		}
	}()
	return nil
}
