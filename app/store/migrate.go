package store

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

type migration struct {
	version   int
	name, sql string
}

var migrationName = regexp.MustCompile(`^(\d{4})_([a-z0-9_]+)\.sql$`)

// migrations reads the files of dir in fsys, in order. A gap, a double number or
// a bad name is a mistake of ours and an error.
func migrations(fsys fs.FS, dir string) ([]migration, error) {
	files, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, fmt.Errorf("store: migrations: %w", err)
	}
	var ms []migration
	for _, f := range files {
		m := migrationName.FindStringSubmatch(f.Name())
		if m == nil {
			return nil, fmt.Errorf("store: migration %q: expected a name like 0001_name.sql", f.Name())
		}
		body, err := fs.ReadFile(fsys, path.Join(dir, f.Name()))
		if err != nil {
			return nil, fmt.Errorf("store: migrations: %w", err)
		}
		v, _ := strconv.Atoi(m[1])
		ms = append(ms, migration{version: v, name: m[2], sql: string(body)})
	}
	slices.SortFunc(ms, func(a, b migration) int { return cmp.Compare(a.version, b.version) })
	for i, m := range ms {
		if m.version != i+1 {
			return nil, fmt.Errorf("store: migration %04d_%s: expected number %04d", m.version, m.name, i+1)
		}
	}
	return ms, nil
}

func (s *Store) migrate(ctx context.Context) error {
	ms, err := migrations(migrationFiles, "migrations")
	if err != nil {
		return err
	}
	return s.migrateTo(ctx, ms)
}

// migrateTo runs the migrations of ms that the file lacks.
func (s *Store) migrateTo(ctx context.Context, ms []migration) error {
	var tables, have int
	if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master`).Scan(&tables); err != nil {
		return fmt.Errorf("store: open: %w", kind(err))
	}
	if tables > 0 {
		if err := s.db.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM schema_version`).Scan(&have); err != nil {
			return fmt.Errorf("%w: no schema version: %w", ErrCorrupt, err)
		}
	}
	if have > len(ms) {
		return fmt.Errorf("%w: its schema is %d, this version knows %d", ErrNewer, have, len(ms))
	}
	for _, m := range ms[have:] {
		if err := s.tx(ctx, func(t *sql.Tx) error { return m.run(ctx, t) }); err != nil {
			return fmt.Errorf("store: migration %04d_%s: %w", m.version, m.name, err)
		}
	}
	return nil
}

func (m migration) run(ctx context.Context, t *sql.Tx) error {
	if m.version == 1 {
		// In the transaction of the first migration: a crash leaves either an
		// empty file, which is new again, or one that is marked as ours.
		_, err := t.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d;
			CREATE TABLE schema_version (
				version    INTEGER PRIMARY KEY,
				name       TEXT NOT NULL,
				applied_at INTEGER NOT NULL -- Unix seconds
			) STRICT`, applicationID))
		if err != nil {
			return err
		}
	}
	if _, err := t.ExecContext(ctx, m.sql); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `INSERT INTO schema_version(version, name, applied_at) VALUES(?, ?, unixepoch())`, m.version, m.name)
	return err
}
