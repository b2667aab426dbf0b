package lineupws

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/gorilla/websocket"
	"github.com/oklog/ulid/v2"

	"lineup/app/agent"
	"lineup/app/envelope"
)

// Subprotocol is what both sides name in the WebSocket handshake.
const Subprotocol = "lineup.v1"

// Config is what a Link needs. Only URL and Peer must be set.
type Config struct {
	URL  string // ws:// to loopback, or wss://
	Peer agent.Peer

	// Token gives the bearer token at each dial, or "" for none. It is
	// never logged.
	Token func() string

	Dialer  Dialer          // nil: gorilla's, with the checks of this package
	Backoff backoff.BackOff // nil: 0.5 s … 30 s with jitter; used by one goroutine
	Logger  *slog.Logger    // nil: slog.Default

	Sender envelope.Party // of the link's own envelopes; zero: client "desktop"
	NewID  func() envelope.ID
	Now    func() time.Time

	// Zero values stand for the protocol's own figures.
	ReadyWait  time.Duration // from the hello to ready: 10 s
	PingEvery  time.Duration // between WebSocket pings: 20 s
	PongWait   time.Duration // silence after which the connection counts as broken: 45 s
	WriteWait  time.Duration // for one frame to leave: 20 s
	StableWait time.Duration // how long a connection must last for the back-off to start anew: 10 s
}

// Dialer is the part of *websocket.Dialer that a Link uses.
type Dialer interface {
	DialContext(ctx context.Context, url string, header http.Header) (*websocket.Conn, *http.Response, error)
}

func (c Config) withDefaults() Config {
	if c.Token == nil {
		c.Token = func() string { return "" }
	}
	if c.Dialer == nil {
		c.Dialer = newDialer()
	}
	if c.Backoff == nil {
		c.Backoff = &backoff.ExponentialBackOff{
			InitialInterval: 500 * time.Millisecond, RandomizationFactor: 0.3, Multiplier: 2, MaxInterval: 30 * time.Second,
		}
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Sender == (envelope.Party{}) {
		c.Sender = envelope.Party{Kind: envelope.KindClient, ID: "desktop"}
	}
	if c.NewID == nil {
		c.NewID = func() envelope.ID { return envelope.ID(ulid.Make().String()) }
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	def := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	def(&c.ReadyWait, 10*time.Second)
	def(&c.PingEvery, 20*time.Second)
	def(&c.PongWait, 45*time.Second)
	def(&c.WriteWait, 20*time.Second)
	def(&c.StableWait, 10*time.Second)
	return c
}
