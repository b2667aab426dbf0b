package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

type testClock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *testClock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.t }

func (c *testClock) add(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.t = c.t.Add(d) }

func startFrames(t testing.TB) (*FrameServer, *testClock) {
	t.Helper()
	clock := &testClock{t: time.Unix(1_800_000_000, 0)}
	s, err := newFrameServer(t.Context(), clock.now)
	if err != nil {
		t.Fatal(err)
	}
	return s, clock
}

func get(t testing.TB, url string) (int, string, http.Header) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body), resp.Header
}

func TestFrameIsServedOnceWithItsHeaders(t *testing.T) {
	s, _ := startFrames(t)
	url, token := s.Issue([]byte("<p>hello"), http.Header{"Content-Security-Policy": {"default-src 'none'"}, "Content-Type": {"text/html"}})
	if len(token)*6 < 128 || !strings.HasPrefix(url, s.Origin()+"/s/"+token) {
		t.Fatalf("url %q, token %q", url, token)
	}
	status, body, h := get(t, url)
	if status != 200 || body != "<p>hello" || h.Get("Content-Security-Policy") != "default-src 'none'" {
		t.Fatalf("first GET: %d %q %v", status, body, h)
	}
	status, body, h = get(t, url)
	if status != 404 || body != "" || h.Get("Content-Security-Policy") != "" {
		t.Fatalf("second GET: %d %q", status, body)
	}
	if s.Outstanding() != 0 || s.Unexpected() != 1 {
		t.Errorf("outstanding %d, unexpected %d", s.Outstanding(), s.Unexpected())
	}
}

func TestFrameIsServedToOneOfManyAtOnce(t *testing.T) {
	s, _ := startFrames(t)
	url, _ := s.Issue([]byte("x"), nil)
	var served atomic.Int64
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if status, _, _ := get(t, url); status == 200 {
				served.Add(1)
			}
		})
	}
	wg.Wait()
	if served.Load() != 1 {
		t.Errorf("served %d times", served.Load())
	}
}

func TestFrameExpires(t *testing.T) {
	s, clock := startFrames(t)
	url, _ := s.Issue([]byte("x"), nil)
	clock.add(frameLife)
	late, _ := s.Issue([]byte("y"), nil)
	if status, _, _ := get(t, url); status != 200 {
		t.Errorf("at the limit: %d", status)
	}
	clock.add(frameLife + 1)
	if status, _, _ := get(t, late); status != 404 {
		t.Errorf("after the limit: %d", status)
	}
	if n := s.Outstanding(); n != 0 {
		t.Errorf("%d documents kept after they expired", n)
	}
}

func TestBurnedFrameIsGone(t *testing.T) {
	s, _ := startFrames(t)
	url, token := s.Issue([]byte("x"), nil)
	s.Burn(token)
	s.Burn("no such")
	if status, _, _ := get(t, url); status != 404 {
		t.Errorf("status %d", status)
	}
}

func TestOutstandingFramesAreBounded(t *testing.T) {
	s, _ := startFrames(t)
	first, _ := s.Issue([]byte("x"), nil)
	var last string
	for range 10 * maxFrames {
		last, _ = s.Issue([]byte("x"), nil)
	}
	if n := s.Outstanding(); n != maxFrames {
		t.Errorf("%d wait, want %d", n, maxFrames)
	}
	if status, _, _ := get(t, first); status != 404 {
		t.Errorf("the oldest was kept: %d", status)
	}
	if status, _, _ := get(t, last); status != 200 {
		t.Errorf("the newest was dropped: %d", status)
	}
	for range 100 * maxFrames {
		_, token := s.Issue(nil, nil)
		s.Burn(token)
	}
	if len(s.order) > 5*maxFrames {
		t.Errorf("order grew to %d", len(s.order))
	}
}

