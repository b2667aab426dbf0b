package uiapi

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"lineup/weak"
)

// Backend is the host behind the socket.
type Backend interface {
	// Hello is called once a client, after it was let in; the snapshot's Token
	// is filled in by the hub.
	Hello(ctx context.Context, c *Client, p HelloParams) (Snapshot, error)
	// Call carries out one request. Requests of one client come one at a time, in order.
	Call(ctx context.Context, c *Client, method string, params json.RawMessage) (any, error)
	// Render gives the present values of keys for this client; false: nothing to send.
	Render(c *Client, keys []Key) (Update, bool)
	// Gone is called when a client that had said hello is gone.
	Gone(c *Client)
}

// Hub is the UI socket: an http.Handler, and the set of live clients.
type Hub struct {
	backend Backend
	gate    *Gate
	log     *slog.Logger
	hosts   []string
	origins []string

	mu      sync.Mutex
	clients map[*Client]struct{}
}

// NewHub makes the socket's handler. Only requests whose Host is one of hosts
// and whose Origin is one of origins, both compared whole, are taken.
func NewHub(b Backend, g *Gate, hosts, origins []string, log *slog.Logger) *Hub {
	return &Hub{backend: b, gate: g, log: log, hosts: hosts, origins: origins, clients: map[*Client]struct{}{}}
}

// Mark makes keys dirty for every client.
func (h *Hub) Mark(keys ...Key) {
	for _, c := range h.Clients() {
		c.Mark(keys...)
	}
}

// Clients lists the clients that have said hello.
func (h *Hub) Clients() []*Client {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]*Client, 0, len(h.clients))
	for c := range h.clients {
		out = append(out, c)
	}
	return out
}

// Close ends all clients.
func (h *Hub) Close() {
	for _, c := range h.Clients() {
		c.Close()
	}
}

// ServeHTTP upgrades and serves one page until it goes away.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	okHost := slices.Contains(h.hosts, r.Host) || weak.HostCheck
	okOrigin := slices.Contains(h.origins, r.Header.Get("Origin")) || weak.OriginCheck
	h.log.Debug("ui: a knock", "host", r.Host, "origin", r.Header.Get("Origin"), "refused", !okHost || !okOrigin)
	if !okHost || !okOrigin {
		http.Error(w, "forbidden", http.StatusForbidden)
		return
	}
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }, ReadBufferSize: 8 << 10, WriteBufferSize: 32 << 10}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	conn.SetReadLimit(maxFrame)
	ctx, stop := context.WithCancel(context.Background())
	c := &Client{hub: h, conn: conn, ctx: ctx, stop: stop, wake: make(chan struct{}, 1),
		dirty: map[Key]struct{}{}, waiting: map[int64]chan rpcReply{}}
	go func() { <-ctx.Done(); conn.Close() }()
	go c.writeLoop()
	h.read(c)
	stop()
	h.mu.Lock()
	_, known := h.clients[c]
	delete(h.clients, c)
	h.mu.Unlock()
	if known {
		h.backend.Gone(c)
	}
}

func (h *Hub) read(c *Client) {
	_ = c.conn.SetReadDeadline(time.Now().Add(helloTimeout))
	for {
		kind, data, err := c.conn.ReadMessage()
		if err != nil {
			return
		}
		var f frame
		if kind != websocket.TextMessage || json.Unmarshal(data, &f) != nil || f.Version != "2.0" {
			c.send(frame{ID: json.RawMessage("null"), Error: &frameError{Code: -32700, Message: "expected a JSON-RPC 2.0 object"}})
			continue
		}
		switch {
		case f.Method == "ui.pong":
			c.mu.Lock()
			c.pinged = time.Time{}
			c.mu.Unlock()
		case f.Method == "":
			c.answered(f)
		case !c.known(h):
			if f.Method != "ui.hello" || !h.hello(c, f) {
				return
			}
			_ = c.conn.SetReadDeadline(time.Time{})
		default:
			h.call(c, f)
		}
	}
}

