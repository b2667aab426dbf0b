package app

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// dirs are the folders of one installation; --data puts all of them elsewhere.
type dirs struct {
	data      string // store, keys, the web view's own files
	downloads string // where artifact.save writes
}

func dirsFor(data string) (dirs, error) {
	if data == "" {
		d := dirs{data: filepath.Join(xdg.DataHome, "lineup"), downloads: xdg.UserDirs.Download}
		if d.downloads == "" {
			d.downloads = filepath.Join(xdg.Home, "Downloads")
		}
		return d, os.MkdirAll(d.data, 0o700)
	}
	abs, err := filepath.Abs(data)
	if err != nil {
		return dirs{}, err
	}
	d := dirs{data: abs, downloads: filepath.Join(abs, "downloads")}
	if err := os.MkdirAll(d.data, 0o700); err != nil {
		return dirs{}, fmt.Errorf("the data folder cannot be made: %w", err)
	}
	return d, nil
}

func (d dirs) store() string   { return filepath.Join(d.data, "lineup.db") }
func (d dirs) demo() string    { return filepath.Join(d.data, "demo-agent", "memory.jsonl") }
func (d dirs) webview() string { return filepath.Join(d.data, "webview") }
func (d dirs) control() string { return filepath.Join(d.data, "control.sock") }

// auditKey reads, or makes at first, the key that authenticates the audit log.
func (d dirs) auditKey() ([]byte, error) {
	path := filepath.Join(d.data, "audit.key")
	key, err := os.ReadFile(path)
	if err == nil {
		if len(key) != 32 {
			return nil, fmt.Errorf("%s: expected 32 bytes", filepath.Base(path))
		}
		return key, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	key = make([]byte, 32)
	_, _ = rand.Read(key) // crypto/rand.Read does not fail
	tmp := path + ".new"
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	_, werr := f.Write(key)
	if err := errors.Join(werr, f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	return key, os.Rename(tmp, path)
}
