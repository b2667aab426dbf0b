package uiapi

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const (
	maxFrame     = 2 << 20 // bytes of one page → host frame: a 1 MiB message, JSON-escaped
	helloTimeout = 5 * time.Second
	writeTimeout = 20 * time.Second
	pingEvery    = 250 * time.Millisecond
	// A page draws at most this often; changes in between are sent as one.
	minInterval = 8 * time.Millisecond
	maxKeys     = 256 // keys in one update
)

// Client is one page's socket. Its methods are safe for concurrent use.
type Client struct {
	hub  *Hub
	conn *websocket.Conn
	ctx  context.Context
	stop context.CancelFunc

	// Page is for the backend: what this page has open and has been sent.
	// It is touched by backend code only, under the backend's own lock.
	Page any

	wake chan struct{}

	// flow is held while a request is handled and answered, and while an update
	// is rendered and written: an answer is never overtaken by an update that
	// was made after it, nor the other way round.
	flow sync.Mutex

	mu      sync.Mutex
	ready   bool
	queue   [][]byte // responses and requests; bounded by what the page asks, one at a time
	dirty   map[Key]struct{}
	order   []Key
	seq     int64 // under flow
	nextID  int64
	waiting map[int64]chan rpcReply
	pinged  time.Time // when the oldest unanswered ping went out
}

type rpcReply struct {
	result json.RawMessage
	err    error
}

type frame struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *frameError     `json:"error,omitempty"`
}

type frameError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    *frameErrorData `json:"data,omitempty"`
}

type frameErrorData struct {
	Code  Code   `json:"code"`
	Field string `json:"field,omitempty"`
	Hint  string `json:"hint,omitempty"`
}

// ErrGone is returned by Ask when the page went away before it answered.
var ErrGone = errors.New("the page is gone")

// Mark makes keys dirty; the page gets their values soon.
func (c *Client) Mark(keys ...Key) {
	c.mu.Lock()
	if c.ready {
		for _, k := range keys {
			if _, ok := c.dirty[k]; !ok {
				c.dirty[k] = struct{}{}
				c.order = append(c.order, k)
			}
		}
	}
	c.mu.Unlock()
	c.signal()
}

// Forget takes keys that match off the dirty set.
func (c *Client) Forget(match func(Key) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	keep := c.order[:0]
	for _, k := range c.order {
		if match(k) {
			delete(c.dirty, k)
		} else {
			keep = append(keep, k)
		}
	}
	c.order = keep
}

// Close ends the socket.
func (c *Client) Close() { c.stop() }

// Ask sends a request to the page and waits for its answer, ctx, or the end
// of the socket.
func (c *Client) Ask(ctx context.Context, method string, params, result any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	ch := make(chan rpcReply, 1)
	c.mu.Lock()
	c.nextID++
	id := c.nextID
	c.waiting[id] = ch
	idRaw, _ := json.Marshal(id)
	b, _ := json.Marshal(frame{Version: "2.0", ID: idRaw, Method: method, Params: raw})
	c.queue = append(c.queue, b)
	c.mu.Unlock()
	c.signal()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	select {
	case r := <-ch:
		if r.err != nil || result == nil {
			return r.err
		}
		return json.Unmarshal(r.result, result)
	case <-ctx.Done():
		return ctx.Err()
	case <-c.ctx.Done():
		return ErrGone
	}
}

func (c *Client) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *Client) send(f frame) {
	f.Version = "2.0"
	b, err := json.Marshal(f)
	if err != nil {
		return
	}
	c.mu.Lock()
	c.queue = append(c.queue, b)
	c.mu.Unlock()
	c.signal()
}

// take returns what to write next: queued frames, and at most one update.
func (c *Client) take() (frames [][]byte, keys []Key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	frames, c.queue = c.queue, nil
	n := min(len(c.order), maxKeys)
	keys = append(keys, c.order[:n]...)
	c.order = c.order[:copy(c.order, c.order[n:])]
	for _, k := range keys {
		delete(c.dirty, k)
	}
	return frames, keys
}

func (c *Client) writeLoop() {
	defer c.stop()
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	var last time.Time
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-ping.C:
			if !c.sendPing() {
				return
			}
			continue
		case <-c.wake:
		}
		for {
			some, ok := c.flush()
			if !ok {
				return
			}
			if !some {
				break
			}
			if wait := minInterval - time.Since(last); wait > 0 {
				t := time.NewTimer(wait)
				select {
				case <-c.ctx.Done():
					t.Stop()
					return
				case <-t.C:
				}
			}
			last = time.Now()
		}
	}
}

// flush writes what is queued and one update; some is false when no key was
// dirty, ok when the socket is gone.
func (c *Client) flush() (some, ok bool) {
	c.flow.Lock()
	defer c.flow.Unlock()
	frames, keys := c.take()
	for _, f := range frames {
		if !c.write(f) {
			return false, false
		}
	}
	if len(keys) == 0 {
		return false, true
	}
	u, changed := c.hub.backend.Render(c, keys)
	if !changed {
		return true, true
	}
	c.seq++
	u.Seq = c.seq
	params, err := json.Marshal(u)
	if err != nil {
		c.hub.log.Error("ui: update cannot be encoded", "err", err)
		return true, true
	}
	b, _ := json.Marshal(frame{Version: "2.0", Method: "ui.update", Params: params})
	return true, c.write(b)
}

func (c *Client) sendPing() bool {
	c.mu.Lock()
	if c.ready && c.pinged.IsZero() {
		c.pinged = time.Now()
	}
	c.mu.Unlock()
	return c.write([]byte(`{"jsonrpc":"2.0","method":"ui.ping","params":{"n":1}}`))
}

// Silent is how long the page has left a ping unanswered.
func (c *Client) Silent() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pinged.IsZero() {
		return 0
	}
	return time.Since(c.pinged)
}

// Excuse starts the count of Silent anew: it was not the page that stood still.
func (c *Client) Excuse() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.pinged.IsZero() {
		c.pinged = time.Now()
	}
}

func (c *Client) write(b []byte) bool {
	_ = c.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	return c.conn.WriteMessage(websocket.TextMessage, b) == nil
}
