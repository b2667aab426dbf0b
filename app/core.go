package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"lineup/app/agent"
	"lineup/app/agent/lineupws"
	"lineup/app/demoagent"
	"lineup/app/host"
	"lineup/app/preview"
	"lineup/app/store"
	"lineup/app/web"
	"lineup/capability"
	"lineup/capability/builtin/artifact"
	"lineup/capability/builtin/clipboard"
	"lineup/capability/builtin/openurl"
)

// Version is what the host calls itself.
var Version = "0.1.0"

// config is what the flags say.
type config struct {
	data     string
	agentURL string
	policy   host.Policy
	port     int
	noOpen   bool
	dev      bool
	preview  *preview.Agent // instead of an agent; nil: none
	log      *slog.Logger

	readyWithin time.Duration // 0: the host's own
	idleAfter   time.Duration // likewise
}

// core is the running host without a shell.
type core struct {
	dirs    dirs
	unlock  func()
	store   *store.Store
	frames  *web.FrameServer
	canary  *web.Canary
	ui      *web.Server
	demo    *demoagent.Server
	secrets *secrets
	host    *host.Host

	ancestors []string // CSP sources that may frame a surface
	log       *slog.Logger
}

var errRunning = errors.New("LineUp is already running with this data folder")

// shell is what a shell brings: how its page is reached, and its own means.
type shell struct {
	name        string
	hostOrigins func(uiAddr string) []string
	hostOrigin  func(uiAddr string) string
	canary      func(c *web.Canary) func() int64 // what of a connection counts as a leak
	sealed      func() (bool, string)
	native      func(nonce string) bool
	endPage     func()
	openURL     func(ctx context.Context, url string) error
	writeText   func(ctx context.Context, text string) error
}

// open puts the parts together; close takes them apart in the opposite order.
func open(ctx context.Context, cfg config, sh shell) (c *core, err error) {
	c = &core{log: cfg.log}
	defer func() {
		if err != nil {
			c.close()
			c = nil
		}
	}()
	if c.dirs, err = dirsFor(cfg.data); err != nil {
		return c, err
	}
	if c.unlock, err = store.Lock(c.dirs.data); err != nil {
		if errors.Is(err, store.ErrLocked) {
			err = errRunning
		}
		return c, err
	}
	if c.store, err = store.Open(ctx, c.dirs.store()); err != nil {
		return c, err
	}
	key, err := c.dirs.auditKey()
	if err != nil {
		return c, err
	}
	if c.frames, err = web.NewFrameServer(ctx); err != nil {
		return c, err
	}
	if c.canary, err = web.NewCanary(ctx); err != nil {
		return c, err
	}
	if c.ui, err = web.Listen(cfg.port); err != nil {
		return c, err
	}
	c.secrets = newSecrets(c.dirs.data)
	if cfg.preview != nil {
		c.secrets.probed = true // nothing of a preview outlives it
	}

	var opener lateOpener
	providers := []capability.Provider{
		openurl.New(&opener),
		clipboard.New(&opener),
		artifact.New(c.dirs.downloads, 0),
	}
	var previewed host.Preview
	if cfg.preview != nil {
		previewed = cfg.preview
		for i, p := range providers {
			providers[i] = preview.Rehearse(p)
		}
	}
	addr := c.ui.Addr()
	c.host, err = host.New(ctx, host.Options{
		Store: c.store, Frames: c.frames, Secrets: c.secrets, Providers: providers,
		Dial: func(url string, token func() string, peer agent.Peer) agent.Link {
			return lineupws.New(lineupws.Config{URL: url, Token: token, Peer: peer, Logger: cfg.log})
		},
		// That policy is for developers, so whoever starts with it is one. The tools of
		// developer mode cost time and are not switched on by it.
		Policy: cfg.policy, DevMode: cfg.dev, Developer: cfg.policy == host.PolicyAnySandboxed, AuditKey: key, Shell: sh.name, Version: Version,
		HostOrigins: sh.hostOrigins(addr), Hosts: c.ui.Hosts(), Ancestors: sh.hostOrigins(addr),
		HostOrigin: sh.hostOrigin(addr), UIURL: "ws://" + addr + "/ui",
		CanaryURL: c.canary.URL(), Canary: sh.canary(c.canary),
		Preview: previewed, Sealed: sh.sealed, Native: sh.native, EndPage: sh.endPage, ReadyWithin: cfg.readyWithin, IdleAfter: cfg.idleAfter,
		OpenURL: sh.openURL, WriteText: sh.writeText, Log: cfg.log,
	})
	if err != nil {
		return c, err
	}
	opener.host = c.host
	c.ancestors = sh.hostOrigins(addr)
	c.startBench()
	if err := c.agents(ctx, cfg); err != nil {
		return c, err
	}
	return c, c.host.Run()
}

// agents starts the demo agent, or makes sure of the one that was named.
func (c *core) agents(ctx context.Context, cfg config) error {
	if cfg.preview != nil {
		id, err := c.host.EnsureAgent(ctx, cfg.preview.URL(), "", false)
		if err != nil {
			return err
		}
		c.secrets.ForSession(id, cfg.preview.Token())
		c.host.SetDefaultAgent(id)
		return nil
	}
	if cfg.agentURL != "" {
		id, err := c.host.EnsureAgent(ctx, cfg.agentURL, "", false)
		if err != nil {
			return fmt.Errorf("--agent: %w", err)
		}
		if t := envToken(); t != "" {
			c.secrets.ForSession(id, t)
		}
		c.host.SetDefaultAgent(id)
		return nil
	}
	var err error
	c.demo, err = demoagent.Serve(ctx, demoagent.Options{Listen: "127.0.0.1:0", StateFile: c.dirs.demo(), Logger: cfg.log})
	if err != nil {
		return fmt.Errorf("the demo agent cannot start: %w", err)
	}
	_, err = c.host.EnsureAgent(ctx, c.demo.URL(), "", true)
	return err
}

func (c *core) close() {
	if c.host != nil {
		c.host.Close()
	}
	if c.demo != nil {
		_ = c.demo.Close()
	}
	if c.store != nil {
		if err := c.store.Close(); err != nil {
			c.log.Error("the store did not close well", "err", err)
		}
	}
	if c.unlock != nil {
		c.unlock()
	}
}

// lateOpener passes the built-ins' effects to the host, which is made after them.
type lateOpener struct{ host *host.Host }

func (o *lateOpener) OpenURL(ctx context.Context, url string) error {
	return o.host.OpenURL(ctx, url)
}

func (o *lateOpener) WriteText(ctx context.Context, text string) error {
	return o.host.WriteText(ctx, text)
}

func newLog(verbose bool) *slog.Logger {
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
}
