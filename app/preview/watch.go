package preview

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	settle   = 80 * time.Millisecond  // quiet after which a save counts as whole
	settleBy = 500 * time.Millisecond // for folders that are never quiet
	lookFor  = 500 * time.Millisecond // between attempts to find a folder that went away
)

// watch calls changed after each save until ctx ends, one call at a time, and once
// when it has begun: what was saved before may not have been seen. For a
// file it watches its folder, since most editors save by renaming over it. Where
// the system gives no notice (its instances are used up, a network folder), it looks.
func (s Source) watch(ctx context.Context, log *slog.Logger, changed func()) {
	dir := s.Path
	if s.Kind != Folder {
		dir = filepath.Dir(s.Path)
	}
	w, err := fsnotify.NewWatcher()
	if err == nil {
		if err = w.Add(dir); err != nil {
			w.Close()
		}
	}
	if err != nil {
		log.Info("the system does not tell of saves; the files are looked at", "err", err)
		s.poll(ctx, changed)
		return
	}
	defer w.Close()
	changed()
	f := follower{w: w, dir: dir, source: s, log: log, changed: changed}
	f.run(ctx)
}

// pollEvery is how often files are looked at that nobody tells of.
const pollEvery = 400 * time.Millisecond

// poll looks at names, sizes and times. A save is told once two looks are alike.
func (s Source) poll(ctx context.Context, changed func()) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	told := s.stamp()
	last := told
	changed()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := s.stamp()
		if now == last && now != told {
			told = now
			changed()
		}
		last = now
	}
}

// stamp is another text whenever the source is likely another.
func (s Source) stamp() string {
	var b strings.Builder
	add := func(info fs.FileInfo, err error) {
		if err != nil {
			fmt.Fprintf(&b, "%v;", err)
			return
		}
		fmt.Fprintf(&b, "%s %d %d %v;", info.Name(), info.Size(), info.ModTime().UnixNano(), info.Mode())
	}
	add(os.Stat(s.Path))
	if s.Kind == Folder {
		list, _ := os.ReadDir(s.Path)
		for i, e := range list {
			if i == maxStamped {
				break
			}
			add(e.Info())
		}
	}
	return b.String()
}

// maxStamped bounds a look at a folder that is no bundle's.
const maxStamped = 1000

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
