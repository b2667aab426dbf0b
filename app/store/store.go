package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// Store is an open data file.
type Store struct {
	db   *sql.DB // the one writer
	read *sql.DB // the readers; query_only

	insert, touch *sql.Stmt // of Append, on db
}

// readers is how many reads may run at once; more wait. SQLite reads are short
// here (pages, not whole conversations), so a few are enough.
const readers = 4

// Open opens the data file at path and brings its schema up to date; a missing
// file is made with mode 0600, a missing directory with 0700. Errors: ErrForeign,
// ErrCorrupt, ErrNewer, ErrFull, or the operating system's.
func Open(ctx context.Context, path string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := makeFile(path); err != nil {
		return nil, err
	}
	if err := identify(ctx, path); err != nil {
		return nil, err
	}
	if err := tighten(path); err != nil {
		return nil, err
	}
	s := &Store{}
	if s.db, err = sql.Open("sqlite", dsn(path, "_txlock=immediate", ours)); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s.db.SetMaxOpenConns(1)
	if s.read, err = sql.Open("sqlite", dsn(path, "_pragma=query_only(1)", ours)); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), s.db.Close())
	}
	s.read.SetMaxOpenConns(readers)
	s.read.SetMaxIdleConns(readers)
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// ours is how connections to a file that is ours are set up.
const ours = "_pragma=foreign_keys(1)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
	"&_pragma=checkpoint_fullfsync(1)&_pragma=journal_size_limit(67108864)"

func dsn(path string, options ...string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // a Windows drive: file:///C:/…
	}
	u := url.URL{Scheme: "file", Path: p}
	return u.String() + "?_pragma=busy_timeout(10000)&" + strings.Join(options, "&")
}

// Close waits for running calls and closes the file.
func (s *Store) Close() error {
	return errors.Join(s.read.Close(), s.db.Close())
}

// Check reads the whole file and verifies its structure, its references and the
// search index. It takes time in proportion to the file, and holds up writes only
// for the search index. ErrCorrupt says what was found first.
func (s *Store) Check(ctx context.Context) error {
	var found string
	if err := s.read.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&found); err != nil {
		return fmt.Errorf("store: check: %w", kind(err))
	}
	if found != "ok" {
		return fmt.Errorf("%w: %s", ErrCorrupt, found)
	}
	var table string
	err := s.read.QueryRowContext(ctx, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`).Scan(&table)
	if err == nil {
		return fmt.Errorf("%w: table %s refers to a row that is not there", ErrCorrupt, table)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("store: check: %w", kind(err))
	}
	if _, err := s.db.ExecContext(ctx, `INSERT INTO search(search, rank) VALUES('integrity-check', 1)`); err != nil {
		return fmt.Errorf("store: check the search index: %w", kind(err))
	}
	return nil
}

// tx runs fn in a write transaction and commits if it returns nil. fn must use
// the Tx only: s.db has one connection, which the transaction holds.
func (s *Store) tx(ctx context.Context, fn func(*sql.Tx) error) error {
	t, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("store: begin: %w", kind(err))
	}
	defer t.Rollback() // after Commit this does nothing
	if err := fn(t); err != nil {
		return kind(err)
	}
	if err := t.Commit(); err != nil {
		return fmt.Errorf("store: commit: %w", kind(err))
	}
	return nil
}

// change runs one write statement and gives ErrNotFound if it changed no row.
func (s *Store) change(ctx context.Context, what, query string, args ...any) error {
	return s.tx(ctx, func(t *sql.Tx) error {
		r, err := t.ExecContext(ctx, query, args...)
		if err != nil {
			return fmt.Errorf("store: %s: %w", what, err)
		}
		n, err := r.RowsAffected()
		if err != nil {
			return fmt.Errorf("store: %s: %w", what, err)
		}
		if n == 0 {
			return fmt.Errorf("%w: %s", ErrNotFound, what)
		}
		return nil
	})
}

// toDB and fromDB carry times as microseconds since 1970, with 0 for "unset".
func toDB(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromDB(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}
