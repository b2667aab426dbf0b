package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The import laws, each with its reason. A law says which packages (by prefix)
// may not import which others.
type law struct {
	name   string
	reason string
	breaks func(pkg, imp string) bool
}

func in(pkg, prefix string) bool { return pkg == prefix || strings.HasPrefix(pkg, prefix+"/") }

func sibling(root string) func(pkg, imp string) bool {
	return func(pkg, imp string) bool {
		if !strings.HasPrefix(pkg, root+"/") || !strings.HasPrefix(imp, root+"/") {
			return false
		}
		return part(pkg, root) != part(imp, root)
	}
}

func part(pkg, root string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(pkg, root+"/"), "/")
	return first
}

var laws = []law{
	{"main imports app only", "main is flags; everything is wired in one place",
		func(pkg, imp string) bool { return pkg == "lineup" && in(imp, "lineup") && imp != "lineup/app" }},
	{"nothing imports main or app's root", "app is the composition root",
		func(pkg, imp string) bool { return pkg != "lineup" && imp == "lineup/app" }},
	{"surface imports neither app, capability nor inventory", "what a surface says cannot reach an effect through this package",
		func(pkg, imp string) bool {
			return in(pkg, "lineup/surface") && (in(imp, "lineup/app") || in(imp, "lineup/capability") || in(imp, "lineup/inventory"))
		}},
	{"capability imports neither app, surface nor inventory", "the broker must be testable and trustworthy without the host",
		func(pkg, imp string) bool {
			return in(pkg, "lineup/capability") && (in(imp, "lineup/app") || in(imp, "lineup/surface") || in(imp, "lineup/inventory"))
		}},
	{"inventory does not import app", "the app centre knows packages, not screens or sockets",
		func(pkg, imp string) bool { return in(pkg, "lineup/inventory") && in(imp, "lineup/app") }},
	{"only app/desktop imports Wails", "the window is a shell; everything else builds and runs without it",
		func(pkg, imp string) bool {
			return strings.Contains(imp, "wailsapp/") && !in(pkg, "lineup/app/desktop")
		}},
	{"only app/store speaks SQL", "one place decides what is durable",
		func(pkg, imp string) bool {
			return (imp == "database/sql" || strings.HasPrefix(imp, "modernc.org/sqlite")) && !in(pkg, "lineup/app/store")
		}},
	{"built-in capabilities do not import each other", "each is one folder that can be read, and removed, by itself",
		sibling("lineup/capability/builtin")},
	{"agent adapters do not import each other", "each protocol is translated in one place",
		sibling("lineup/app/agent")},
	{"the kernel knows no transport, store or page", "it is a pure fold; a restart repeats it",
		func(pkg, imp string) bool {
			if !in(pkg, "lineup/app/conversation") {
				return false
			}
			for _, no := range []string{"lineup/app/store", "lineup/app/uiapi", "lineup/app/host", "lineup/app/web", "lineup/app/agent", "lineup/app/desktop", "net/http", "database/sql"} {
				if in(imp, no) {
					return true
				}
			}
			return false
		}},
	{"the envelope imports nothing of ours", "the wire format stands alone",
		func(pkg, imp string) bool {
			return in(pkg, "lineup/app/envelope") && in(imp, "lineup") && !in(imp, "lineup/app/envelope")
		}},
}

// imports lists every Go file's imports, of all build tags, tests left out.
func imports(t *testing.T) map[string]map[string]string {
	t.Helper()
	out := map[string]map[string]string{} // package → import → file
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "node_modules" || name == "testdata" || (strings.HasPrefix(name, ".") && name != ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := "lineup"
		if dir := filepath.ToSlash(filepath.Dir(path)); dir != "." {
			pkg += "/" + dir
		}
		if out[pkg] == nil {
			out[pkg] = map[string]string{}
		}
		for _, i := range f.Imports {
			p, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			out[pkg][p] = path
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestImportLaws(t *testing.T) {
	all := imports(t)
	if len(all) < 10 {
		t.Fatalf("only %d packages were found", len(all))
	}
	for _, l := range laws {
		for pkg, imps := range all {
			for imp, file := range imps {
				if l.breaks(pkg, imp) {
					t.Errorf("%s imports %s (%s)\n\tlaw: %s\n\twhy: %s", pkg, imp, file, l.name, l.reason)
				}
			}
		}
	}
}

// TestLawsCanFail shows that each law is broken by some import.
func TestLawsCanFail(t *testing.T) {
	bad := map[string][2]string{
		"main imports app only":                                 {"lineup", "lineup/surface"},
		"nothing imports main or app's root":                    {"lineup/surface", "lineup/app"},
		"surface imports neither app, capability nor inventory": {"lineup/surface", "lineup/capability"},
		"capability imports neither app, surface nor inventory": {"lineup/capability/builtin/x", "lineup/app/store"},
		"inventory does not import app":                         {"lineup/inventory", "lineup/app/store"},
		"only app/desktop imports Wails":                        {"lineup/app/host", "github.com/wailsapp/wails/v2"},
		"only app/store speaks SQL":                             {"lineup/app/host", "database/sql"},
		"built-in capabilities do not import each other":        {"lineup/capability/builtin/a", "lineup/capability/builtin/b"},
		"agent adapters do not import each other":               {"lineup/app/agent/a", "lineup/app/agent/b"},
		"the kernel knows no transport, store or page":          {"lineup/app/conversation", "lineup/app/store"},
		"the envelope imports nothing of ours":                  {"lineup/app/envelope", "lineup/surface"},
	}
	for _, l := range laws {
		b, ok := bad[l.name]
		if !ok || !l.breaks(b[0], b[1]) {
			t.Errorf("law %q is not broken by %v", l.name, b)
		}
	}
}

func TestNoDrawers(t *testing.T) {
	for pkg := range imports(t) {
		switch filepath.Base(pkg) {
		case "util", "utils", "common", "helpers", "misc":
			t.Errorf("%s: a package is named after what it holds", pkg)
		}
	}
}

func TestEachPackageExplainsItself(t *testing.T) {
	for pkg := range imports(t) {
		if pkg == "lineup" || strings.Contains(pkg, "/examples/") {
			continue
		}
		dir := strings.TrimPrefix(pkg, "lineup/")
		if _, err := os.Stat(filepath.Join(dir, "doc.go")); err != nil {
			t.Errorf("%s has no doc.go", pkg)
		}
	}
}
