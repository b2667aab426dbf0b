package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"lineup/app/preview"
	"lineup/app/uiapi"
	"lineup/app/web"
	"lineup/capability/plain"
	"lineup/frontend"
	"lineup/surface"
)

var errUnclean = errors.New("preview: the check found something")

// checkFlags are what `lineup preview --check` takes.
type checkFlags struct {
	on        bool
	json      bool
	noSandbox bool
	timeout   time.Duration
}

// How long a surface that is ready is watched for what goes wrong: until nothing
// was noted for a while, but not for ever.
const (
	checkEvery = 50 * time.Millisecond
	checkLeast = 6 * time.Second // longer than the page waits for a frame that hangs
	checkQuiet = 800 * time.Millisecond
	checkMost  = 9 * time.Second
)

// checkReport is what --json prints.
type checkReport struct {
	Clean    bool                   `json:"clean"` // no error and no warning
	Path     string                 `json:"path"`
	Kind     preview.Kind           `json:"kind"`
	Shown    bool                   `json:"shown"` // it was opened in a browser
	TookMS   int64                  `json:"took_ms"`
	Findings []uiapi.PreviewFinding `json:"findings"`
}

// runCheck validates, shows, and reports; nil only when all is clean.
func runCheck(ctx context.Context, cfg config, f previewFlags, path string, out io.Writer) error {
	source, err := previewSource(cfg, f, path)
	if err != nil {
		return err
	}
	began := time.Now()
	ctx, stop := context.WithTimeout(ctx, f.check.timeout)
	defer stop()
	loaded := source.Load()
	findings, shown := loaded.Findings, false
	if !loaded.Broken() {
		ran, err := showUnseen(ctx, cfg, f, source, loaded.Findings)
		if err != nil {
			return err
		}
		findings, shown = append(findings, ran...), true
	}
	lang := "en"
	if chinese() {
		lang = "zh-CN"
	}
	report := checkReport{Clean: true, Path: path, Kind: source.Kind, Shown: shown, Findings: preview.Worded(findings, lang)}
	for _, x := range findings {
		report.Clean = report.Clean && x.Severity == surface.LintNote
	}
	report.TookMS = time.Since(began).Milliseconds()
	if f.check.json {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		err = enc.Encode(report)
	} else {
		_, err = io.WriteString(out, report.text(lang))
	}
	if err == nil && !report.Clean {
		err = errUnclean
	}
	return err
}

// showUnseen opens it in a browser without a window and watches it for a while.
func showUnseen(ctx context.Context, cfg config, f previewFlags, source preview.Source, static []surface.Finding) (out []surface.Finding, err error) {
	files, ok := frontend.FS()
	if !ok {
		return nil, errNoPage
	}
	browser, err := preview.FindBrowser()
	if err != nil {
		return nil, err
	}
	o := preview.Options{Source: source, Logger: cfg.log} // a recording plays at once
	err = withPreview(ctx, cfg, o, func(cfg config) error {
		c, err := open(ctx, cfg, webShell())
		if err != nil {
			return err
		}
		defer c.close()
		served, stop := context.WithCancel(ctx)
		done := make(chan error, 1)
		go func() {
			done <- c.ui.Serve(served, c.host.Hub(), web.NewPage(files, c.frames.Origin(), "ws://"+c.ui.Addr()))
		}()
		defer func() { stop(); <-done }()
		b, err := preview.OpenBrowser(browser, "http://"+c.ui.Addr()+"/#ticket="+c.host.Ticket(), f.check.noSandbox)
		if err != nil {
			return err
		}
		defer func() {
			grace, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer stop()
			b.Close(grace)
		}()
		out, err = watchRun(ctx, c, cfg.preview, b, static)
		return err
	})
	return out, err
}

