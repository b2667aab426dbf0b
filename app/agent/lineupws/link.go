package lineupws

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"lineup/app/agent"
)

// Link is a wanted connection to one agent. Make it with New.
type Link struct {
	cfg   Config
	retry chan struct{} // holds one

	mu     sync.Mutex
	hangUp context.CancelFunc // ends the present connection; nil: there is none
}

var _ agent.Link = (*Link)(nil)

// New makes a link that does nothing before Run.
func New(cfg Config) *Link {
	return &Link{cfg: cfg.withDefaults(), retry: make(chan struct{}, 1)}
}

// Retry tries at once if the link is waiting to reconnect or was refused, and
// does nothing otherwise. It does not block.
func (l *Link) Retry() {
	select {
	case l.retry <- struct{}{}:
	default:
	}
}

// Drop ends the present connection, which is then dialled again like one that
// broke. It does nothing if there is none, and does not block.
func (l *Link) Drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hangUp != nil {
		l.hangUp()
	}
}

// Run dials, serves and dials again until ctx ends; then it returns nil. It is
// called once.
func (l *Link) Run(ctx context.Context) error {
	defer l.changed(agent.State{Phase: agent.Offline})
	for ctx.Err() == nil {
		l.changed(agent.State{Phase: agent.Connecting})
		lasted, err := l.connection(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if lasted >= l.cfg.StableWait {
			l.cfg.Backoff.Reset()
		}
		select {
		case <-l.retry: // pressed while there was nothing to retry
		default:
		}
		var refused *agent.RefusedError
		if errors.As(err, &refused) {
			l.cfg.Logger.Warn("agent refused", "code", refused.Code)
			l.changed(agent.State{Phase: agent.Refused, Code: refused.Code})
			l.pause(ctx, nil)
			continue
		}
		wait := l.cfg.Backoff.NextBackOff()
		if wait == backoff.Stop {
			wait = 30 * time.Second
		}
		code := agent.Unreachable
		if errors.Is(err, errNoReady) {
			code = agent.NotLineup
		}
		l.cfg.Logger.Info("agent connection ended", "code", code, "again_in", wait)
		timer := time.NewTimer(wait)
		l.changed(agent.State{Phase: agent.Reconnecting, RetryAt: l.cfg.Now().Add(wait), Code: code})
		l.pause(ctx, timer.C)
		timer.Stop()
	}
	return nil
}

// pause waits for the timer (nil: for ever), Retry or the end of ctx. Someone
// who asked for a retry starts the back-off anew.
func (l *Link) pause(ctx context.Context, timer <-chan time.Time) {
	select {
	case <-ctx.Done():
	case <-timer:
	case <-l.retry:
		l.cfg.Backoff.Reset()
	}
}

func (l *Link) changed(s agent.State) { l.cfg.Peer.Changed(s) }

// connection is one connection from dial to break. It says how long the
// session lasted since ready.
func (l *Link) connection(ctx context.Context) (lasted time.Duration, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l.setHangUp(cancel)
	defer l.setHangUp(nil)
	conn, err := l.dial(ctx)
	if err != nil {
		return 0, err
	}
	s := newSession(l.cfg, conn)
	err = s.run(ctx)
	if !s.readyAt.IsZero() {
		lasted = l.cfg.Now().Sub(s.readyAt)
	}
	return lasted, err
}

func (l *Link) setHangUp(f context.CancelFunc) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hangUp = f
}
