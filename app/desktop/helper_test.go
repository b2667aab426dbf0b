//go:build desktop && linux && cgo && lineup_driver

package desktop

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// A window is opened once a process, on its main goroutine: the tests start
// this binary again, as the program whose window they look at.
func TestMain(m *testing.M) {
	if os.Getenv("LINEUP_WINDOW_UI") != "" {
		programMain()
		return
	}
	os.Exit(m.Run())
}

// programMain shows a page that mounts one frame, until its stdin ends.
func programMain() {
	ui, surface := os.Getenv("LINEUP_WINDOW_UI"), os.Getenv("LINEUP_WINDOW_SURFACE")
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	page := http.NewServeMux()
	page.HandleFunc("/session.json", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })
	page.HandleFunc("/nil", func(w http.ResponseWriter, _ *http.Request) {
		defer func() { fmt.Fprint(w, "recovered: ", recover() != nil) }()
		var nothing *int
		*nothing = 1
	})
	page.HandleFunc("/page.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, "window.heard = []; addEventListener('message', e => window.heard.push(e.data));")
	})
	page.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		// No connect-src, no frame-src: here the walls of the view stand alone.
		w.Header().Set("Content-Security-Policy", "script-src 'self'")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><title>test page</title><body><script>window.inline = 1</script><script src="/page.js"></script>`)
	})
	err := Run(ctx, Options{
		Page: page, UIAddr: ui, SurfaceAddr: surface, DataDir: os.Getenv("LINEUP_WINDOW_DATA"), GPU: GPUNever,
		OnWebProcessGone: func(reason string) { fmt.Printf("{\"gone\":%q}\n", reason) },
	})
	fmt.Printf("{\"returned\":%q}\n", fmt.Sprint(err))
	if err != nil {
		os.Exit(1)
	}
}

// stage is a running window and everything around it that it might reach.
type stage struct {
	t       *testing.T
	driver  string
	ui      string // where the UI socket would be
	surface string // where frames come from
	canary  string // where nothing may ever arrive
	frame   string // the document of /frame

	stop  func()
	lines chan map[string]string // what the program printed; closed at its end

	mu       sync.Mutex
	arrivals map[string]int // the canary's connections, by the path they asked for
	barrier  chan string
}

const patience = 60 * time.Second

func newStage(t *testing.T) *stage {
	t.Helper()
	if os.Getenv("DISPLAY") == "" {
		t.Fatal("no display: run these tests with build/xvfb.sh")
	}
	s := &stage{t: t, arrivals: map[string]int{}, barrier: make(chan string, 100), lines: make(chan map[string]string, 100)}
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	s.ui = serve(t, func(w http.ResponseWriter, r *http.Request) {
		if socket, err := upgrader.Upgrade(w, r, nil); err == nil {
			_ = socket.WriteMessage(websocket.TextMessage, []byte(r.Header.Get("Origin")))
			socket.Close()
		}
	})
	s.surface = serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/barrier" {
			s.barrier <- r.URL.RawQuery
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, s.frame)
	})
	s.canary = listen(t, s.arrived)

	program := exec.Command(os.Args[0])
	program.Env = append(os.Environ(), "LINEUP_WINDOW_UI="+s.ui, "LINEUP_WINDOW_SURFACE="+s.surface, "LINEUP_WINDOW_DATA="+dataDir(t))
	program.Stderr = os.Stderr
	stdin, err := program.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	s.stop = sync.OnceFunc(func() { stdin.Close() })
	go func() {
		defer close(s.lines)
		for scanner := bufio.NewScanner(stdout); scanner.Scan(); {
			var line map[string]string
			if json.Unmarshal(scanner.Bytes(), &line) == nil {
				s.lines <- line
			}
		}
	}()
	t.Cleanup(func() {
		s.stop()
		killed := time.AfterFunc(patience, func() { _ = program.Process.Kill() })
		_ = program.Wait()
		killed.Stop()
	})
	s.driver = s.printed("driver")
	s.until("the page is up", "document.title === 'test page' && window.heard !== undefined")
	return s
}

// dataDir is a folder that goes when the test does. The web view's processes
// outlive the program by moments and still write to it.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "lineup-window-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for end := time.Now().Add(patience); os.RemoveAll(dir) != nil && time.Now().Before(end); {
			runtime.Gosched()
		}
	})
	return dir
}

func serve(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handle}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	return listener.Addr().String()
}

func listen(t *testing.T, arrived func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go arrived(conn)
		}
	}()
	return listener.Addr().String()
}

// arrived counts a connection; a bare one, such as preconnect makes, as "".
func (s *stage) arrived(conn net.Conn) {
	defer conn.Close()
	s.mu.Lock()
	s.arrivals["any"]++
	s.mu.Unlock()
	line, _ := bufio.NewReader(conn).ReadString('\n')
	if words := strings.Fields(line); len(words) > 1 {
		s.mu.Lock()
		s.arrivals[strings.TrimPrefix(words[1], "/")]++
		s.mu.Unlock()
	}
	// A frame that is led here by an answer without a body stays what it was.
	_, _ = io.WriteString(conn, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
}

func (s *stage) reached() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	copied := map[string]int{}
	for path, count := range s.arrivals {
		copied[path] = count
	}
	return copied
}

// printed waits for the program to print a line with this key.
func (s *stage) printed(key string) string {
	s.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case line, more := <-s.lines:
			if !more {
				s.t.Fatalf("the program ended before it printed %q", key)
			}
			if value, found := line[key]; found {
				return value
			}
		case <-timeout:
			s.t.Fatalf("the program did not print %q", key)
		}
	}
}

func (s *stage) ask(method, path string, in any) []byte {
	s.t.Helper()
	body, _ := json.Marshal(in)
	request, _ := http.NewRequest(method, s.driver+path, bytes.NewReader(body))
	response, err := (&http.Client{Timeout: patience}).Do(request)
	if err != nil {
		s.t.Fatalf("%s: %v", path, err)
	}
	defer response.Body.Close()
	out, _ := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s %s", path, response.Status, out)
	}
	return out
}

// eval is the JSON of what the body of an async function returns in the page.
func (s *stage) eval(js string) string {
	s.t.Helper()
	var out struct {
		Value json.RawMessage
		Error string
	}
	if err := json.Unmarshal(s.ask("POST", "/eval", map[string]string{"js": js}), &out); err != nil {
		s.t.Fatal(err)
	}
	if out.Error != "" {
		return "error: " + out.Error
	}
	return string(out.Value)
}

// until waits for an expression of the page to hold.
func (s *stage) until(what, expression string) {
	s.t.Helper()
	got := ""
	for end := time.Now().Add(patience); time.Now().Before(end); {
		// The pause is in the page; a page that is being replaced answers at once.
		if got = s.eval("if (" + expression + ") return true; await new Promise(r => setTimeout(r, 20)); return false"); got == "true" {
			return
		}
	}
	s.t.Fatalf("%s: not within %v (last: %s)", what, patience, got)
}

// mount puts a sandboxed frame with this document on the page.
func (s *stage) mount(document string) {
	s.t.Helper()
	s.frame = "<!doctype html><meta charset=utf-8><body>" + document
	s.eval(`document.querySelectorAll('iframe').forEach(f => f.remove()); window.heard = [];
		const frame = document.createElement('iframe'); frame.setAttribute('sandbox', 'allow-scripts');
		frame.style.cssText = 'position:fixed;left:0;top:0;width:400px;height:300px;border:0'; frame.src = 'http://` + s.surface + `/frame';
		document.body.append(frame)`)
}
