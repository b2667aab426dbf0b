package preview

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	settle   = 80 * time.Millisecond  // quiet after which a save counts as whole
	settleBy = 500 * time.Millisecond // for folders that are never quiet
	lookFor  = 500 * time.Millisecond // between attempts to find a folder that went away
)

// watch calls changed after each save until ctx ends; one call at a time. For a
// file it watches its folder, since most editors save by renaming over it.
func (s Source) watch(ctx context.Context, log *slog.Logger, changed func()) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	dir := s.Path
	if s.Kind != Folder {
		dir = filepath.Dir(s.Path)
	}
	if err := w.Add(dir); err != nil {
		w.Close()
		return err
	}
	go func() {
		defer w.Close()
		f := follower{w: w, dir: dir, source: s, log: log, changed: changed}
		f.run(ctx)
	}()
	return nil
}

type follower struct {
	w       *fsnotify.Watcher
	dir     string
	source  Source
	log     *slog.Logger
	changed func()
}

func (f *follower) run(ctx context.Context) {
	quiet := time.NewTimer(time.Hour)
	quiet.Stop()
	var since time.Time // of the first change that is not told yet
	lost := time.NewTicker(lookFor)
	defer lost.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-f.w.Events:
			if !ok {
				return
			}
			if !f.concerns(e) {
				continue
			}
			if since.IsZero() {
				since = time.Now()
			}
			quiet.Reset(min(settle, max(0, settleBy-time.Since(since))))
		case err, ok := <-f.w.Errors:
			if !ok {
				return
			}
			// An overflow has lost events: look at everything.
			f.log.Warn("following the files is disturbed", "err", err)
			quiet.Reset(settle)
		case <-quiet.C:
			since = time.Time{}
			f.changed()
		case <-lost.C:
			// A folder that was removed and made again is another folder.
			if len(f.w.WatchList()) == 0 && f.w.Add(f.dir) == nil {
				quiet.Reset(settle)
			}
		}
	}
}

// concerns: of a folder everything but what only reading changes, of a file
// that file.
func (f *follower) concerns(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	return f.source.Kind == Folder || filepath.Clean(e.Name) == f.source.Path || filepath.Clean(e.Name) == f.dir
}
