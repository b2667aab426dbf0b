package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"lineup/app/desktop"
	"lineup/app/host"
	"lineup/app/preview"
)

var (
	errPreviewData  = errors.New("preview: --data is not used")
	errPreviewSpeed = errors.New("preview: --speed is a number from 0 to 100")
	errCheckTimeout = errors.New("preview: --timeout is a time such as 30s")
	errPreviewPath  = errors.New("preview: there is no such file or folder")
)

// previewFlags are what `lineup preview` takes besides the path.
type previewFlags struct {
	web    bool
	speed  float64
	paused bool
	check  checkFlags
}

func previewCommand(cfg *config) *cobra.Command {
	var f previewFlags
	cmd := &cobra.Command{
		Use: "preview DIR|bundle.json|envelopes.jsonl", Short: "Look at an interface or a recording, without an agent", Args: cobra.ExactArgs(1),
		Long: "preview shows a surface in the very same host and sandbox that users have, and shows it anew at each save.\n" +
			"Everything is in a throwaway data folder; what a recording asks to do is asked about and not done.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.check.on {
				return runCheck(cmd.Context(), *cfg, f, args[0], cmd.OutOrStdout())
			}
			return runPreview(cmd.Context(), *cfg, f, args[0])
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.web, "web", false, "serve it to a browser on this computer instead of opening the window")
	flags.IntVar(&cfg.port, "port", 0, "with --web: loopback port (0: any free one)")
	flags.BoolVar(&cfg.noOpen, "no-open", false, "with --web: do not open a browser")
	flags.Float64Var(&f.speed, "speed", 1, "how fast a recording plays (0: at once)")
	flags.BoolVar(&f.paused, "paused", false, "a recording waits for the first step")
	flags.BoolVar(&f.check.on, "check", false, "for CI: validate it, show it in Chromium without a window, and exit 0 only if all is clean")
	flags.BoolVar(&f.check.json, "json", false, "with --check: print the report as JSON")
	flags.BoolVar(&f.check.noSandbox, "no-sandbox", false, "with --check: run Chromium without its own sandbox (needed as root)")
	flags.DurationVar(&f.check.timeout, "timeout", time.Minute, "with --check: give up after this long")
	return cmd
}

// previewSource checks what can be checked before anything is started.
func previewSource(cfg config, f previewFlags, path string) (preview.Source, error) {
	if cfg.data != "" {
		return preview.Source{}, errPreviewData
	}
	if !(f.speed >= 0 && f.speed <= preview.MaxSpeed) {
		return preview.Source{}, errPreviewSpeed
	}
	if f.check.on && f.check.timeout <= 0 {
		return preview.Source{}, errCheckTimeout
	}
	source, err := preview.Find(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %w", errPreviewPath, err)
	}
	return source, err
}

// withPreview runs a shell on a throwaway data folder with the preview agent.
func withPreview(ctx context.Context, cfg config, o preview.Options, run func(cfg config) error) error {
	dir, err := os.MkdirTemp("", "lineup-preview-")
	if err != nil {
		return err
	}
	defer removeAll(dir)
	agent, err := preview.Serve(ctx, o)
	if err != nil {
		return err
	}
	defer agent.Close()
	cfg.data, cfg.preview, cfg.policy, cfg.dev, cfg.agentURL = filepath.Join(dir, "data"), agent, host.PolicyAnySandboxed, true, ""
	return run(cfg)
}

// removeAll tries for a moment: a web view may still be writing its cache.
func removeAll(dir string) {
	for range 20 {
		if os.RemoveAll(dir) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func runPreview(ctx context.Context, cfg config, f previewFlags, path string) error {
	source, err := previewSource(cfg, f, path)
	if err != nil {
		return err
	}
	o := preview.Options{Source: source, Speed: f.speed, Paused: f.paused, Logger: cfg.log}
	return withPreview(ctx, cfg, o, func(cfg config) error {
		if f.web || !desktop.Available() || !hasDisplay() {
			return runWeb(ctx, cfg)
		}
		return runWindow(ctx, cfg, windowOptions{})
	})
}

func hasDisplay() bool { return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" }
