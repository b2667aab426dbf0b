package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lineup/app/preview"
	"lineup/frontend"
)

// checked runs `lineup preview --check --json` on a path.
func checked(t *testing.T, path string, timeout time.Duration) (checkReport, error) {
	t.Helper()
	f := previewFlags{check: checkFlags{on: true, json: true, noSandbox: true, timeout: timeout}}
	var out bytes.Buffer
	err := runCheck(t.Context(), config{log: slog.New(slog.DiscardHandler)}, f, path, &out)
	var r checkReport
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatalf("%v: %s", err, out.Bytes())
		}
	}
	return r, err
}

func found(r checkReport) (out []string) {
	for _, f := range r.Findings {
		out = append(out, f.Severity+" "+f.Code+" "+f.File)
	}
	return out
}

// needChromium skips where there is neither a browser nor a page to show in it.
func needChromium(t *testing.T) {
	t.Helper()
	if _, err := preview.FindBrowser(); err != nil {
		t.Skip(err)
	}
	if _, ok := frontend.FS(); !ok {
		t.Skip("the page was not built")
	}
}

// TestCheckInChromium shows what no validator can see, and that what is good is clean.
func TestCheckInChromium(t *testing.T) {
	needChromium(t)
	t.Setenv("TMPDIR", t.TempDir())
	r, err := checked(t, filepath.Join("..", "examples", "surface-starter"), 2*time.Minute)
	if err != nil || !r.Clean || !r.Shown || len(r.Findings) != 0 {
		t.Errorf("the starter: %v %+v", err, r)
	}

	dir := t.TempDir()
	write(t, dir, "surface.json", previewManifest, "index.html", `<h1>Hi</h1><img id="late"><img src="a.png">`, "script.js", `
LineUpSurface.onState((s) => {
  LineUpSurface.event("un" + "declared", {});
  document.getElementById("late").setAttribute("src", "https://e.example/" + "b.png");
  s.missing.deep = 1;
});
Promise.reject(new Error("nobody"));`)
	r, err = checked(t, dir, 2*time.Minute)
	want := []string{"warning external_url index.html", "error script_error script.js", "error rejection script.js", "warning event_undeclared script.js", "warning external_url "}
	if got := strings.Join(found(r), "|"); !errors.Is(err, errUnclean) || r.Clean || len(r.Findings) != len(want) {
		t.Errorf("%v: %s", err, got)
	}
	for _, w := range want {
		if !strings.Contains(strings.Join(found(r), "|"), w) {
			t.Errorf("%s is not among %q", w, found(r))
		}
	}

	for _, f := range r.Findings {
		if f.Code == "script_error" && (f.Line != 5 || f.Column == 0) {
			t.Errorf("the script failed at %d:%d", f.Line, f.Column)
		}
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestCheckWithoutShowing: what is refused is not shown, and needs no browser.
func TestCheckWithoutShowing(t *testing.T) {
	t.Setenv(preview.BrowserEnv, filepath.Join(t.TempDir(), "none"))
	dir := t.TempDir()
	write(t, dir, "surface.json", previewManifest, "index.html", "<p>", "script.js", "let a = ;")
	r, err := checked(t, dir, time.Minute)
	if !errors.Is(err, errUnclean) || r.Shown || strings.Join(found(r), "|") != "error js_syntax script.js" {
		t.Errorf("%v %+v", err, r)
	}
	if _, ok := frontend.FS(); ok {
		write(t, dir, "script.js", "LineUpSurface.onState(() => {})")
		if _, err := checked(t, dir, time.Minute); !errors.Is(err, preview.ErrNoBrowser) {
			t.Errorf("without a browser: %v", err)
		}
	}
}

// TestCheckEndsInTime: a browser that never asks for anything.
func TestCheckEndsInTime(t *testing.T) {
	if _, ok := frontend.FS(); !ok {
		t.Skip("the page was not built")
	}
	sleeper := filepath.Join(t.TempDir(), "browser")
	write(t, filepath.Dir(sleeper), "browser", "#!/bin/sh\nsleep 600\n")
	if err := os.Chmod(sleeper, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(preview.BrowserEnv, sleeper)
	began := time.Now()
	r, err := checked(t, filepath.Join("..", "examples", "surface-starter"), 2*time.Second)
	if !errors.Is(err, errUnclean) || len(r.Findings) == 0 || r.Findings[len(r.Findings)-1].Code != "timeout" {
		t.Errorf("%v %+v", err, r)
	}
	if took := time.Since(began); took > deadline {
		t.Errorf("it took %v", took)
	}
}

func TestCheckText(t *testing.T) {
	r := checkReport{Path: "dir", Kind: preview.Folder}
	r.Findings = append(r.Findings, preview.Worded(preview.Source{Path: "/none", Kind: preview.Packed}.Load().Findings, "en")...)
	r.Findings[0].What += "\x1b[31m\n"
	r.Findings[0].Line, r.Findings[0].Column = 3, 4
	got := r.text("en")
	if !strings.HasPrefix(got, "dir/none:3:4: error: It is not there.") || strings.ContainsAny(got, "\x1b") || strings.Count(got, "\n") != 3 {
		t.Errorf("%q", got)
	}
	if zh := r.text("zh-CN"); !strings.Contains(zh, "错误 1 个") {
		t.Errorf("%q", zh)
	}
}
