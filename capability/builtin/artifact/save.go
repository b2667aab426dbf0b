package artifact

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"lineup/capability"
)

// maxCopies is how many files of one name there may be.
const maxCopies = 999

var errTaken = errors.New("artifact: every name is taken")

// save writes content into dir under name, or "name (1).ext" and so on if that
// is taken, and returns the name. The file appears whole or not at all: it is
// written and synced under another name first and then linked, which fails when
// the name is taken, also when somebody takes it at this very moment.
func save(dir, name string, content []byte) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	root, err := os.OpenRoot(dir) // names cannot lead out of it, links neither
	if err != nil {
		return "", err
	}
	defer root.Close()
	tmp, err := write(root, content)
	if err != nil {
		return "", err
	}
	defer root.Remove(tmp)
	stem, ext := split(name)
	for i := range maxCopies + 1 {
		try := name
		if i > 0 {
			try = stem + " (" + strconv.Itoa(i) + ")" + ext
		}
		err := place(root, tmp, try)
		if err == nil {
			syncDir(root)
			return try, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	return "", errTaken
}

// write makes a new temporary file with the content.
func write(root *os.Root, content []byte) (name string, err error) {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	name = ".lineup-" + hex.EncodeToString(b[:]) + ".part"
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return "", errors.Join(err, root.Remove(name))
	}
	return name, nil
}

// place gives the temporary file its name, or fails with fs.ErrExist.
func place(root *os.Root, tmp, name string) error {
	err := link(root, tmp, name)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, serr := root.Lstat(name); serr == nil {
		return fs.ErrExist
	}
	// A file system without links (FAT): take the name with an empty file of
	// our own, then move onto it.
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := root.Rename(tmp, name); err != nil {
		return errors.Join(fmt.Errorf("artifact: name the file: %v", err), root.Remove(name))
	}
	return nil
}

// link is a variable so that a test can take it away.
var link = func(root *os.Root, from, to string) error { return root.Link(from, to) }

// syncDir makes the name durable where folders can be synced.
func syncDir(root *os.Root) {
	if d, err := root.Open("."); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// failure puts an error in our words; the folder is in none of them.
func failure(err error) error {
	code, words := "not_saved", "the file could not be saved"
	switch {
	case errors.Is(err, errTaken):
		code, words = "name_taken", "every variant of this name is taken"
	case errors.Is(err, fs.ErrPermission):
		code, words = "no_permission", "the folder cannot be written"
	case full(err):
		code, words = "disk_full", "the disk is full"
	}
	return &capability.ProviderError{Code: code, Message: words, Err: err}
}
