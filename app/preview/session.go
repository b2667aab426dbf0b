package preview

import (
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"lineup/app/envelope"
)

const (
	subprotocol = "lineup.v1"
	maxFrame    = 1 << 20
	writeWait   = 20 * time.Second
	readWait    = 65 * time.Second // the host pings more often
)

// session is one connection of the host.
type session struct {
	a       *Agent
	conn    *websocket.Conn
	control chan []byte
	ended   chan struct{}
}

func (a *Agent) serveHTTP(w http.ResponseWriter, r *http.Request) {
	got, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case r.URL.Path != "/":
		http.NotFound(w, r)
		return
	case r.Header.Get("Origin") != "": // a web page; an agent's host never sends it
		http.Error(w, "web pages may not connect", http.StatusForbidden)
		return
	case !ok || subtle.ConstantTimeCompare([]byte(got), []byte(a.token)) != 1:
		http.Error(w, "this agent is for the preview that started it", http.StatusUnauthorized)
		return
	case !slices.Contains(websocket.Subprotocols(r), subprotocol):
		http.Error(w, "expected a WebSocket with the subprotocol "+subprotocol, http.StatusBadRequest)
		return
	}
	up := websocket.Upgrader{Subprotocols: []string{subprotocol}, HandshakeTimeout: 10 * time.Second}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	s := &session{a: a, conn: conn, control: make(chan []byte, 16), ended: make(chan struct{})}
	a.mu.Lock()
	if a.closed {
		a.mu.Unlock()
		conn.Close()
		return
	}
	if a.session != nil {
		a.session.conn.Close() // one host, one connection
	}
	a.session = s
	a.work.Add(1)
	a.mu.Unlock()
	defer a.work.Done()
	go func() {
		select {
		case <-a.ctx.Done():
			conn.Close()
		case <-s.ended:
		}
	}()
	s.read()
	close(s.ended)
	conn.Close()
}

// read serves the connection until it breaks.
func (s *session) read() {
	s.conn.SetReadLimit(maxFrame)
	alive := func() { _ = s.conn.SetReadDeadline(time.Now().Add(readWait)) }
	alive()
	ping := s.conn.PingHandler()
	s.conn.SetPingHandler(func(data string) error { alive(); return ping(data) })
	greeted := false
	for {
		_, raw, err := s.conn.ReadMessage()
		if err != nil {
			return
		}
		alive()
		e, bad := envelope.Decode(raw)
		switch {
		case bad != nil:
			s.a.slog.Warn("the host sent what is no envelope", "field", bad.Field, "expected", bad.Expected)
		case e.Type == envelope.TypeHello && !greeted:
			greeted = true
			s.hello(e)
		case e.Type == envelope.TypePing:
			s.say(envelope.TypePong, e.ID, envelope.Pong{})
		case greeted && e.ConversationID != "":
			s.a.receive(e)
		}
	}
}

// say queues an envelope about the connection.
func (s *session) say(t envelope.Type, to envelope.ID, payload any) {
	e, err := envelope.New(t, "", sender, payload)
	if err != nil {
		s.a.slog.Error("preview agent", "err", err)
		return
	}
	e.ID, e.ReplyTo = envelope.ID("c."+secret()), to
	raw, err := e.Encode()
	if err != nil {
		s.a.slog.Error("preview agent", "err", err)
		return
	}
	select {
	case s.control <- raw:
		s.a.mu.Lock()
		s.a.wake()
		s.a.mu.Unlock()
	case <-s.ended:
	case <-s.a.ctx.Done():
	}
}

func (s *session) hello(e envelope.Envelope) {
	h, err := envelope.Payload[envelope.Hello](e)
	if err != nil {
		return // Decode has checked it
	}
	s.say(envelope.TypeReady, e.ID, envelope.Ready{
		Agent: envelope.ReadyAgent{ID: sender.ID, Name: "Preview", Version: "1.0.0"}})
	had := map[envelope.ConversationID]envelope.ID{}
	for _, p := range h.Conversations {
		had[envelope.ConversationID(p.ConversationID)] = envelope.ID(p.LastID)
	}
	s.a.work.Go(func() { s.write(had) })
}

