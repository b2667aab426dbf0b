package app

import (
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"lineup/app/envelope"
	"lineup/surface"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lineup": func() { os.Exit(Main(os.Args[1:])) }})
}

// TestBundleCommand runs the command line itself: testdata/bundle/*.txtar.
func TestBundleCommand(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/bundle",
		Setup: func(e *testscript.Env) error {
			e.Setenv("LC_ALL", "en_GB.UTF-8")
			return nil
		},
		Condition: func(cond string) (bool, error) { return cond == "modes" && runtime.GOOS != "windows", nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			// code N command…: the command ends with the exit code N.
			"code": func(ts *testscript.TestScript, neg bool, args []string) {
				err := ts.Exec(args[1], args[2:]...)
				got := "0"
				if err != nil {
					got = strings.TrimPrefix(err.Error(), "exit status ")
				}
				if got != args[0] {
					ts.Fatalf("exit code %s, want %s", got, args[0])
				}
			},
			// mode FILE rw-------
			"mode": func(ts *testscript.TestScript, neg bool, args []string) {
				info, err := os.Stat(ts.MkAbs(args[0]))
				ts.Check(err)
				if got := info.Mode().String()[1:]; got != args[1] {
					ts.Fatalf("mode %s, want %s", got, args[1])
				}
			},
			// signature FILE: what stands in a bundle, into FILE.sig
			"signature": func(ts *testscript.TestScript, neg bool, args []string) {
				b, err := surface.DecodeBundle([]byte(ts.ReadFile(args[0])))
				ts.Check(err)
				ts.Check(os.WriteFile(ts.MkAbs(args[0]+".sig"), []byte(b.Signature), 0o600))
			},
			// replace FILE OLD NEW
			"replace": func(ts *testscript.TestScript, neg bool, args []string) {
				text := ts.ReadFile(args[0])
				if !strings.Contains(text, args[1]) {
					ts.Fatalf("no %q in %s", args[1], text)
				}
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o600))
			},
		},
	})
}

// TestPackedBundleIsAnApp: what pack writes may be sent as the app of a ui.open as it is.
func TestPackedBundleIsAnApp(t *testing.T) {
	b := surface.Bundle{App: surface.App{ID: "com.example.w", Name: "W", Version: "1.0.0", HTML: "<p>", Events: []string{"x"}, HostStyles: true},
		Title: "T", Height: 100, State: json.RawMessage(`{"a":1}`), StateSchema: json.RawMessage(`{"type":"object"}`)}
	packed, err := surface.PackBundle(b)
	if err != nil {
		t.Fatal(err)
	}
	payload := append(append([]byte(`{"instance_id":"i","app":`), packed...), '}')
	if err := envelope.CheckPayload(envelope.TypeUIOpen, payload); err != nil {
		t.Error(err)
	}
	var open envelope.UIOpen
	if err := json.Unmarshal(payload, &open); err != nil || !open.App.HostStyles || open.App.Integrity != surface.Digest("<p>", "", "") {
		t.Errorf("%+v %v", open, err)
	}
}

func TestBundleWordsInBothLanguages(t *testing.T) {
	for key, w := range bundleWords {
		if w.en == "" || hasHan(w.en) || !hasHan(w.zh) {
			t.Errorf("%s: %q, %q", key, w.en, w.zh)
		}
		if strings.Count(w.en, "%[") != strings.Count(w.zh, "%[") {
			t.Errorf("%s does not say the same in both", key)
		}
	}
}
