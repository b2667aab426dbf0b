package artifact

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"lineup/capability"
)

func TestSafeName(t *testing.T) {
	for in, want := range map[string]string{
		"report.txt":          "report.txt",
		"报告.csv":              "报告.csv",
		"a b.txt":             "a b.txt",
		" a.txt ":             "a.txt",
		"a.txt...":            "a.txt",
		"a.txt. . ":           "a.txt",
		"12:30.txt":           "12_30.txt",
		`a<b>c"d|e?f*g.txt`:   "a_b_c_d_e_f_g.txt",
		"file.txt:stream":     "file.txt_stream",
		".bashrc":             "_bashrc",
		"-rf":                 "_rf",
		"~root":               "_root",
		"CON":                 "_CON",
		"con.txt":             "_con.txt",
		"NUL .txt":            "_NUL .txt",
		"com1.log":            "_com1.log",
		"COM¹":                "_COM¹",
		"com10.log":           "com10.log",
		"aux.tar.gz":          "_aux.tar.gz",
		"CONOUT$":             "_CONOUT$",
		"desktop.ini":         "_desktop.ini",
		"gpj\u202Egnp.exe":    "gpj_gnp.exe",
		"a\u200Bb.txt":        "a_b.txt",
		"line\nbreak.txt":     "line_break.txt",
		"e\u0301.txt":         "é.txt",
		"no-break\u00A0x.txt": "no-break_x.txt",
		"bad\u2028.txt":       "bad_.txt",
	} {
		got, err := safeName(in)
		if err != nil || got != want {
			t.Errorf("safeName(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"", ".", "..", "...", " ", "../x", "a/b", `a\b`, `C:\x`, "/etc/passwd", "a\x00b", "\xff", "- -", "__"} {
		if got, err := safeName(in); err == nil {
			t.Errorf("safeName(%q) = %q; want an error", in, got)
		}
	}
	long, err := safeName(strings.Repeat("字", 300) + ".tar.gz")
	if err != nil || len(long) > maxName || !strings.HasSuffix(long, "字.tar.gz") || !utf8.ValidString(long) {
		t.Errorf("a long name becomes %q (%d), %v", long, len(long), err)
	}
}

func invoke(t *testing.T, p *Provider, args map[string]string) (string, error) {
	t.Helper()
	b, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(b); err != nil {
		return "", err
	}
	out, err := p.Invoke(t.Context(), capability.Call{Args: b})
	return string(out), err
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

func TestSavesAndNeverReplaces(t *testing.T) {
	for _, links := range []bool{true, false} {
		t.Run(fmt.Sprintf("links=%v", links), func(t *testing.T) {
			if !links {
				old := link
				link = func(*os.Root, string, string) error { return errors.ErrUnsupported }
				t.Cleanup(func() { link = old })
			}
			dir := filepath.Join(t.TempDir(), "new", "folder")
			p := New(dir, 0)
			for i, want := range []string{"a.txt", "a (1).txt", "a (2).txt"} {
				out, err := invoke(t, p, map[string]string{"name": "a.txt", "text": fmt.Sprint("text ", i)})
				if err != nil || out != fmt.Sprintf(`{"name":%q,"saved":true,"size":6}`, want) {
					t.Fatalf("%s, %v", out, err)
				}
				if got := content(t, filepath.Join(dir, want)); got != fmt.Sprint("text ", i) {
					t.Errorf("%s holds %q", want, got)
				}
			}
			if got := names(t, dir); len(got) != 3 {
				t.Errorf("left in the folder: %q", got)
			}
		})
	}
}

func TestSavesBinary(t *testing.T) {
	dir := t.TempDir()
	raw := string([]byte{0, 1, 2, 255, 10, 13})
	if _, err := invoke(t, New(dir, 0), map[string]string{"name": "x.tar.gz", "data": base64.StdEncoding.EncodeToString([]byte(raw))}); err != nil {
		t.Fatal(err)
	}
	if got := content(t, filepath.Join(dir, "x.tar.gz")); got != raw {
		t.Errorf("got %q", got)
	}
}

// A link that waits in the folder is a taken name, wherever it leads.
func TestDoesNotFollowLinks(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside")
	if err := os.Symlink(outside, filepath.Join(dir, "a.txt")); err != nil {
		t.Skip("no symbolic links here")
	}
	out, err := invoke(t, New(dir, 0), map[string]string{"name": "a.txt", "text": "x"})
	if err != nil || !strings.Contains(out, "a (1).txt") {
		t.Errorf("%s, %v", out, err)
	}
	if _, err := os.Lstat(outside); err == nil {
		t.Error("it was written through the link")
	}
}

func TestManyAtOnceEachGetAName(t *testing.T) {
	dir := t.TempDir()
	p := New(dir, 0)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, err := invoke(t, p, map[string]string{"name": "same.txt", "text": fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, n := range names(t, dir) {
		seen[content(t, filepath.Join(dir, n))] = true
	}
	if len(seen) != 20 {
		t.Errorf("%d of 20 contents are there", len(seen))
	}
}

func TestLimit(t *testing.T) {
	dir := t.TempDir()
	p := New(dir, 10)
	if _, err := invoke(t, p, map[string]string{"name": "a", "text": strings.Repeat("x", 10)}); err != nil {
		t.Errorf("10 of 10 bytes: %v", err)
	}
	if _, err := invoke(t, p, map[string]string{"name": "b", "text": strings.Repeat("x", 11)}); err == nil {
		t.Error("11 of 10 bytes are saved")
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("in the folder: %q", got)
	}
}

func TestFailureNamesNoPath(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := invoke(t, New(file, 0), map[string]string{"name": "a", "text": "x"})
	var pe *capability.ProviderError
	if !errors.As(err, &pe) || strings.Contains(pe.Message, "/") {
		t.Errorf("got %v", err)
	}
}

func TestPresent(t *testing.T) {
	p := New("/home/u/Downloads", 0)
	got := p.Present(json.RawMessage(`{"name":"CON.txt","text":"hello"}`), "en")
	want := []string{"_CON.txt", "/home/u/Downloads", "5 bytes", "hello"}
	for i, a := range got.Args {
		if a.Value != want[i] {
			t.Errorf("%s is %q, want %q", a.Name, a.Value, want[i])
		}
	}
	if got.Summary != "_CON.txt" {
		t.Errorf("summary %q", got.Summary)
	}
	for name, warn := range map[string]bool{"a.pdf": false, "a.pdf.exe": true, "run.SH": true, "x.desktop": true, "photo.png": false} {
		args, _ := json.Marshal(map[string]string{"name": name, "text": ""})
		if got := len(p.Present(args, "zh-CN").Warnings) > 0; got != warn {
			t.Errorf("%s: warning %v", name, got)
		}
		if key, _ := p.Scope(args); (key == "") != warn {
			t.Errorf("%s: scope %q", name, key)
		}
	}
}

func FuzzSafeName(f *testing.F) {
	for _, s := range []string{"a.txt", "CON", "..", "a:b", "\u202Ex", strings.Repeat("字", 100), ".tar.gz", "x.tar.gz"} {
		f.Add(s)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, s string) {
		n, err := safeName(s)
		if err != nil {
			return
		}
		if len(n) > maxName+1 || strings.ContainsAny(n, `/\<>:"|?*`) || n[0] == '.' || strings.HasSuffix(n, ".") || strings.HasSuffix(n, " ") || reserved(n) {
			t.Fatalf("safeName(%q) = %q", s, n)
		}
		if again, err := safeName(n); err != nil || again != n {
			t.Fatalf("safeName(%q) = %q, then %q, %v", s, n, again, err)
		}
		if filepath.Dir(filepath.Join(dir, n)) != dir {
			t.Fatalf("%q leads out", n)
		}
	})
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"name":"a","text":"b"}`, `{"name":"a","data":"AA=="}`, `{"name":"a"}`, `null`, `[]`, `{"name":"a","data":"AA"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := New("/nowhere", 1000)
		p.Present(json.RawMessage(s), "en")
		p.Scope(json.RawMessage(s))
		if f, err := p.read(json.RawMessage(s)); err == nil && len(f.content) > 1000 {
			t.Fatal("over the limit")
		}
	})
}