// write sends the conversation's envelopes after the last that the host has,
// and goes on with the next conversation when one is begun.
func (s *session) write(had map[envelope.ConversationID]envelope.ID) {
	var conv envelope.ConversationID
	next := 0
	for {
		s.a.mu.Lock()
		if conv != s.a.conv {
			conv = s.a.conv
			next = 1 + slices.IndexFunc(s.a.out, func(o outgoing) bool { return o.id == had[conv] })
		}
		batch := slices.Clone(s.a.out[min(next, len(s.a.out)):])
		woken := s.a.woken
		s.a.mu.Unlock()
		next += len(batch)
		for raw := s.nextControl(); raw != nil; raw = s.nextControl() {
			if !s.put(raw) {
				return
			}
		}
		for _, o := range batch {
			if !s.put(o.raw) {
				return
			}
		}
		if len(batch) > 0 {
			continue
		}
		select {
		case <-woken:
		case <-s.ended:
			return
		case <-s.a.ctx.Done():
			return
		}
	}
}

func (s *session) nextControl() []byte {
	select {
	case raw := <-s.control:
		return raw
	default:
		return nil
	}
}

func (s *session) put(raw []byte) bool {
	_ = s.conn.SetWriteDeadline(time.Now().Add(writeWait))
	if err := s.conn.WriteMessage(websocket.TextMessage, raw); err != nil {
		s.conn.Close()
		return false
	}
	return true
}

// The directions of a log entry.
const (
	dirUp   = "up"   // from the host
	dirDown = "down" // from the agent
	dirNote = "note" // what happened here
)

// receive takes what the host says in the conversation.
func (a *Agent) receive(e envelope.Envelope) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if e.ConversationID != a.conv || a.seen[e.ID] {
		return
	}
	a.seen[e.ID] = true
	what := string(e.Type)[len(envelope.Prefix):]
	switch e.Type {
	case envelope.TypeUIEvent:
		if p, err := envelope.Payload[envelope.UIEvent](e); err == nil {
			what = "event " + p.Event
			if p.Event == "close" && p.InstanceID == string(InstanceID) {
				a.open = false
			}
			a.log.add(a.now(), dirUp, what, p.Data)
			break
		}
		a.log.add(a.now(), dirUp, what, e.Payload)
	case envelope.TypeUIResult:
		p, err := envelope.Payload[envelope.UIResult](e)
		if err == nil && p.Op == "open" && p.InstanceID == string(InstanceID) && p.Status != "ok" {
			a.open = false
		}
		if err == nil && p.Status == "ok" { // as expected: nothing for the log
			a.taken++
			break
		}
		a.log.add(a.now(), dirUp, what, e.Payload)
	case envelope.TypeCancel:
		a.play.pause()
		a.log.add(a.now(), dirUp, what, nil)
	default:
		a.log.add(a.now(), dirUp, what, e.Payload)
	}
	a.changed()
}

// shown is what the log shows of an envelope: of a bundle its sizes, not itself.
func shown(e envelope.Envelope) json.RawMessage {
	if e.Type != envelope.TypeUIOpen {
		return e.Payload
	}
	p, err := envelope.Payload[envelope.UIOpen](e)
	if err != nil {
		return e.Payload
	}
	raw, err := json.Marshal(map[string]any{
		"instance_id": p.InstanceID, "app": map[string]any{"id": p.App.ID, "version": p.App.Version,
			"html": len(p.App.HTML), "css": len(p.App.CSS), "js": len(p.App.JS)}, "state": orObject(p.State)})
	if err != nil {
		return e.Payload
	}
	return raw
}

func orObject(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	return raw
}
