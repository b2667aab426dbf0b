package app

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"

	"lineup/app/desktop"
	"lineup/app/web"
	"lineup/capability/builtin/openurl"
	"lineup/frontend"
)

// windowState is what the window tells, for the host that is made before it.
type windowState struct {
	mu   sync.Mutex
	win  desktop.Window
	said []string // messages that came over the web view's own channel
}

func (s *windowState) window() desktop.Window {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.win
}

func (s *windowState) sealed() (bool, string) {
	w := s.window()
	if w == nil {
		return false, "the window is not there"
	}
	return w.Sealed()
}

// native tells whether a message with this nonce came over the channel.
func (s *windowState) native(nonce string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.said {
		if strings.Contains(m, nonce) {
			return true
		}
	}
	return false
}

// maxSaid bounds what is kept of a channel on which nothing should come.
const maxSaid = 1000

func (s *windowState) note(m string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.said) < maxSaid {
		s.said = append(s.said, m[:min(len(m), 512)])
	}
}

// endPage ends the web process, hung or not; it is started again with a fresh page.
func (s *windowState) endPage() {
	if w := s.window(); w != nil {
		w.TerminateWebProcess()
	}
}

func (s *windowState) writeText(ctx context.Context, text string) error {
	w := s.window()
	if w == nil {
		return desktop.ErrClosed
	}
	return w.SetClipboardText(ctx, text)
}

// windowOptions vary between the window people use and doctor's.
type windowOptions struct {
	hidden bool
	ready  func(ctx context.Context, c *core, w desktop.Window)
}

// runWindow opens the window and returns when it is closed. It must be called
// on the main goroutine.
func runWindow(ctx context.Context, cfg config, opt windowOptions) error {
	files, ok := frontend.FS()
	if !ok {
		return errNoPage
	}
	var st windowState
	var system openurl.System
	origins := func(string) []string { return []string{"wails://wails"} }
	c, err := open(ctx, cfg, shell{name: "desktop", hostOrigins: origins,
		hostOrigin: func(string) string { return "wails://wails" },
		canary:     func(c *web.Canary) func() int64 { return c.Hits },
		sealed:     st.sealed, native: st.native, endPage: st.endPage,
		openURL: system.OpenURL, writeText: st.writeText})
	if errors.Is(err, errRunning) {
		return again(cfg, err)
	}
	if err != nil {
		return err
	}
	defer c.close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err = listenControl(ctx, c.dirs.control(), func() string {
		if w := st.window(); w != nil {
			w.Raise()
		}
		return ""
	})
	if err != nil {
		c.log.Warn("no second start can find this one", "err", err)
	}
	served := make(chan error, 1)
	go func() { served <- c.ui.Serve(ctx, c.host.Hub(), nil) }()

	page := http.NewServeMux()
	page.Handle("/", web.NewPage(files, c.frames.Origin(), "ws://"+c.ui.Addr()))
	page.HandleFunc("GET /session.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(map[string]string{"ws": "ws://" + c.ui.Addr() + "/ui", "ticket": c.host.Ticket()})
	})
	err = desktop.Run(ctx, desktop.Options{
		Title: "LineUp", Page: page, UIAddr: c.ui.Addr(), SurfaceAddr: strings.TrimPrefix(c.frames.Origin(), "http://"),
		DataDir: c.dirs.webview(), StartHidden: opt.hidden, OnMessage: st.note,
		OnReady: func(w desktop.Window) {
			st.mu.Lock()
			st.win = w
			st.mu.Unlock()
			c.host.SetEngine(w.Engine())
			if opt.ready != nil {
				// The page waits for OnReady, and ready may wait for the page.
				go opt.ready(ctx, c, w)
			}
		},
		OnWebProcessGone: func(reason string) {
			c.log.Warn("the web process ended and was started again", "reason", reason)
			c.host.ProcessGone(reason)
		},
	})
	stop()
	return errors.Join(err, <-served)
}
