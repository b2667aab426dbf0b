package web

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"strconv"
	"sync/atomic"
	"time"
)

// Canary is a loopback listener that nothing may ever reach. It counts
// connections, not requests: a preconnect that sends no byte is a leak too. The
// start-up probe aims at it, and so do the tests.
type Canary struct {
	url      string
	hits     atomic.Int64
	requests atomic.Int64
}

// NewCanary listens on a free loopback port until ctx ends.
func NewCanary(ctx context.Context) (*Canary, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("canary: %w", err)
	}
	c := &Canary{url: "http://127.0.0.1:" + strconv.Itoa(l.Addr().(*net.TCPAddr).Port) + "/"}
	context.AfterFunc(ctx, func() { _ = l.Close() })
	go c.accept(l)
	return c, nil
}

func (c *Canary) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		c.hits.Add(1)
		go c.listen(conn)
	}
}

// listen waits for a first byte, then closes: the peer learns nothing.
func (c *Canary) listen(conn net.Conn) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	var first [1]byte
	if n, _ := conn.Read(first[:]); n > 0 {
		c.requests.Add(1)
	}
}

// URL is "http://127.0.0.1:PORT/".
func (c *Canary) URL() string { return c.url }

// Hits is how many connections were made so far.
func (c *Canary) Hits() int64 { return c.hits.Load() }

// Requests is how many of them sent anything. Chromium connects ahead of a
// navigation that it then refuses (SANDBOX.md §2): such a connection is silent.
func (c *Canary) Requests() int64 { return c.requests.Load() }

// discardLog keeps net/http from writing what a hostile client sent to stderr.
func discardLog() *log.Logger { return log.New(io.Discard, "", 0) }
