package store

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The kinds of failure a caller can act on. All others are internal.
var (
	// ErrLocked: another process has this data directory.
	ErrLocked = errors.New("store: the data directory is in use by another process")
	// ErrForeign: the file is not one of ours. It was not touched.
	ErrForeign = errors.New("store: not a LineUp data file")
	// ErrCorrupt: the file is ours, or was, and is damaged.
	ErrCorrupt = errors.New("store: the data file is damaged")
	// ErrNewer: a newer version of the program wrote the file. It was not touched.
	ErrNewer = errors.New("store: the data file was written by a newer version")
	// ErrFull: the disk is full or the quota is used up; nothing was stored.
	ErrFull = errors.New("store: the disk is full")
	// ErrNotFound: the agent, conversation or artifact is not there.
	ErrNotFound = errors.New("store: not found")
	// ErrExists: the id is taken by something else.
	ErrExists = errors.New("store: exists already")
	// ErrTooLarge: the content is over the limit the caller gave.
	ErrTooLarge = errors.New("store: too large")
	// ErrInvalid: an argument that no caller should pass; the text names the field.
	ErrInvalid = errors.New("store: invalid argument")
)

// kind translates what SQLite says into the kinds above, and keeps the cause.
func kind(err error) error {
	var e *sqlite.Error
	if err == nil || !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff { // the low byte is the primary code
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}

func invalid(field, want string) error {
	return fmt.Errorf("%w: %s: expected %s", ErrInvalid, field, want)
}
