package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// healthy is a system on which everything works.
func healthy(t *testing.T) Inputs {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	fine := func(context.Context) error { return nil }
	return Inputs{
		DataDir: dir,
		Window:  true,
		Probe: func(context.Context) (string, bool, []string, int, error) {
			return "WebKitGTK 2.50.6", true, nil, 14, nil
		},
		OpenStore:  fine,
		Keyring:    fine,
		Bubblewrap: fine,
		Getenv:     func(name string) string { return map[string]string{"DISPLAY": ":7"}[name] },
		Limit:      time.Minute,
	}
}

func find(t *testing.T, r Report, id string) Check {
	t.Helper()
	for _, check := range r.Checks {
		if check.ID == id {
			return check
		}
	}
	t.Fatalf("no check %q in %+v", id, r)
	return Check{}
}

func TestHealthySystemMayShowSurfaces(t *testing.T) {
	r := Run(context.Background(), healthy(t))
	if !r.Surfaces || r.ExitCode() != 0 || r.Checked != 14 {
		t.Fatalf("surfaces %v, exit %d, checked %d", r.Surfaces, r.ExitCode(), r.Checked)
	}
	for _, check := range r.Checks {
		if check.State != OK {
			t.Errorf("%+v", check)
		}
	}
	text := r.Text(English)
	for _, want := range []string{"ok    Web view: WebKitGTK 2.50.6", "all 14 attempts were stopped", "Display: X11 :7", "Surfaces may be shown"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if chinese := r.Text(Chinese); !strings.Contains(chinese, "正常  网页视图") || strings.Contains(chinese, "attempts") {
		t.Errorf("Chinese report:\n%s", chinese)
	}
}

// TestWhatKeepsSurfacesAway is the refusal grid: one thing wrong at a time.
func TestWhatKeepsSurfacesAway(t *testing.T) {
	probe := func(engine string, sealed bool, leaks []string, checked int, err error) func(*Inputs) {
		return func(in *Inputs) {
			in.Probe = func(context.Context) (string, bool, []string, int, error) { return engine, sealed, leaks, checked, err }
		}
	}
	broken := func(context.Context) error { return errors.New("no\nsuch\x1b[31m thing") }
	for name, test := range map[string]struct {
		change   func(*Inputs)
		id, code string
		surfaces bool
		detail   string
	}{
		"a leak":             {probe("W 1", true, []string{"wails_message", "host_fetch"}, 9, nil), "probe", "probe_leaks", false, "2 of 9 attempts got through: wails_message, host_fetch"},
		"not sealed":         {probe("W 1", false, nil, 9, nil), "sealed", "sealed_not", false, ""},
		"an empty probe":     {probe("W 1", true, nil, 0, nil), "probe", "probe_empty", false, ""},
		"a failed probe":     {probe("W 1", true, nil, 9, errors.New("page\ngone")), "probe", "probe_error", false, "page gone"},
		"no engine":          {probe("", true, nil, 9, nil), "web_view", "web_view_unknown", false, ""},
		"no probe":           {func(in *Inputs) { in.Probe = nil }, "probe", "probe_not_run", false, ""},
		"no window":          {func(in *Inputs) { in.Window = false }, "web_view", "web_view_none", false, ""},
		"no display":         {func(in *Inputs) { in.Getenv = func(string) string { return "" } }, "display", "display_none", false, ""},
		"store fails":        {func(in *Inputs) { in.OpenStore = broken }, "store", "store_fails", false, "no such [31m thing"},
		"no store":           {func(in *Inputs) { in.OpenStore = nil }, "store", "store_fails", false, ""},
		"no data folder":     {func(in *Inputs) { in.DataDir = "" }, "data_dir", "data_dir_unset", false, ""},
		"data folder a file": {func(in *Inputs) { in.DataDir = "/proc/self/exe" }, "data_dir", "data_dir_unusable", false, ""},
		"new data folder":    {func(in *Inputs) { in.DataDir += "/new" }, "data_dir", "data_dir_new", true, ""},
		"open data folder":   {func(in *Inputs) { _ = os.Chmod(in.DataDir, 0o755) }, "data_dir", "data_dir_open", true, "chmod 700"},
		"no keyring":         {func(in *Inputs) { in.Keyring = broken }, "keyring", "keyring_session", true, ""},
		"keyring stand-in":   {func(in *Inputs) { in.Keyring, in.Getenv = broken, func(string) string { return "x" } }, "keyring", "keyring_environment", true, ""},
		"no bubblewrap":      {func(in *Inputs) { in.Bubblewrap = func(context.Context) error { return exec.ErrNotFound } }, "bubblewrap", "bubblewrap_missing", true, ""},
		"bubblewrap fails":   {func(in *Inputs) { in.Bubblewrap = broken }, "bubblewrap", "bubblewrap_fails", true, "no such [31m thing"},
	} {
		t.Run(name, func(t *testing.T) {
			in := healthy(t)
			test.change(&in)
			r := Run(context.Background(), in)
			check := find(t, r, test.id)
			if check.Code != test.code || !strings.Contains(check.Detail, test.detail) {
				t.Errorf("%+v, expected code %s with %q", check, test.code, test.detail)
			}
			if r.Surfaces != test.surfaces || (r.ExitCode() == 0) != test.surfaces {
				t.Errorf("surfaces %v, exit code %d", r.Surfaces, r.ExitCode())
			}
		})
	}
}

func TestWhatHangsIsLeftBehind(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	in := healthy(t)
	in.Limit = 20 * time.Millisecond
	in.Probe = func(context.Context) (string, bool, []string, int, error) {
		<-release // deaf to its context
		return "W 1", true, nil, 9, nil
	}
	r := Run(context.Background(), in)
	if check := find(t, r, "probe"); check.Code != "probe_error" || check.Detail != "did not finish: timeout" || r.Surfaces {
		t.Fatalf("%+v", check)
	}
}

func TestJSONReport(t *testing.T) {
	in := healthy(t)
	in.Probe = func(context.Context) (string, bool, []string, int, error) {
		return "W 1", true, []string{"ui\u202esocket"}, 3, nil
	}
	var got struct {
		Surfaces bool
		Leaks    []string
		Checked  int
		Checks   []map[string]any
	}
	if err := json.Unmarshal(Run(context.Background(), in).JSON(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Surfaces || got.Checked != 3 || !slices.Equal(got.Leaks, []string{"ui socket"}) {
		t.Errorf("%+v", got)
	}
	for _, check := range got.Checks {
		if check["id"] == "" || check["state"] == "" || check["detail"] == "" {
			t.Errorf("%v", check)
		}
	}
	var zero Report
	if zero.ExitCode() == 0 {
		t.Error("the zero report allows surfaces")
	}
}

// TestWordsAreComplete looks up each code and check that the sources name.
func TestWordsAreComplete(t *testing.T) {
	source, err := os.ReadFile("checks.go")
	if err != nil {
		t.Fatal(err)
	}
	verb := regexp.MustCompile(`%\[\d\]s`)
	for _, match := range regexp.MustCompile(`"((?:data_dir|store|keyring|bubblewrap|display|web_view|sealed|probe)_[a-z]+)"`).FindAllStringSubmatch(string(source), -1) {
		pair, known := words[match[1]]
		if !known || pair[0] == "" || pair[1] == "" {
			t.Errorf("%s has no words", match[1])
		}
	}
	for code, pair := range words {
		english, chinese := verb.FindAllString(pair[0], -1), verb.FindAllString(pair[1], -1)
		slices.Sort(english)
		slices.Sort(chinese)
		if !slices.Equal(english, chinese) {
			t.Errorf("%s: the languages take different arguments", code)
		}
		if !strings.Contains(string(source), `"`+code+`"`) {
			t.Errorf("%s is never said", code)
		}
	}
}

func TestLanguageOf(t *testing.T) {
	for locale, want := range map[string]Language{"": English, "C": English, "de_DE": English, "zh_CN.UTF-8": Chinese, "ZH-Hans": Chinese} {
		if LanguageOf(locale) != want {
			t.Errorf("%q", locale)
		}
	}
}

// TestBubblewrapItself runs the real program where there is one.
func TestBubblewrapItself(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if err := runBubblewrap(context.Background()); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("without bwrap: %v", err)
	}
	script := "#!/bin/sh\necho 'no permission' >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(os.Getenv("PATH"), "bwrap"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := runBubblewrap(context.Background()); err == nil || !strings.Contains(fmt.Sprint(err), "no permission") {
		t.Errorf("with a bwrap that fails: %v", err)
	}
}

func FuzzLine(f *testing.F) {
	for _, seed := range []string{"", "plain", "two\nlines", "\x1b[31mred", "a\u202eb", "\xff\xfe", strings.Repeat("长", 500)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := line(text)
		if len([]rune(got)) > 201 || strings.ContainsAny(got, "\n\r\x1b\u202e") {
			t.Errorf("%q", got)
		}
	})
}
