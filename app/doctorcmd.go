package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"lineup/app/desktop"
	"lineup/app/doctor"
	"lineup/app/store"
)

// windowProbe is what `lineup probe-window` prints: the verdict of the
// start-up probe in a real window with a throw-away data folder.
type windowProbe struct {
	Engine  string   `json:"engine"`
	Sealed  bool     `json:"sealed"`
	Leaks   []string `json:"leaks"`
	Checked int      `json:"checked"`
}

// exitError carries an exit code without words of its own.
var errUnhealthy = errors.New("surfaces may not be shown on this system")

func doctorCommand(cfg *config) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check this system: web view, sandbox, store, keyring", Args: cobra.NoArgs,
		Long: "doctor looks at everything LineUp depends on and says what holds. It exits 0 only if surfaces may be shown.",
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), *cfg, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return cmd
}

// probeCommand is doctor's own child: the window wants the main thread, and a
// web view that crashes must not take the report with it.
func probeCommand(cfg *config) *cobra.Command {
	return &cobra.Command{
		Use: "probe-window", Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := os.MkdirTemp("", "lineup-probe-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			cfg.data = dir
			var out *windowProbe
			err = runWindow(cmd.Context(), *cfg, windowOptions{hidden: true, ready: func(ctx context.Context, c *core, w desktop.Window) {
				ctx, stop := context.WithTimeout(ctx, 20*time.Second)
				defer stop()
				v := c.host.Sandbox(ctx)
				sealed, _ := w.Sealed()
				out = &windowProbe{Engine: w.Engine(), Sealed: sealed && v.State == "sealed", Leaks: v.Leaks, Checked: v.Checked}
				w.Quit()
			}})
			if err != nil {
				return err
			}
			if out == nil {
				return errors.New("the window closed before the probe had reported")
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(out)
		},
	}
}

func probeWindow(ctx context.Context) (engine string, sealed bool, leaks []string, checked int, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", false, nil, 0, err
	}
	var out, words bytes.Buffer
	cmd := exec.CommandContext(ctx, self, "probe-window")
	cmd.Stdout, cmd.Stderr = &out, &words
	if err := cmd.Run(); err != nil {
		return "", false, nil, 0, fmt.Errorf("the window could not be tried: %w: %s", err, lastLine(words.Bytes()))
	}
	var p windowProbe
	// The last line: a test build prints its driver first.
	if err := json.Unmarshal([]byte(lastLine(out.Bytes())), &p); err != nil {
		return "", false, nil, 0, fmt.Errorf("the window's report cannot be read: %w", err)
	}
	return p.Engine, p.Sealed, p.Leaks, p.Checked, nil
}

// locale is what the terminal's environment asks for.
func locale() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := os.Getenv(name); v != "" {
			return v
		}
	}
	return ""
}

func lastLine(b []byte) string {
	lines := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	return string(lines[len(lines)-1])
}

func runDoctor(ctx context.Context, cfg config, asJSON bool) error {
	d, err := dirsFor(cfg.data)
	if err != nil {
		return err
	}
	report := doctor.Run(ctx, doctor.Inputs{
		DataDir: d.data, Window: desktop.Available(), Engine: desktop.EngineVersion(), Probe: probeWindow,
		OpenStore: func(ctx context.Context) error { return checkStore(ctx, d) },
		Keyring: func(context.Context) error {
			if !newSecrets(d.data).Persistent() {
				return errors.New("no keyring answers")
			}
			return nil
		},
	})
	if asJSON {
		_, err = os.Stdout.Write(report.JSON())
	} else {
		_, err = fmt.Print(report.Text(doctor.LanguageOf(locale())))
	}
	if err == nil && report.ExitCode() != 0 {
		return errUnhealthy
	}
	return err
}

// checkStore reads the store through. One that a running LineUp holds is
// in use, and so opens.
func checkStore(ctx context.Context, d dirs) error {
	unlock, err := store.Lock(d.data)
	if errors.Is(err, store.ErrLocked) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	path := d.store()
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		// Nothing is made here by looking: a store of its own is tried elsewhere.
		dir, err := os.MkdirTemp("", "lineup-store-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		path = filepath.Join(dir, "lineup.db")
	}
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	return errors.Join(s.Check(ctx), s.Close())
}
