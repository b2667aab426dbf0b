package host

import (
	"context"
	"time"

	"lineup/app/uiapi"
)

// pageAsk is how long a page may take to carry out what it was asked.
const pageAsk = 10 * time.Second

// OpenURL opens a checked address: by the shell, or by the page that the user
// answered in. It implements openurl.Opener.
func (h *Host) OpenURL(ctx context.Context, url string) error {
	if h.opt.OpenURL != nil {
		return h.opt.OpenURL(ctx, url)
	}
	return h.askPage(ctx, "page.open_url", uiapi.OpenURLParams{URL: url})
}

// WriteText puts text on the clipboard. It implements clipboard.Clipboard.
func (h *Host) WriteText(ctx context.Context, text string) error {
	if h.opt.WriteText != nil {
		return h.opt.WriteText(ctx, text)
	}
	return h.askPage(ctx, "page.clipboard_write", uiapi.ClipboardParams{Text: text})
}

// askPage asks the page in which the user gave the answer, because only that
// one has the user's activation; else any.
func (h *Host) askPage(ctx context.Context, method string, params any) error {
	ctx, stop := context.WithTimeout(ctx, pageAsk)
	defer stop()
	clients := h.hub.Clients()
	last := h.lastAnswering.Load()
	for _, c := range clients {
		if c == last {
			return c.Ask(ctx, method, params, nil)
		}
	}
	if len(clients) == 0 {
		return uiapi.ErrGone
	}
	return clients[0].Ask(ctx, method, params, nil)
}
