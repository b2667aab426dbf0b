package capabilitytest

import (
	"sort"
	"sync"
	"time"
)

// Clock stands still until Advance.
type Clock struct {
	mu     sync.Mutex
	passed time.Duration
	timers []*timer
}

type timer struct {
	at time.Duration
	f  func()
}

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Now is the start plus what Advance added.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return start.Add(c.passed)
}

// AfterFunc calls f in the Advance that passes d.
func (c *Clock) AfterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &timer{c.passed + d, f}
	c.timers = append(c.timers, t)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		for i, x := range c.timers {
			if x == t {
				c.timers = append(c.timers[:i], c.timers[i+1:]...)
				return true
			}
		}
		return false
	}
}

// Advance moves time on and runs what became due, in order.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	c.passed += d
	var due []*timer
	kept := c.timers[:0]
	for _, t := range c.timers {
		if t.at <= c.passed {
			due = append(due, t)
		} else {
			kept = append(kept, t)
		}
	}
	c.timers = kept
	c.mu.Unlock()
	sort.SliceStable(due, func(i, j int) bool { return due[i].at < due[j].at })
	for _, t := range due {
		t.f()
	}
}
