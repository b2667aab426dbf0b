package surface

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

const manifest = `{
  "id": "com.example.weather",
  "name": "Weather",
  "version": "1.0.0",
  "title": "Today",
  "events": ["refresh"],
  "host_styles": true,
  "size": {"height": 220},
  "state": {"city": "北京"},
  "state_schema": {"type": "object"}
}
`

func folder(manifest string, more ...string) fstest.MapFS {
	fsys := fstest.MapFS{"surface.json": {Data: []byte(manifest)}, "index.html": {Data: []byte("<p>hello</p>")}}
	for i := 0; i < len(more); i += 2 {
		fsys[more[i]] = &fstest.MapFile{Data: []byte(more[i+1])}
	}
	return fsys
}

func TestLoadBundle(t *testing.T) {
	b, err := LoadBundle(folder(manifest, "style.css", "p{}", "script.js", "1", "README.md", "x", "src/main.js", "not ours"))
	if err != nil {
		t.Fatal(err)
	}
	want := Bundle{App: App{ID: "com.example.weather", Name: "Weather", Version: "1.0.0", Events: []string{"refresh"}, HostStyles: true,
		HTML: "<p>hello</p>", CSS: "p{}", JS: "1", Integrity: Digest("<p>hello</p>", "p{}", "1")},
		Title: "Today", Height: 220, State: json.RawMessage(`{"city":"北京"}`), StateSchema: json.RawMessage(`{"type":"object"}`)}
	if !reflect.DeepEqual(b, want) {
		t.Errorf("got  %+v\nwant %+v", b, want)
	}
	least, err := LoadBundle(folder(`{"id":"a.b","name":"n","version":"1.0.0"}`))
	if err != nil || string(least.State) != "{}" || least.StateSchema != nil {
		t.Errorf("the least bundle: %+v, %v", least, err)
	}
}

func TestPackRoundTrip(t *testing.T) {
	b, err := LoadBundle(folder(manifest, "style.css", "p > a { content: '</style>' }"))
	if err != nil {
		t.Fatal(err)
	}
	b.Signature = "untrusted comment: x\nline"
	packed, err := PackBundle(b)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(packed), "\n  \"css\": \"p > a { content: '</style>' }\",\n") {
		t.Errorf("not one field a line, or escaped: %s", packed)
	}
	back, err := DecodeBundle(packed)
	if err != nil || !reflect.DeepEqual(back, b) {
		t.Errorf("got  %+v (%v)\nwant %+v", back, err, b)
	}
	again, err := PackBundle(back)
	if err != nil || string(again) != string(packed) {
		t.Errorf("not the same bytes again: %v\n%s", err, again)
	}
	b.HTML += " "
	if _, err := PackBundle(b); code(err) != CodeIntegrity {
		t.Errorf("a digest of another bundle was packed: %v", err)
	}
}

