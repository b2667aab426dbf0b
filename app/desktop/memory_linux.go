//go:build desktop && linux && cgo

package desktop

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// WebKitGTK can limit its web process only through a web context of one's own,
// and Wails makes the view with the default one. So its size is watched from here: a page
// whose surface eats memory is ended before the system is in need.

const (
	memoryEvery = 200 * time.Millisecond
	// The web process of a long conversation with eight surfaces stays far below the least.
	leastMemory = 1 << 30
	mostMemory  = 2 << 30
)

// memoryLimit is a quarter of the machine, within bounds. Bytes.
func memoryLimit(total int64) int64 {
	return min(max(total/4, leastMemory), mostMemory)
}

// watchMemory ends the web process when it grows beyond the limit, until ctx ends.
func (s *session) watchMemory(ctx context.Context, limit int64) {
	tick := time.NewTicker(memoryEvery)
	defer tick.Stop()
	var known []int
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if n%5 == 0 { // a new web process is as small as it gets
			known = webProcesses(os.Getpid())
		}
		for _, pid := range known {
			if residentOf(pid) > limit {
				s.endBecause("memory")
				known = nil
				break
			}
		}
	}
}

// webProcesses lists the web processes that this program started.
func webProcesses(parent int) (pids []int) {
	// Wails' and GTK's threads start them, so each thread's children are looked at.
	lists, _ := filepath.Glob("/proc/" + strconv.Itoa(parent) + "/task/*/children")
	for _, list := range lists {
		raw, err := os.ReadFile(list)
		if err != nil {
			continue // the thread ended
		}
		for _, field := range bytes.Fields(raw) {
			pid, err := strconv.Atoi(string(field))
			if err != nil {
				continue
			}
			name, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
			if err == nil && bytes.HasPrefix(name, []byte("WebKitWebProces")) { // 15 bytes of the name are kept
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// residentOf is how much memory a process takes, in bytes; 0 when it is gone.
func residentOf(pid int) int64 {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(raw)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// machineMemory is the machine's memory in bytes; 0 when it is not told.
func machineMemory() int64 {
	raw, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(raw) {
		fields := bytes.Fields(line)
		if len(fields) >= 2 && string(fields[0]) == "MemTotal:" {
			kb, err := strconv.ParseInt(string(fields[1]), 10, 64)
			if err == nil {
				return kb << 10
			}
		}
	}
	return 0
}
