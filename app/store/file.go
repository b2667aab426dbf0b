package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
)

// applicationID marks our files in the SQLite header ("LnUp"), so that another
// program's database is never taken for ours.
const applicationID = 0x4c6e5570

// magic starts every SQLite file.
const magic = "SQLite format 3\x00"

// makeFile makes directory and file with private modes before SQLite does, which
// would follow the umask; its -wal and -shm files take the mode of the data file.
// A directory that is there keeps its mode: it may be the user's own.
func makeFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if !st.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a regular file", ErrForeign, path)
	}
	if st.Size() > 0 {
		head := make([]byte, len(magic))
		if n, _ := f.ReadAt(head, 0); string(head[:n]) != magic {
			return fmt.Errorf("%w: %s has no SQLite header", ErrForeign, path)
		}
	}
	return nil
}

// tighten takes a file that is ours from the eyes of others, if it was copied
// here with a looser mode.
func tighten(path string) error {
	st, err := os.Stat(path)
	if err == nil && st.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// identify refuses another program's database. It looks through a read-only
// connection, because setting up ours already writes to the file; the header alone
// will not do, because after a crash the mark may still be in the -wal file.
func identify(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", dsn(path, "mode=ro"))
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer db.Close()
	var id, tables int64
	err = db.QueryRowContext(ctx,
		`SELECT (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_master)`).Scan(&id, &tables)
	if err != nil {
		return fmt.Errorf("store: open: %w", kind(err))
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return fmt.Errorf("%w: %s is another program's database", ErrForeign, path)
	}
	return nil
}