func TestBundleRefusals(t *testing.T) {
	with := func(old, new string) string { return strings.Replace(manifest, old, new, 1) }
	for _, c := range []struct {
		name    string
		fsys    fs.FS
		code    string
		file    string
		line    int
		field   string
		mention string
	}{
		{"no manifest", fstest.MapFS{"index.html": {Data: []byte("x")}}, CodeBadBundle, "surface.json", 0, "", "id, name and version"},
		{"no html", fstest.MapFS{"surface.json": {Data: []byte(manifest)}}, CodeBadBundle, "index.html", 0, "", "HTML"},
		{"empty html", folder(manifest, "index.html", ""), CodeBadBundle, "index.html", 0, "", "HTML"},
		{"comma", folder(with(`220},`, `220},,`)), CodeBadBundle, "surface.json", 8, "", "one JSON object"},
		{"cut", folder(manifest[:40]), CodeBadBundle, "surface.json", 3, "", "one JSON object"},
		{"empty", folder(""), CodeBadBundle, "surface.json", 1, "", "one JSON object"},
		{"array", folder(`[]`), CodeBadBundle, "surface.json", 1, "", "one JSON object"},
		{"not UTF-8", folder(with("Weather", "\xff")), CodeBadBundle, "surface.json", 3, "", "UTF-8"},
		{"unknown field", folder(with("title", "titel")), CodeBadBundle, "surface.json", 5, "titel", "title"},
		{"html in the manifest", folder(with("title", "html")), CodeBadBundle, "surface.json", 5, "html", "no other fields"},
		{"twice", folder(with("title", "na\\u006de")), CodeBadBundle, "surface.json", 5, "name", "once"},
		{"null", folder(with(`"Weather"`, "null")), CodeBadBundle, "surface.json", 3, "name", "string"},
		{"half a pair", folder(with("Weather", `\ud83d`)), CodeBadBundle, "surface.json", 3, "name", "whole characters"},
		{"low half first", folder(with("Weather", `\udE00x`)), CodeBadBundle, "surface.json", 3, "name", "whole characters"},
		{"no id", folder(with(`"id": "com.example.weather",`, "")), CodeBadBundle, "surface.json", 0, "id", "this field"},
		{"bad id", folder(with("com.example.weather", "weather")), CodeBadApp, "surface.json", 2, "id", "reverse-domain"},
		{"bad version", folder(with("1.0.0", "1")), CodeBadApp, "surface.json", 4, "version", "semantic version"},
		{"line end in the name", folder(with("Weather", `a\nb`)), CodeBadBundle, "surface.json", 3, "name", "control characters"},
		{"empty title", folder(with("Today", "")), CodeBadBundle, "surface.json", 5, "title", "1 to 256"},
		{"long title", folder(with("Today", strings.Repeat("x", 257))), CodeBadBundle, "surface.json", 5, "title", "1 to 256"},
		{"close declared", folder(with("refresh", "close")), CodeBadApp, "surface.json", 6, "events[0]", "close"},
		{"events not a list", folder(with(`["refresh"]`, `{"a":1}`)), CodeBadBundle, "surface.json", 6, "events", "list"},
		{"events not strings", folder(with(`"refresh"`, `null`)), CodeBadBundle, "surface.json", 6, "events", "strings"},
		{"flag as text", folder(with("true", `"true"`)), CodeBadBundle, "surface.json", 7, "host_styles", "true or false"},
		{"height 0", folder(with("220", "0")), CodeBadBundle, "surface.json", 8, "size", "1 to 4000"},
		{"height 4001", folder(with("220", "4001")), CodeBadBundle, "surface.json", 8, "size", "1 to 4000"},
		{"half a pixel", folder(with("220", "1.5")), CodeBadBundle, "surface.json", 8, "size", "whole number"},
		{"width", folder(with("height", "width")), CodeBadBundle, "surface.json", 8, "size", "height"},
		{"height twice", folder(with(`"height": 220`, `"height": 220, "height": 1`)), CodeBadBundle, "surface.json", 8, "size", "height"},
		{"state a list", folder(with(`{"city": "北京"}`, "[]")), CodeBadBundle, "surface.json", 9, "state", "object"},
		{"state null", folder(with(`{"city": "北京"}`, "null")), CodeBadBundle, "surface.json", 9, "state", "object"},
		{"prototype key", folder(with("city", "__proto__")), CodeBadState, "surface.json", 9, "state", "__proto__"},
		{"schema true", folder(with(`{"type": "object"}`, "true")), CodeBadBundle, "surface.json", 10, "state_schema", "JSON Schema"},
		{"deep schema", folder(with(`{"type": "object"}`, strings.Repeat(`{"not":`, 16)+`{}`+strings.Repeat("}", 16))),
			CodeBadBundle, "surface.json", 10, "state_schema", "16 levels"},
		{"css not UTF-8", folder(manifest, "style.css", "a\nb\xc3"), CodeBadBundle, "style.css", 2, "", "UTF-8"},
		{"html too large", folder(manifest, "index.html", strings.Repeat("x", MaxBundle+1)), CodeTooLarge, "index.html", 0, "", "163840"},
		{"together too large", folder(manifest, "script.js", strings.Repeat("x", MaxBundle)), CodeTooLarge, "script.js", 0, "", "together"},
		{"manifest too large", folder(strings.Repeat(" ", MaxPacked+1)), CodeTooLarge, "surface.json", 0, "", "bytes"},
		{"another style sheet", folder(manifest, "styles.css", ""), CodeBadBundle, "styles.css", 0, "", "style.css"},
		{"a folder for a file", fstest.MapFS{"surface.json": {Data: []byte(manifest)}, "index.html": {Mode: fs.ModeDir}}, CodeBadBundle, "index.html", 0, "", "regular file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := LoadBundle(c.fsys)
			var r *Refusal
			if !errors.As(err, &r) {
				t.Fatalf("got %v, want a refusal", err)
			}
			if r.Code != c.code || r.File != c.file || r.Line != c.line || r.Field != c.field || !strings.Contains(r.Expected, c.mention) {
				t.Errorf("got %+v (%v)", *r, r)
			}
		})
	}
}

