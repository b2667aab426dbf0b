package lineupws

import (
	"math/rand/v2"
	"testing"

	"github.com/gorilla/websocket"

	"lineup/app/envelope"
)

// A thousand envelopes broken at random, over one connection: each is answered
// by name, unless it is an error itself, and the connection carries on.
func TestRandomMalformed(t *testing.T) {
	const n = 1000
	r := rand.New(rand.NewPCG(5, 6))
	frames := make([][]byte, 0, n)
	answers := make([]*envelope.Error, 0, n)
	for len(frames) < n {
		frame := spoil(r, []byte(message("m1", "hello")))
		if _, err := envelope.Decode(frame); err != nil && err.Type != envelope.TypeError {
			frames, answers = append(frames, frame), append(answers, err)
		}
	}
	done := make(chan bool, 1)
	url := agentServer(t, func(a *fakeAgent) {
		if !a.greet() {
			return
		}
		for i, frame := range frames {
			if err := a.conn.WriteMessage(websocket.TextMessage, frame); err != nil {
				a.t.Errorf("frame %d %q: %v", i, frame, err)
				break
			}
			got, ok := a.readError()
			if !ok {
				break
			}
			want := answers[i]
			if got.Code != string(want.Code) || got.Field != want.Field || got.Expects != want.Expected || got.ReplyTo != want.ID {
				a.t.Errorf("%q: answered %+v, want %v", frame, got, want)
			}
		}
		a.write(message("after", "x"))
		done <- true
		a.drain()
	})
	p := newFakePeer()
	start(t, url, p, nil)
	take(t, "all answers", done)
	if e := take(t, "message", p.got); e.ID != "after" {
		t.Errorf("got %s", e.ID)
	}
	if len(p.bad) != n || len(p.hellos) != 1 {
		t.Errorf("%d malformed, %d connections", len(p.bad), len(p.hellos))
	}
}

// spoil changes, cuts or inserts a few bytes.
func spoil(r *rand.Rand, b []byte) []byte {
	for range 1 + r.IntN(3) {
		i := r.IntN(len(b))
		switch r.IntN(4) {
		case 0:
			b[i] = byte(r.IntN(256))
		case 1:
			b = append(b[:i], b[min(len(b), i+1+r.IntN(10)):]...)
		case 2:
			junk := []string{`{`, `"`, `,`, `null`, `\ud800`, "\x00", "\xff", `"id":"m2",`, `[]`}[r.IntN(9)]
			b = append(b[:i:i], append([]byte(junk), b[i:]...)...)
		case 3:
			b = b[:i+1]
		}
		if len(b) == 0 {
			return b
		}
	}
	return b
}