func (c *Client) known(h *Hub) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.clients[c]
	return ok
}

func (c *Client) answered(f frame) {
	var id int64
	if json.Unmarshal(f.ID, &id) != nil {
		return
	}
	c.mu.Lock()
	ch := c.waiting[id]
	delete(c.waiting, id)
	c.mu.Unlock()
	if ch == nil {
		return
	}
	r := rpcReply{result: f.Result}
	if f.Error != nil {
		r.err = &Error{Code: RefusedCode}
	}
	ch <- r
}

// hello lets a page in. A refused one gets its answer before the socket closes.
func (h *Hub) hello(c *Client, f frame) bool {
	var p HelloParams
	if err := strict(f.Params, &p); err != nil {
		h.fail(c, f, Bad("params", "HelloParams"))
		return h.drain(c)
	}
	token, ok := h.gate.Enter(p.Ticket, p.Token)
	if !ok {
		h.fail(c, f, Fail(Unauthorized))
		return h.drain(c)
	}
	c.flow.Lock()
	h.mu.Lock()
	h.clients[c] = struct{}{}
	h.mu.Unlock()
	c.mu.Lock()
	c.ready = true // from here on changes are collected, so none falls between snapshot and updates
	c.mu.Unlock()
	snap, err := h.backend.Hello(c.ctx, c, p)
	if err != nil {
		h.fail(c, f, err)
		c.flow.Unlock()
		return h.drain(c)
	}
	snap.Token = token
	h.reply(c, f, snap)
	c.flow.Unlock()
	return true
}

// drain gives the writer a moment to send the refusal, then reports false.
func (h *Hub) drain(c *Client) bool {
	_ = c.conn.SetReadDeadline(time.Now().Add(time.Second))
	_, _, _ = c.conn.ReadMessage() // the page closes on a refusal
	return false
}

func (h *Hub) call(c *Client, f frame) {
	c.flow.Lock()
	defer c.flow.Unlock()
	res, err := h.guarded(c, f)
	if len(f.ID) == 0 { // a notification: nobody to tell
		if err != nil {
			h.log.Warn("ui: a notification was refused", "method", f.Method, "err", err)
		}
		return
	}
	if err != nil {
		h.fail(c, f, err)
		return
	}
	if res == nil {
		res = OK{}
	}
	h.reply(c, f, res)
}

// guarded turns a panic of a handler into an error: one bad request must not
// take the host down.
func (h *Hub) guarded(c *Client, f frame) (res any, err error) {
	defer func() {
		if p := recover(); p != nil {
			h.log.Error("ui: handler panicked", "method", f.Method, "panic", p)
			res, err = nil, Fail(Internal)
		}
	}()
	return h.backend.Call(c.ctx, c, f.Method, f.Params)
}

func (h *Hub) reply(c *Client, f frame, res any) {
	raw, err := json.Marshal(res)
	if err != nil {
		h.fail(c, f, err)
		return
	}
	c.send(frame{ID: f.ID, Result: raw})
}

func (h *Hub) fail(c *Client, f frame, err error) {
	e, ok := asError(err)
	if !ok {
		h.log.Error("ui: request failed", "method", f.Method, "err", err)
		e = Fail(Internal)
	}
	code := -32000
	if e.Code == BadParams {
		code = -32602
	}
	c.send(frame{ID: f.ID, Error: &frameError{Code: code, Message: e.Error(),
		Data: &frameErrorData{Code: e.Code, Field: e.Field, Hint: e.Hint}}})
}

// Decode reads params strictly into T.
func Decode[T any](raw json.RawMessage) (T, error) {
	var v T
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	if err := strict(raw, &v); err != nil {
		return v, Bad("params", err.Error())
	}
	return v, nil
}

func strict(raw json.RawMessage, v any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}
