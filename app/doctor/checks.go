package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

func checkDataDir(dir string) Check {
	check := Check{ID: "data_dir", Args: []string{dir}}
	info, err := os.Stat(dir)
	switch {
	case dir == "":
		check.State, check.Code = Fail, "data_dir_unset"
	case errors.Is(err, fs.ErrNotExist):
		check.State, check.Code = OK, "data_dir_new"
	case err != nil || !info.IsDir():
		check.State, check.Code = Fail, "data_dir_unusable"
	case !writable(dir):
		check.State, check.Code = Fail, "data_dir_readonly"
	case info.Mode().Perm()&0o077 != 0:
		check.State, check.Code = Warn, "data_dir_open"
	default:
		check.State, check.Code = OK, "data_dir_ok"
	}
	return check
}

func writable(dir string) bool {
	file, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return false
	}
	file.Close()
	return os.Remove(filepath.Clean(file.Name())) == nil
}

func checkStore(ctx context.Context, in Inputs) Check {
	err := errNotHere
	if in.OpenStore != nil {
		err = within(ctx, in.Limit, in.OpenStore)
	}
	if err != nil {
		return Check{ID: "store", State: Fail, Code: "store_fails", Args: []string{brief(err)}}
	}
	return Check{ID: "store", State: OK, Code: "store_ok"}
}

// checkKeyring tells where the agents' tokens are kept. Without a keyring they
// live for the session only, or come from the environment.
func checkKeyring(ctx context.Context, in Inputs) Check {
	check := Check{ID: "keyring"}
	err := errNotHere
	if in.Keyring != nil {
		err = within(ctx, in.Limit, in.Keyring)
	}
	switch {
	case err == nil:
		check.State, check.Code = OK, "keyring_ok"
	case in.Getenv("LINEUP_AGENT_TOKEN") != "":
		check.State, check.Code = Warn, "keyring_environment"
	default:
		check.State, check.Code = Warn, "keyring_session"
	}
	return check
}

func checkBubblewrap(ctx context.Context, in Inputs) Check {
	check := Check{ID: "bubblewrap"}
	err := within(ctx, in.Limit, in.Bubblewrap)
	switch {
	case err == nil:
		check.State, check.Code = OK, "bubblewrap_ok"
	case errors.Is(err, exec.ErrNotFound):
		check.State, check.Code = Warn, "bubblewrap_missing"
	default:
		check.State, check.Code, check.Args = Warn, "bubblewrap_fails", []string{brief(err)}
	}
	return check
}

// runBubblewrap starts a program without network, in namespaces of its own: what
// the sandbox of an installed app needs.
func runBubblewrap(ctx context.Context) error {
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, path, "--ro-bind", "/", "/", "--unshare-all", "--die-with-parent", "true").CombinedOutput()
	if err != nil && len(out) > 0 {
		return fmt.Errorf("%w: %s", err, out)
	}
	return err
}

func checkDisplay(in Inputs) Check {
	check := Check{ID: "display"}
	wayland, x11 := in.Getenv("WAYLAND_DISPLAY"), in.Getenv("DISPLAY")
	switch {
	case wayland != "":
		check.State, check.Code, check.Args = OK, "display_ok", []string{"Wayland " + wayland}
	case x11 != "":
		check.State, check.Code, check.Args = OK, "display_ok", []string{"X11 " + x11}
	default:
		check.State, check.Code = Fail, "display_none"
	}
	return check
}

type probeResult struct {
	engine  string
	sealed  bool
	leaks   []string
	checked int
	err     error
}

func runProbe(ctx context.Context, in Inputs) probeResult {
	// The result travels with the goroutine: one that comes too late is not read.
	results := make(chan probeResult, 1)
	err := within(ctx, in.Limit, func(ctx context.Context) error {
		var r probeResult
		r.engine, r.sealed, r.leaks, r.checked, r.err = in.Probe(ctx)
		results <- r
		return nil
	})
	if err != nil {
		return probeResult{err: err}
	}
	r := <-results
	for i, leak := range r.leaks {
		r.leaks[i] = line(leak)
	}
	return r
}

func checkWebView(in Inputs, probe probeResult) Check {
	check := Check{ID: "web_view"}
	engine := probe.engine
	if engine == "" {
		engine = in.Engine
	}
	switch {
	case !in.Window:
		check.State, check.Code = Fail, "web_view_none"
	case engine == "":
		check.State, check.Code = Fail, "web_view_unknown"
	default:
		check.State, check.Code, check.Args = OK, "web_view_ok", []string{line(engine)}
	}
	return check
}

func checkSealed(probe probeResult) Check {
	check := Check{ID: "sealed"}
	switch {
	case probe.sealed:
		check.State, check.Code = OK, "sealed_ok"
	case probe.engine == "":
		check.State, check.Code = Fail, "sealed_unknown"
	default:
		check.State, check.Code = Fail, "sealed_not"
	}
	return check
}

// checkProbe passes only if attempts were made and each of them failed.
func checkProbe(probe probeResult) Check {
	check := Check{ID: "probe"}
	made := strconv.Itoa(probe.checked)
	switch {
	case errors.Is(probe.err, errNotHere):
		check.State, check.Code = Fail, "probe_not_run"
	case probe.err != nil:
		check.State, check.Code, check.Args = Fail, "probe_error", []string{brief(probe.err)}
	case len(probe.leaks) > 0:
		check.State, check.Code = Fail, "probe_leaks"
		check.Args = []string{strconv.Itoa(len(probe.leaks)), made, strings.Join(probe.leaks, ", ")}
	case probe.checked <= 0:
		check.State, check.Code = Fail, "probe_empty"
	default:
		check.State, check.Code, check.Args = OK, "probe_ok", []string{made}
	}
	return check
}

// brief is an error for people: one line, no longer than a screen is wide.
func brief(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "timeout"
	}
	return line(err.Error())
}

// line keeps what is shown to one line of printable characters.
func line(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(text, "?"))
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return text
}
