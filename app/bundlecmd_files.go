package app

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"lineup/surface"
)

// loadFolder reads a bundle's folder; links that leave it are not followed.
func loadFolder(dir string) (surface.Bundle, error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return surface.Bundle{}, &exit{exitUntried, bundleSay("not_folder", dir)}
	}
	if err != nil {
		return surface.Bundle{}, unreadable(dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return surface.Bundle{}, unreadable(dir, err)
	}
	defer root.Close()
	b, err := surface.LoadBundle(root.FS())
	if err != nil {
		return b, refusedBundle(dir, err)
	}
	return b, nil
}

func loadPacked(file string) (surface.Bundle, error) {
	raw, err := readUpTo(file, surface.MaxPacked)
	if err != nil {
		return surface.Bundle{}, err
	}
	b, err := surface.DecodeBundle(raw)
	if err != nil {
		return b, refusedBundle(file, err)
	}
	return b, nil
}

func loadEither(path string) (surface.Bundle, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return loadFolder(path)
	}
	return loadPacked(path)
}

// maxSmall bounds keys and signatures, in bytes.
const maxSmall = 8 << 10

func readSmall(file string) ([]byte, error) {
	raw, err := readUpTo(file, maxSmall)
	if err == nil && len(raw) > maxSmall {
		err = &exit{exitUntried, bundleSay("too_long", file)}
	}
	return raw, err
}

// readUpTo reads a regular file, and at most one byte more than max of it, so
// that the caller sees that it is too long.
func readUpTo(file string, max int64) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	if !info.Mode().IsRegular() { // a pipe would wait for its other end
		return nil, &exit{exitUntried, bundleSay("not_file", file)}
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	defer in.Close()
	raw, err := io.ReadAll(io.LimitReader(in, max+1))
	if err != nil {
		return nil, unreadable(file, err)
	}
	return raw, nil
}

func unreadable(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &exit{exitUntried, bundleSay("missing", path)}
	case errors.Is(err, fs.ErrPermission):
		return &exit{exitUntried, bundleSay("forbidden", path)}
	}
	return &exit{exitUntried, bundleSay("unreadable", path, err.Error())}
}

// replaceFile writes a whole file or leaves what was there.
func replaceFile(path string, data []byte) error {
	unwritable := func(err error) error { return &exit{exitUntried, bundleSay("unwritable", path, err.Error())} }
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return &exit{exitUntried, bundleSay("not_file", path)}
		}
		mode = info.Mode().Perm()
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".bundle-*")
	if err != nil {
		return unwritable(err)
	}
	defer os.Remove(tmp.Name()) // gone already if all went well
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(mode), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return unwritable(err)
	}
	return nil
}
