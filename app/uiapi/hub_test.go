package uiapi

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// racer marks something dirty while it handles a request, and gives the writer
// every chance to send it before the answer.
type racer struct{ rendered chan struct{} }

func (r *racer) Hello(context.Context, *Client, HelloParams) (Snapshot, error) {
	return Snapshot{}, nil
}

func (r *racer) Call(_ context.Context, c *Client, _ string, _ json.RawMessage) (any, error) {
	c.Mark(Key{Kind: KeyAgents})
	select {
	case <-r.rendered:
	case <-time.After(200 * time.Millisecond):
	}
	return OK{}, nil
}

func (r *racer) Render(*Client, []Key) (Update, bool) {
	select {
	case r.rendered <- struct{}{}:
	default:
	}
	return Update{Agents: &[]Agent{}}, true
}

func (r *racer) Gone(*Client) {}

// TestAnswerIsNotOvertaken: what changed while a request was handled is told
// after its answer, which was made before.
func TestAnswerIsNotOvertaken(t *testing.T) {
	srv := httptest.NewUnstartedServer(nil)
	addr := srv.Listener.Addr().String()
	gate := NewGate(nil)
	srv.Config.Handler = NewHub(&racer{make(chan struct{}, 1)}, gate, []string{addr}, []string{"http://" + addr}, slog.Default())
	srv.Start()
	defer srv.Close()
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+addr+"/ui", http.Header{"Origin": {"http://" + addr}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	send := func(s string) {
		if err := conn.WriteMessage(websocket.TextMessage, []byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	next := func() string {
		_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		for {
			_, data, err := conn.ReadMessage()
			if err != nil {
				t.Fatal(err)
			}
			if s := string(data); !strings.Contains(s, "ui.ping") {
				return s
			}
		}
	}
	send(`{"jsonrpc":"2.0","id":1,"method":"ui.hello","params":{"ticket":"` + gate.Ticket() + `","locale":"en"}}`)
	if s := next(); !strings.Contains(s, `"id":1`) {
		t.Fatal(s)
	}
	send(`{"jsonrpc":"2.0","id":2,"method":"x"}`)
	if s := next(); !strings.Contains(s, `"id":2`) {
		t.Fatalf("before the answer came %s", s)
	}
	if s := next(); !strings.Contains(s, "ui.update") {
		t.Fatalf("after the answer came %s", s)
	}
}
