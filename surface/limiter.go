package surface

import (
	"time"

	"golang.org/x/time/rate"
)

// The event rate of one instance (PROTOCOL.md §4).
const (
	EventsPerSecond = 60
	EventBurst      = 120
)

// Limiter is the token bucket of one surface instance. What does not fit is
// dropped and counted, never queued: a flood must cost the flooder. It is for
// one goroutine at a time.
type Limiter struct {
	bucket  *rate.Limiter
	now     func() time.Time
	dropped int
}

// NewLimiter returns a full bucket that reads the time from now.
func NewLimiter(now func() time.Time) *Limiter {
	return &Limiter{bucket: rate.NewLimiter(EventsPerSecond, EventBurst), now: now}
}

// Allow takes a token, or counts a drop and returns false.
func (l *Limiter) Allow() bool {
	if l.bucket.AllowN(l.now(), 1) {
		return true
	}
	l.dropped++
	return false
}

// Left is how many would be allowed at once now.
func (l *Limiter) Left() int { return max(0, int(l.bucket.TokensAt(l.now()))) }

// Dropped is how many were not allowed since the limiter was made.
func (l *Limiter) Dropped() int { return l.dropped }
