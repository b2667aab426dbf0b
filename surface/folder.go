package surface

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Names of a bundle's files in its folder form.
const (
	ManifestFile = "surface.json"
	htmlFile     = "index.html"
	cssFile      = "style.css"
	jsFile       = "script.js"
)

// LoadBundle reads the folder form of a bundle: surface.json with id, name,
// version and optional title, events, host_styles, size {height}, state and
// state_schema; index.html; and, if there are any, style.css and script.js.
// Other files are left alone, except that another page, style sheet or script
// beside them is refused: it would silently not be part of the surface. The
// integrity is the bundle's own digest. Errors are *Refusal with the file.
//
// It reads regular files only and no more of each than its limit. A link that
// leaves the folder is for fsys to refuse (os.Root does).
func LoadBundle(fsys fs.FS) (Bundle, error) {
	raw, there, err := readFile(fsys, ManifestFile, MaxPacked)
	if err != nil {
		return Bundle{}, err
	}
	if !there {
		return Bundle{}, badFile(ManifestFile, "a file with id, name and version")
	}
	f, err := readFields(ManifestFile, raw, MaxPacked, bundleKeys)
	if err != nil {
		return Bundle{}, err
	}
	b, err := f.bundle()
	if err != nil {
		return Bundle{}, err
	}
	total := 0
	for _, part := range []struct {
		file string
		to   *string
	}{{htmlFile, &b.HTML}, {cssFile, &b.CSS}, {jsFile, &b.JS}} {
		raw, _, err := readFile(fsys, part.file, MaxBundle)
		if err != nil {
			return Bundle{}, err
		}
		if at := invalidUTF8(raw); at >= 0 {
			return Bundle{}, &Refusal{Code: CodeBadBundle, Expected: "UTF-8", File: part.file, Line: lineAt(raw, at)}
		}
		if total += len(raw); total > MaxBundle {
			return Bundle{}, tooLargeFile(part.file, "html, css and js of "+atMostBundle+" together")
		}
		*part.to = string(raw)
	}
	if b.HTML == "" {
		return Bundle{}, badFile(htmlFile, "a file with the HTML of the surface")
	}
	if err := noStrays(fsys); err != nil {
		return Bundle{}, err
	}
	b.Integrity = Digest(b.HTML, b.CSS, b.JS)
	if err := Check(b.App); err != nil {
		return Bundle{}, f.locate(err)
	}
	return b, nil
}

var atMostBundle = "at most " + strconv.Itoa(MaxBundle) + " bytes"

func badFile(file, expected string) error {
	return &Refusal{Code: CodeBadBundle, Expected: expected, File: file}
}

func tooLargeFile(file, expected string) error {
	return &Refusal{Code: CodeTooLarge, Expected: expected, File: file}
}

// readFile reads a regular file of at most max bytes; false: there is none.
func readFile(fsys fs.FS, name string, max int) (raw []byte, there bool, err error) {
	// Before it is opened: opening a pipe would wait for its other end.
	info, err := fs.Stat(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, true, badFile(name, "a regular file")
	}
	unreadable := badFile(name, "a file that can be read")
	if err != nil {
		return nil, true, unreadable
	}
	in, err := fsys.Open(name)
	if err != nil {
		return nil, true, unreadable
	}
	defer in.Close()
	raw, err = io.ReadAll(io.LimitReader(in, int64(max)+1))
	switch {
	case err != nil:
		return nil, true, unreadable
	case len(raw) > max:
		return nil, true, tooLargeFile(name, "at most "+strconv.Itoa(max)+" bytes")
	}
	return raw, true, nil
}

// noStrays refuses a page, style sheet or script that is not one of the three.
func noStrays(fsys fs.FS) error {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return badFile(".", "a folder that can be read")
	}
	for _, e := range entries {
		switch strings.ToLower(path.Ext(e.Name())) {
		case ".html", ".htm", ".css", ".js", ".mjs":
			if !e.IsDir() && !slices.Contains([]string{htmlFile, cssFile, jsFile}, e.Name()) {
				return badFile(printable(e.Name()), "no page, style sheet or script besides "+
					htmlFile+", "+cssFile+" and "+jsFile+" (a bundle has only these)")
			}
		}
	}
	return nil
}
