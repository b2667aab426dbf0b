package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

func TestOpenMakesPrivateFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are access lists there")
	}
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := openAt(t, filepath.Join(dir, "lineup.db"))
	seed(t, s, "a", "c")
	want := map[string]os.FileMode{dir: 0o700, filepath.Dir(dir): 0o700}
	for _, f := range []string{"lineup.db", "lineup.db-wal", "lineup.db-shm"} {
		want[filepath.Join(dir, f)] = 0o600
	}
	for path, mode := range want {
		st, err := os.Stat(path)
		must(t, err)
		if st.Mode().Perm() != mode {
			t.Errorf("%s: mode %o, want %o", path, st.Mode().Perm(), mode)
		}
	}
}

func TestOpenTightensAnExistingFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are access lists there")
	}
	path := filepath.Join(t.TempDir(), "lineup.db")
	must(t, os.WriteFile(path, nil, 0o644)) // an empty file is a new one
	openAt(t, path)
	st, err := os.Stat(path)
	must(t, err)
	if st.Mode().Perm() != 0o600 {
		t.Errorf("mode %o, want 600", st.Mode().Perm())
	}
}

func TestOpenKeepsWhatWasStored(t *testing.T) {
	// Characters that mean something in a URI are in the path on purpose.
	path := filepath.Join(t.TempDir(), "100% a#b?mode=memory 数据", "lineup.db")
	s, err := Open(context.Background(), path)
	must(t, err)
	seed(t, s, "a", "c")
	add(t, s, in("c", "1"), out("c", "2"))
	must(t, s.Close())
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the file is somewhere else: %v", err)
	}
	s = openAt(t, path)
	if got := ids(whole(t, s, "c")); got != "in:1 out:2" {
		t.Errorf("log = %q", got)
	}
	must(t, s.Check(context.Background()))
}

func TestOpenIsDurableAndGuarded(t *testing.T) {
	s := open(t)
	for _, db := range []*sql.DB{s.db, s.read} {
		for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "10000"} {
			var got string
			must(t, db.QueryRow("PRAGMA "+pragma).Scan(&got))
			if got != want {
				t.Errorf("%s = %s, want %s", pragma, got, want)
			}
		}
	}
	if _, err := s.read.Exec(`DELETE FROM setting`); err == nil {
		t.Error("a reading connection can write")
	}
}

func TestOpenRefusesWhatIsNotOurs(t *testing.T) {
	ctx := context.Background()
	write := func(body string) func(*testing.T, string) {
		return func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte(body), 0o600)) }
	}
	exec := func(statements string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", path)
			must(t, err)
			_, err = db.Exec(statements)
			must(t, errors.Join(err, db.Close()))
		}
	}
	ours := func(after string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			s, err := Open(ctx, path)
			must(t, err)
			must(t, s.Close())
			exec(after)(t, path)
		}
	}
	for name, c := range map[string]struct {
		make func(*testing.T, string)
		want error
	}{
		"text":                {write("dear diary"), ErrForeign},
		"one byte":            {write("S"), ErrForeign},
		"another database":    {exec(`CREATE TABLE bookmarks(url)`), ErrForeign},
		"another application": {exec(`PRAGMA application_id = 7`), ErrForeign},
		"a cut header":        {write(magic), ErrCorrupt},
		"a header and noise":  {write(magic + strings.Repeat("\xa5", 8192)), ErrCorrupt},
		"newer":               {ours(`INSERT INTO schema_version VALUES(9999, 'later', 0)`), ErrNewer},
		"no schema version":   {ours(`DROP TABLE schema_version`), ErrCorrupt},
		"a directory":         {func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o700)) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lineup.db")
			c.make(t, path)
			before, _ := os.ReadFile(path)
			s, err := Open(ctx, path)
			if err == nil {
				s.Close()
				t.Fatal("opened")
			}
			if c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("err = %v, want %v", err, c.want)
			}
			if after, _ := os.ReadFile(path); c.want == ErrForeign && string(after) != string(before) {
				t.Error("a foreign file was changed")
			}
		})
	}
}

