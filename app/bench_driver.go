//go:build lineup_driver

package app

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"lineup/surface"
)

// benchEnv names the loopback address that a test build serves benchmarks on.
const benchEnv = "LINEUP_BENCH"

// startBench serves what a benchmark cannot have from outside: a bare document on
// the surface origin under the headers of a surface, and the sizes of the processes.
//
//	POST /issue {"doc": html} → {"url"}   to be loaded once
//	GET  /memory → {"heap","rss","web"}   bytes: this program's live heap, its size, and that of its web processes
func (c *core) startBench() {
	addr := os.Getenv(benchEnv)
	if addr == "" {
		return
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		panic("bench: " + err.Error())
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /issue", func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Doc string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_, head := surface.BuildSpare(surface.Frame{Ancestors: c.ancestors})
		url, _ := c.frames.Issue([]byte(in.Doc), head)
		_ = json.NewEncoder(w).Encode(map[string]string{"url": url})
	})
	mux.HandleFunc("GET /memory", func(w http.ResponseWriter, _ *http.Request) {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		_ = json.NewEncoder(w).Encode(map[string]int64{
			"heap": int64(m.HeapAlloc), "rss": resident("-p", strconv.Itoa(os.Getpid())),
			"web": resident("--ppid", strconv.Itoa(os.Getpid())),
		})
	})
	go func() { _ = http.Serve(l, mux) }()
}

func resident(which, pid string) (bytesAll int64) {
	out, _ := exec.Command("ps", which, pid, "-o", "rss=").Output()
	for _, field := range bytes.Fields(out) {
		kb, _ := strconv.ParseInt(string(field), 10, 64)
		bytesAll += kb << 10
	}
	return bytesAll
}