// watchRun waits until what is previewed stands, then until it is quiet.
func watchRun(ctx context.Context, c *core, agent *preview.Agent, b *preview.Browser, static []surface.Finding) ([]surface.Finding, error) {
	ended := func() error { return fmt.Errorf("%w: %s", preview.ErrBrowserEnded, b.Said()) }
	probed := make(chan uiapi.Sandbox, 1)
	go func() { probed <- c.host.Sandbox(ctx) }()
	select {
	case v := <-probed:
		if v.State == "failed" {
			return []surface.Finding{{Severity: surface.LintError, Code: "not_sealed", Detail: strings.Join(v.Leaks, ", ")}}, nil
		}
	case <-b.Ended():
		return nil, ended()
	}
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	var stands, noted time.Time // since when it does; when something was noted last
	var seen int64
	for {
		select {
		case <-ctx.Done():
			late := surface.Finding{Severity: surface.LintError, Code: "timeout", Detail: "--timeout"}
			return append(judgeRun(c, agent, static), late), nil
		case <-b.Ended():
			return nil, ended()
		case <-tick.C:
		}
		now, p := time.Now(), c.host.Previewed()
		if p.PageHung {
			return append(judgeRun(c, agent, static), surface.Finding{Severity: surface.LintError, Code: "stopped_hung"}), nil
		}
		if p.Noted != seen || noted.IsZero() {
			seen, noted = p.Noted, now
		}
		switch {
		case !standing(agent.View("en"), runs(c)):
			stands = time.Time{}
		case stands.IsZero():
			stands = now
		case now.Sub(stands) > checkMost, now.Sub(stands) > checkLeast && now.Sub(noted) > checkQuiet:
			return judgeRun(c, agent, static), nil
		}
	}
}

// runs is what became of each surface that was not taken away again.
func runs(c *core) (out []preview.Ran) {
	for _, s := range c.host.Previewed().Surfaces {
		if s.Status == "closed" {
			continue
		}
		out = append(out, preview.Ran{Status: s.Status, Reason: s.Reason, Height: s.Height, Problems: s.Problems,
			Ready: s.Phase == surface.PhaseLive || s.Phase == surface.PhaseAsleep})
	}
	return out
}

// standing reports whether nothing more is to come: a recording has ended, and
// each surface runs, or will not.
func standing(v uiapi.Preview, list []preview.Ran) bool {
	if v.Next < v.Count || v.Count == 0 && len(list) == 0 {
		return false
	}
	for _, r := range list {
		if r.Status == "asking" || r.Status == "open" && !r.Ready && r.Reason == "" {
			return false
		}
	}
	return true
}

func judgeRun(c *core, agent *preview.Agent, static []surface.Finding) (out []surface.Finding) {
	for _, r := range runs(c) {
		out = append(out, preview.Judge(r, append(static, out...))...)
	}
	return out
}

// text is the report for people: place, meaning and fix of each, as compilers do it.
func (r checkReport) text(lang string) string {
	words := checkEN
	if lang == "zh-CN" {
		words = checkZH
	}
	var b strings.Builder
	count := map[string]int{}
	for _, f := range r.Findings {
		count[f.Severity]++
		place := r.Path
		switch {
		case f.File == "" || f.File == filepath.Base(r.Path):
		case r.Kind == preview.Folder:
			place = filepath.Join(r.Path, f.File)
		default:
			place = r.Path + " " + f.File
		}
		if f.Line > 0 {
			place += fmt.Sprintf(":%d", f.Line)
		}
		if f.Column > 0 {
			place += fmt.Sprintf(":%d", f.Column)
		}
		fmt.Fprintf(&b, "%s: %s: %s\n    %s%s\n", oneLine(place), words[f.Severity], oneLine(f.What), words["fix"], oneLine(f.Fix))
	}
	switch {
	case r.Clean && count["note"] > 0:
		fmt.Fprintf(&b, words["noted"], count["note"])
	case r.Clean:
		b.WriteString(words["clean"])
	default:
		fmt.Fprintf(&b, words["found"], count["error"], count["warning"])
	}
	if !r.Shown {
		b.WriteString(words["unseen"])
	}
	b.WriteString("\n")
	return b.String()
}

// oneLine makes text of an author fit for a terminal.
func oneLine(s string) string {
	s, _, _ = plain.Show(s)
	return strings.ReplaceAll(s, "\n", " ")
}

var checkEN = map[string]string{
	"error": "error", "warning": "warning", "note": "note", "fix": "fix: ",
	"clean": "Clean.", "noted": "Clean, with notes: %d.", "found": "Errors: %d, warnings: %d.",
	"unseen": " It was not shown, because it would be refused.",
}

var checkZH = map[string]string{
	"error": "错误", "warning": "警告", "note": "提示", "fix": "修正：",
	"clean": "没有问题。", "noted": "没有问题，有 %d 条提示。", "found": "错误 %d 个，警告 %d 个。",
	"unseen": "由于会被拒绝，没有实际显示。",
}
