package doctor

import (
	"context"
	"errors"
	"os"
	"time"
)

// State is the outcome of one check.
type State string

// The states. Warn is something that is missing but does not keep surfaces from
// being shown.
const (
	OK   State = "ok"
	Warn State = "warn"
	Fail State = "fail"
)

// Check is one thing that was looked at. Code is a stable word for what was
// found, Args what is filled into its words; Detail is the English sentence.
type Check struct {
	ID     string   `json:"id"`
	State  State    `json:"state"`
	Code   string   `json:"code"`
	Args   []string `json:"args,omitempty"`
	Detail string   `json:"detail"`
}

// Report is what Run found.
type Report struct {
	Surfaces bool     `json:"surfaces"` // surfaces may be shown on this system
	Checks   []Check  `json:"checks"`
	Leaks    []string `json:"leaks"`   // attempts of the probe that got through
	Checked  int      `json:"checked"` // attempts the probe made
}

// ExitCode is 0 only if surfaces may be shown.
func (r Report) ExitCode() int {
	if r.Surfaces {
		return 0
	}
	return 1
}

// Inputs are what the checks need from the rest of the program.
type Inputs struct {
	// DataDir is where the program keeps its data; it need not exist yet.
	DataDir string
	// Window says whether this build has a window.
	Window bool
	// Engine names the web view without opening a window; "" when unknown.
	Engine string
	// Probe opens the window, seals it and runs the start-up probe. It returns
	// the web view's name and version, whether it was sealed, the names of the
	// attempts that got through and how many were made.
	Probe func(ctx context.Context) (engine string, sealed bool, leaks []string, checked int, err error)
	// OpenStore opens the store, checks that it answers, and closes it.
	OpenStore func(ctx context.Context) error
	// Keyring asks the system's keyring for something that is not there.
	Keyring func(ctx context.Context) error

	// Bubblewrap starts a program in a sandbox; nil runs bwrap itself.
	Bubblewrap func(ctx context.Context) error
	// Getenv reads the environment; nil means os.Getenv.
	Getenv func(string) string
	// Limit is the time each check may take; 0 means 30 s.
	Limit time.Duration
}

var errNotHere = errors.New("not in this build")

// Run makes all checks. It never returns an error: what goes wrong is a finding.
func Run(ctx context.Context, in Inputs) Report {
	if in.Getenv == nil {
		in.Getenv = os.Getenv
	}
	if in.Limit == 0 {
		in.Limit = 30 * time.Second
	}
	if in.Bubblewrap == nil {
		in.Bubblewrap = runBubblewrap
	}
	report := Report{Checks: []Check{}, Leaks: []string{}}
	display := checkDisplay(in)
	report.add(checkDataDir(in.DataDir), checkStore(ctx, in), checkKeyring(ctx, in), checkBubblewrap(ctx, in), display)

	probe := probeResult{err: errNotHere}
	if in.Window && display.State == OK && in.Probe != nil {
		probe = runProbe(ctx, in)
	}
	report.add(checkWebView(in, probe), checkSealed(probe), checkProbe(probe))
	report.Leaks = append(report.Leaks, probe.leaks...)
	report.Checked = probe.checked

	report.Surfaces = true
	for _, check := range report.Checks {
		if check.State == Fail {
			report.Surfaces = false
		}
	}
	return report
}

func (r *Report) add(checks ...Check) {
	for _, check := range checks {
		check.Detail = sentence(English, check)
		r.Checks = append(r.Checks, check)
	}
}

// within calls f and gives up on it after the limit, whether it listens to its
// context or not: the doctor must not hang on what it examines.
func within(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- f(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
