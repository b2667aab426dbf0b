package web

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"maps"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"lineup/weak"
)

const (
	// frameLife is how long an issued document waits for its one GET.
	frameLife = 30 * time.Second
	// maxFrames bounds the documents that wait; each is at most a bundle in size.
	maxFrames = 64
	// framePath is the only path that means anything.
	framePath = "/s/"
	// tokenBytes of randomness make a token: 192 bits.
	tokenBytes = 24
)

// FrameServer is the surface origin: a loopback listener of its own that hands
// out each issued document exactly once and answers everything else with the
// same empty 404 (SANDBOX.md §2). Safe for concurrent use.
type FrameServer struct {
	origin string
	host   string
	server *http.Server
	now    func() time.Time
	served chan struct{} // closed when Serve returned

	mu      sync.Mutex
	waiting map[string]frameDoc // by token
	order   []string            // tokens, oldest first; may name burned ones

	unexpected atomic.Int64
}

type frameDoc struct {
	body    []byte
	header  http.Header
	expires time.Time
}

// NewFrameServer listens on a free loopback port until ctx ends.
func NewFrameServer(ctx context.Context) (*FrameServer, error) {
	return newFrameServer(ctx, time.Now)
}

func newFrameServer(ctx context.Context, now func() time.Time) (*FrameServer, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("surface origin: %w", err)
	}
	host := "127.0.0.1:" + strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	s := &FrameServer{
		origin:  "http://" + host,
		host:    host,
		now:     now,
		served:  make(chan struct{}),
		waiting: map[string]frameDoc{},
	}
	s.server = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       5 * time.Second,
		WriteTimeout:      10 * time.Second,
		IdleTimeout:       30 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          discardLog(),
	}
	go func() {
		defer close(s.served)
		// Always ErrServerClosed or the listener's end; there is nobody to tell.
		_ = s.server.Serve(l)
	}()
	context.AfterFunc(ctx, func() { _ = s.server.Close() })
	return s, nil
}

// Origin is "http://127.0.0.1:PORT", for the host page's frame-src and nothing wider.
func (s *FrameServer) Origin() string { return s.origin }

// Issue keeps doc, with its headers, for one GET of the returned URL within
// 30 s. When too many wait, the oldest is dropped: its frame then shows an
// empty 404 and the host's time limit for ready deals with it.
func (s *FrameServer) Issue(doc []byte, h http.Header) (url, token string) {
	token = newToken()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	for len(s.waiting) >= maxFrames {
		s.dropOldest()
	}
	s.waiting[token] = frameDoc{body: doc, header: h.Clone(), expires: s.now().Add(frameLife)}
	s.order = append(s.order, token)
	return s.origin + framePath + token + "/", token
}

// Burn takes back a document that was not fetched. An unknown token is fine.
func (s *FrameServer) Burn(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.waiting, token)
	s.sweep()
}

// Unexpected counts the requests that were answered 404: on this port nothing
// asks for anything but an issued URL, once. Browsers' favicons included.
func (s *FrameServer) Unexpected() int64 { return s.unexpected.Load() }

// Outstanding is how many documents wait for their GET.
func (s *FrameServer) Outstanding() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	return len(s.waiting)
}

// Closed is closed when the server ended, after the context given to NewFrameServer.
func (s *FrameServer) Closed() <-chan struct{} { return s.served }

// ServeHTTP serves an issued document once.
func (s *FrameServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	doc, ok := s.take(r)
	if !ok {
		s.unexpected.Add(1)
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Length", "0")
		h.Set("Connection", "close")
		w.WriteHeader(http.StatusNotFound)
		return
	}
	h := w.Header()
	maps.Copy(h, doc.header)
	h.Set("Content-Length", strconv.Itoa(len(doc.body)))
	_, _ = w.Write(doc.body) // a frame that went away is no one's error
}

// take finds and burns the document of a request that is exactly what Issue's URL makes a
// browser send: no other method, host, query, encoding or path will do.
func (s *FrameServer) take(r *http.Request) (frameDoc, bool) {
	if r.Method != http.MethodGet || r.Host != s.host || r.ContentLength != 0 {
		return frameDoc{}, false
	}
	// RequestURI is what was sent, before any cleaning or decoding.
	rest, ok := strings.CutPrefix(r.RequestURI, framePath)
	if !ok {
		return frameDoc{}, false
	}
	token, ok := strings.CutSuffix(rest, "/")
	if !ok {
		return frameDoc{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// A map look-up is not constant-time; with 192 random bits and one try per
	// token that tells an attacker nothing useful.
	doc, ok := s.waiting[token]
	if !ok {
		return frameDoc{}, false
	}
	if !weak.OneTimeURL {
		delete(s.waiting, token)
	}
	if s.now().After(doc.expires) {
		return frameDoc{}, false
	}
	return doc, true
}

// sweep drops what expired and forgets burned tokens at the head of the order, so
// memory is bounded by what waits. The caller holds mu.
func (s *FrameServer) sweep() {
	now := s.now()
	for len(s.order) > 0 {
		doc, ok := s.waiting[s.order[0]]
		if ok && !now.After(doc.expires) {
			break
		}
		s.dropOldest()
	}
	if len(s.order) > 4*maxFrames {
		kept := make([]string, 0, len(s.waiting))
		for _, t := range s.order {
			if _, ok := s.waiting[t]; ok {
				kept = append(kept, t)
			}
		}
		s.order = kept
	}
}

func (s *FrameServer) dropOldest() {
	delete(s.waiting, s.order[0])
	s.order = s.order[1:]
}

func newToken() string {
	b := make([]byte, tokenBytes)
	_, _ = rand.Read(b) // never fails, per its documentation
	return base64.RawURLEncoding.EncodeToString(b)
}