func TestBundleAtTheLimits(t *testing.T) {
	b, err := LoadBundle(folder(manifest, "index.html", strings.Repeat("\x01", MaxBundle-1), "script.js", "x"))
	if err != nil {
		t.Fatal(err)
	}
	// A control character takes six bytes in JSON, so this is the largest there is.
	packed, err := PackBundle(b)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := DecodeBundle(packed); err != nil || back.HTML != b.HTML {
		t.Errorf("the largest bundle does not come back: %v", err)
	}
}

func TestDecodeBundleRefusals(t *testing.T) {
	b, err := LoadBundle(folder(manifest))
	if err != nil {
		t.Fatal(err)
	}
	packed, err := PackBundle(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, old, new, code, field string }{
		{"tampered", "hello", "hullo", CodeIntegrity, "integrity"},
		{"digest gone", `"integrity"`, `"title2"`, CodeBadBundle, "title2"},
		{"digest not one", "sha256-", "sha512-", CodeBadApp, "integrity"},
		{"html empty", `"<p>hello</p>"`, `""`, CodeBadBundle, "html"},
		{"digest empty", b.Integrity, "", CodeBadBundle, "integrity"},
		{"signature empty", `"html"`, `"signature": "", "html"`, CodeBadBundle, "signature"},
		{"html not text", `"<p>hello</p>"`, `7`, CodeBadBundle, "html"},
		{"css null", `"html"`, "\"css\": null,\n\"html\"", CodeBadBundle, "css"},
		{"signature too long", `"html"`, `"signature": "` + strings.Repeat("s", 4097) + `", "html"`, CodeTooLarge, "signature"},
		{"surface", `"html"`, `"surface": "x", "html"`, CodeBadBundle, "surface"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(string(packed), c.old, c.new, 1)
			if text == string(packed) {
				t.Fatal("nothing was changed")
			}
			_, err := DecodeBundle([]byte(text))
			var r *Refusal
			if !errors.As(err, &r) || r.Code != c.code || r.Field != c.field || r.File != "bundle.json" || r.Line == 0 {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := DecodeBundle([]byte(`{"id":"a.b","name":"n","version":"1.0.0","html":"x"}`)); !strings.Contains(err.Error(), "integrity: expected this field") {
		t.Errorf("no digest: %v", err)
	}
}

// TestFolderOnDisk: what a directory can hold that a map cannot.
func TestFolderOnDisk(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "surface.json"), manifest)
	write(filepath.Join(outside, "secret"), "secret")
	if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "index.html")); err != nil {
		t.Skip("no links here")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	_, err = LoadBundle(root.FS())
	var r *Refusal
	if !errors.As(err, &r) || r.File != "index.html" {
		t.Errorf("a link out of the folder: %v", err)
	}
}

func FuzzDecodeBundle(f *testing.F) {
	b, err := LoadBundle(folder(manifest))
	if err != nil {
		f.Fatal(err)
	}
	packed, _ := PackBundle(b)
	f.Add(packed)
	for _, s := range []string{`{}`, `{"id":"a.b","name":"\ud83d\ude00","version":"1.0.0","html":"<","integrity":"sha256-x"}`, `{"a":{"a":`, `[]`, "\xef\xbb\xbf{}", `{"size":{"height":1e2}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := DecodeBundle(raw)
		refusedOrNil(t, err)
		if err != nil {
			return
		}
		packed, err := PackBundle(b)
		if err != nil {
			t.Fatalf("decoded, but cannot be packed: %v", err)
		}
		back, err := DecodeBundle(packed)
		if err != nil || !reflect.DeepEqual(b, back) {
			t.Errorf("got %+v (%v)\nwant %+v", back, err, b)
		}
	})
}

func FuzzLoadBundle(f *testing.F) {
	f.Add([]byte(manifest), []byte("<p>"), []byte("p{}"), []byte("1"))
	f.Add([]byte(`{"id":"a.b","name":"n","version":"1.0.0","events":[]}`), []byte("x"), []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, m, html, css, js []byte) {
		b, err := LoadBundle(folder(string(m), "index.html", string(html), "style.css", string(css), "script.js", string(js)))
		refusedOrNil(t, err)
		if err != nil {
			return
		}
		packed, err := PackBundle(b)
		if err != nil {
			t.Fatalf("loaded, but cannot be packed: %v", err)
		}
		if back, err := DecodeBundle(packed); err != nil || !reflect.DeepEqual(b, back) {
			t.Errorf("got %+v (%v)\nwant %+v", back, err, b)
		}
	})
}
