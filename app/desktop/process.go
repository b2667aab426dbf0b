//go:build desktop && linux && cgo

package desktop

// #include "view.h"
import "C"

import (
	"net/http"
	"sync"
	"time"
)

//export lineupMessage
func lineupMessage(text *C.char) {
	s := running.Load()
	message := C.GoString(text)
	noteMessage(message)
	if s != nil && s.options.OnMessage != nil {
		s.options.OnMessage(message)
	}
}

//export lineupProcessGone
func lineupProcessGone(reason C.int) {
	s := running.Load()
	if s == nil {
		return
	}
	word := "crashed"
	switch reason {
	case C.WEBKIT_WEB_PROCESS_EXCEEDED_MEMORY_LIMIT:
		word = "memory"
	case C.WEBKIT_WEB_PROCESS_TERMINATED_BY_API:
		word = "ended"
		if why := s.why.Swap(nil); why != nil {
			word = *why
		}
	}
	time.AfterFunc(s.revival.wait(time.Now()), s.window.ReloadPage)
	if s.options.OnWebProcessGone != nil {
		go s.options.OnWebProcessGone(word)
	}
}

// endBecause ends the web process for a reason that OnWebProcessGone is told.
func (s *session) endBecause(why string) {
	s.why.Store(&why)
	s.window.TerminateWebProcess()
}

// revival says how long to wait before the page is loaded again: not at all,
// unless the process dies as fast as it is started.
type revival struct {
	mu     sync.Mutex
	recent []time.Time
}

const (
	revivalWindow = 30 * time.Second
	revivalFree   = 3
	revivalPause  = 2 * time.Second // keeps "back within 6 s"
)

func (r *revival) wait(now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.recent) > 0 && now.Sub(r.recent[0]) > revivalWindow {
		r.recent = r.recent[1:]
	}
	r.recent = append(r.recent, now)
	if len(r.recent) > revivalFree {
		r.recent = r.recent[1:]
		return revivalPause
	}
	return 0
}

// noteStarted takes the mark of an unfinished start away once the page has got
// so far as to ask for its session.
func (s *session) noteStarted(page http.Handler) http.Handler {
	var once sync.Once
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/session.json" {
			once.Do(func() { clearStart(s.options.DataDir) })
		}
		page.ServeHTTP(w, r)
	})
}