func TestCheckFindsDamage(t *testing.T) {
	ctx := context.Background()
	build := func(t *testing.T) string {
		path := filepath.Join(t.TempDir(), "lineup.db")
		s, err := Open(ctx, path)
		must(t, err)
		seed(t, s, "a", "c")
		for i := range 40 {
			e := in("c", string(rune('A'+i)))
			e.Env = message("c", string(e.Env.ID), strings.Repeat("words ", 400))
			add(t, s, e)
		}
		must(t, s.IndexText(ctx, "c", "i", "some words to find", t0))
		must(t, s.Check(ctx))
		must(t, s.Close())
		return path
	}
	damage := map[string]func(*testing.T, string){
		"pages overwritten": func(t *testing.T, path string) {
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			must(t, err)
			st, err := f.Stat()
			must(t, err)
			// The second half holds the log; the schema at the start stays readable.
			_, err = f.WriteAt([]byte(strings.Repeat("\x5a", int(st.Size()/4))), st.Size()/2)
			must(t, errors.Join(err, f.Close()))
		},
		"an entry without its conversation": func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", path) // without foreign_keys
			must(t, err)
			_, err = db.Exec(`DELETE FROM conversation`)
			must(t, errors.Join(err, db.Close()))
		},
		"an index without its text": func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", path)
			must(t, err)
			_, err = db.Exec(`DROP TRIGGER doc_update; UPDATE doc SET text = 'other'`)
			must(t, errors.Join(err, db.Close()))
		},
	}
	for name, hurt := range damage {
		t.Run(name, func(t *testing.T) {
			path := build(t)
			hurt(t, path)
			s, err := Open(ctx, path)
			if err == nil {
				err = s.Check(ctx)
				s.Close()
			}
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("err = %v, want ErrCorrupt", err)
			}
		})
	}
}

func TestMigrationsAreNumberedWithoutGaps(t *testing.T) {
	for name, c := range map[string]struct {
		files []string
		ok    bool
	}{
		"in order":    {[]string{"0001_a.sql", "0002_b.sql"}, true},
		"gap":         {[]string{"0001_a.sql", "0003_b.sql"}, false},
		"twice":       {[]string{"0001_a.sql", "0001_b.sql"}, false},
		"no number":   {[]string{"a.sql"}, false},
		"starts late": {[]string{"0002_b.sql"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{}
			for _, f := range c.files {
				files["m/"+f] = &fstest.MapFile{Data: []byte("SELECT 1")}
			}
			_, err := migrations(files, "m")
			if (err == nil) != c.ok {
				t.Errorf("err = %v, want ok = %v", err, c.ok)
			}
		})
	}
	if _, err := migrations(migrationFiles, "migrations"); err != nil {
		t.Errorf("our own: %v", err)
	}
}

func TestAMigrationThatFailsChangesNothing(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c")
	add(t, s, in("c", "1"))
	ms, err := migrations(migrationFiles, "migrations")
	must(t, err)
	known := len(ms)
	ms = append(ms, migration{known + 1, "good", `CREATE TABLE good(x)`},
		migration{known + 2, "bad", `CREATE TABLE half(x); INSERT INTO nowhere VALUES(1)`})
	if err := s.migrateTo(ctx, ms); err == nil || !strings.Contains(err.Error(), "_bad") {
		t.Fatalf("err = %v, want one that names the migration", err)
	}
	var tables, version int
	must(t, s.read.QueryRow(`SELECT count(*) FROM sqlite_master WHERE name IN ('good', 'half')`).Scan(&tables))
	must(t, s.read.QueryRow(`SELECT max(version) FROM schema_version`).Scan(&version))
	if tables != 1 || version != known+1 {
		t.Errorf("%d tables at version %d, want the good one only at %d", tables, version, known+1)
	}
	if got := ids(whole(t, s, "c")); got != "in:1" {
		t.Errorf("log = %q", got)
	}
	ms[known+1].sql = `CREATE TABLE half(x)`
	must(t, s.migrateTo(ctx, ms)) // the next version's fix
	must(t, s.migrateTo(ctx, ms)) // and nothing to do
}

func TestWordsForPeople(t *testing.T) {
	for _, err := range []error{ErrLocked, ErrForeign, ErrCorrupt, ErrNewer, ErrFull} {
		en, ok := Words(errors.Join(errors.New("outer"), err), "en-GB")
		zh, ok2 := Words(err, "zh-CN")
		if !ok || !ok2 || en == zh || !strings.ContainsRune(zh, '。') {
			t.Errorf("%v: %q, %q", err, en, zh)
		}
	}
	if w, ok := Words(ErrNotFound, "en"); ok {
		t.Errorf("words for a caller's mistake: %q", w)
	}
}