// rawRequest sends exactly these bytes, which no HTTP client would.
func rawRequest(t testing.TB, s *FrameServer, request string) string {
	t.Helper()
	c, err := net.Dial("tcp", s.host)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func TestOnlyTheExactRequestWorks(t *testing.T) {
	s, _ := startFrames(t)
	_, token := s.Issue([]byte("secret"), nil)
	host := s.host
	port := host[strings.IndexByte(host, ':'):]
	requests := map[string]string{
		"other host":           "GET /s/%s/ HTTP/1.1\r\nHost: evil.example" + port + "\r\n\r\n",
		"localhost":            "GET /s/%s/ HTTP/1.1\r\nHost: localhost" + port + "\r\n\r\n",
		"no port":              "GET /s/%s/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
		"empty host":           "GET /s/%s/ HTTP/1.1\r\nHost: \r\n\r\n",
		"old HTTP":             "GET /s/%s/ HTTP/1.0\r\n\r\n",
		"post":                 "POST /s/%s/ HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 0\r\n\r\n",
		"head":                 "HEAD /s/%s/ HTTP/1.1\r\nHost: " + host + "\r\n\r\n",
		"get with body":        "GET /s/%s/ HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 1\r\n\r\nx",
		"query":                "GET /s/%s/?a HTTP/1.1\r\nHost: " + host + "\r\n\r\n",
		"no slash":             "GET /s/%s HTTP/1.1\r\nHost: " + host + "\r\n\r\n",
		"below":                "GET /s/%s/x HTTP/1.1\r\nHost: " + host + "\r\n\r\n",
		"double slash":         "GET //s/%s/ HTTP/1.1\r\nHost: " + host + "\r\n\r\n",
		"dots":                 "GET /x/../s/%s/ HTTP/1.1\r\nHost: " + host + "\r\n\r\n",
		"encoded":              "GET /%%73/%s/ HTTP/1.1\r\nHost: " + host + "\r\n\r\n",
		"other host, absolute": "GET http://evil.example/s/%s/ HTTP/1.1\r\nHost: " + host + "\r\n\r\n",
	}
	for name, request := range requests {
		line := rawRequest(t, s, fmt.Sprintf(request, token))
		if strings.Contains(line, " 200 ") {
			t.Errorf("%s: %s", name, line)
		}
	}
	if line := rawRequest(t, s, "GET /s/"+token+"/ HTTP/1.1\r\nHost: "+host+"\r\n\r\n"); !strings.Contains(line, " 200 ") {
		t.Errorf("the exact request after all the others: %s", line)
	}
}

func TestFrameServerEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := NewFrameServer(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-s.Closed()
	if c, err := net.Dial("tcp", s.host); err == nil {
		c.Close()
		t.Error("still listening")
	}
}

func TestCanaryCountsConnections(t *testing.T) {
	c, err := NewCanary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(c.URL(), "http://"), "/"))
		if err != nil {
			t.Fatal(err)
		}
		// The canary closes: once that is seen it has counted.
		_, _ = io.ReadAll(conn)
		conn.Close()
	}
	if c.Hits() != 3 || c.Requests() != 0 {
		t.Errorf("hits %d, requests %d", c.Hits(), c.Requests())
	}
	if resp, err := http.Get(c.URL()); err == nil {
		resp.Body.Close()
		t.Error("the canary answered")
	}
	if c.Hits() < 4 || c.Requests() < 1 {
		t.Errorf("after a request: hits %d, requests %d", c.Hits(), c.Requests())
	}
}

func FuzzFrameRequest(f *testing.F) {
	for _, seed := range [][3]string{
		{"GET", "/s/AAAA/", ""}, {"PUT", "/s//", "h"}, {"GET", "/s/../s/", "127.0.0.1"}, {"OPTIONS", "*", "x"},
		{"GET", "/s/%00/", "127.0.0.1:1"}, {"CONNECT", "a:1", "a:1"}, {"GET", "", ""},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	s, _ := startFrames(f)
	_, token := s.Issue([]byte("secret"), nil)
	f.Fuzz(func(t *testing.T, method, uri, host string) {
		if strings.Contains(uri, token) {
			t.Skip("it was told the token")
		}
		if host == "" {
			host = s.host // else nothing behind the host check is reached
		}
		r := httptest.NewRequest("GET", "/", nil)
		r.Method, r.RequestURI, r.Host = method, uri, host
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != 404 || w.Body.Len() != 0 {
			t.Errorf("%q %q %q: %d %q", method, uri, host, w.Code, w.Body)
		}
	})
}
