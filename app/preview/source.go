package preview

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lineup/surface"
)

// Kind is the form of what is previewed.
type Kind string

const (
	Folder    Kind = "folder"    // a bundle's folder, with surface.json
	Packed    Kind = "packed"    // a bundle.json
	Recording Kind = "recording" // envelopes, one a line
)

// ErrSource: the path is none of the three.
var ErrSource = errors.New("preview: expected a folder with surface.json, a bundle.json or an envelopes.jsonl")

// Source is where the previewed thing is.
type Source struct {
	Path string // absolute
	Kind Kind
}

// Find tells what is at path. A folder need not have a surface.json yet.
func Find(path string) (Source, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Source{}, ErrSource
	}
	info, err := os.Stat(abs)
	if err != nil {
		return Source{}, err
	}
	s := Source{Path: abs}
	switch ext := strings.ToLower(filepath.Ext(abs)); {
	case info.IsDir():
		s.Kind = Folder
	case ext == ".json":
		s.Kind = Packed
	case ext == ".jsonl" || ext == ".ndjson":
		s.Kind = Recording
	default:
		return Source{}, ErrSource
	}
	return s, nil
}

// Name is what people call it: the last part of its path.
func (s Source) Name() string { return filepath.Base(s.Path) }

// Loaded is one reading of a source.
type Loaded struct {
	Bundle   surface.Bundle // of a folder or packed bundle that is not Broken
	Play     []Recorded     // of a recording
	Skipped  int            // lines of a recording that are not the agent's
	Findings []surface.Finding
}

// Broken reports whether it must not be shown: a finding is an error.
func (l Loaded) Broken() bool {
	for _, f := range l.Findings {
		if f.Severity == surface.LintError {
			return true
		}
	}
	return false
}

// Load reads it now. It never fails: what is wrong is in the findings.
func (s Source) Load() (l Loaded) {
	var err error
	switch s.Kind {
	case Folder:
		l.Bundle, err = loadFolder(s.Path)
	case Packed:
		var raw []byte
		if raw, err = readFile(s.Path, surface.MaxPacked); err == nil {
			l.Bundle, err = surface.DecodeBundle(raw)
		}
	case Recording:
		raw, err := readFile(s.Path, maxRecording)
		if err != nil {
			return Loaded{Findings: []surface.Finding{s.refused(err)}}
		}
		return decodeRecording(s.Name(), raw)
	}
	if err != nil {
		return Loaded{Findings: []surface.Finding{s.refused(err)}}
	}
	l.Findings = surface.Lint(l.Bundle)
	return l
}

// loadFolder reads through a root, so that no link leads out of the folder.
func loadFolder(path string) (surface.Bundle, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return surface.Bundle{}, err
	}
	defer root.Close()
	return surface.LoadBundle(root.FS())
}

// refused makes a finding of what kept the source from being read.
func (s Source) refused(err error) surface.Finding {
	if f, ok := surface.FindingOf(err); ok {
		return f
	}
	f := surface.Finding{Severity: surface.LintError, Code: "unreadable", File: s.Name()}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Code = "missing"
	case errors.Is(err, errTooLong):
		f.Code = "too_long"
	}
	return f
}

var errTooLong = errors.New("preview: the file is too large")

// readFile reads a regular file of at most max bytes.
func readFile(path string, max int) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fs.ErrInvalid // a pipe would make us wait
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, int64(max)+1))
	if err == nil && len(raw) > max {
		return nil, errTooLong
	}
	return raw, err
}
