package preview

import (
	"time"
)

// MaxSpeed is the fastest that a recording plays, short of 0 (at once).
const MaxSpeed = 100

// atOnce bounds what is sent in one go, so that a pause can get in between.
const atOnce = 64

// player is where a recording is. Agent guards it.
type player struct {
	speed   float64
	playing bool // wanted; at the end it stays so, and a restart plays again
	next    int  // index of the envelope to be sent
	count   int
	replay  *replay
	timer   *time.Timer
	round   int // a timer of an earlier one means nothing
	after   func(time.Duration, func()) *time.Timer
}

func (p *player) rewind(count, run int) {
	p.stop()
	p.next, p.count, p.replay = 0, count, newReplay(run)
}

func (p *player) stop() {
	p.round++
	if p.timer != nil {
		p.timer.Stop()
	}
}

func (p *player) pause() {
	p.stop()
	p.playing = false
}

// advance sends what is due and sets the timer for the rest. With a.mu held.
func (a *Agent) advance() {
	p := &a.play
	p.stop()
	if a.conv == "" {
		return
	}
	for n := 0; p.playing && p.next < p.count; n++ {
		wait := time.Duration(0)
		if p.speed > 0 && p.next > 0 {
			wait = time.Duration(float64(a.good.Play[p.next].After) / p.speed)
		}
		if wait > 0 || n >= atOnce {
			round := p.round
			p.timer = p.after(max(wait, time.Millisecond), func() { a.due(round) })
			return
		}
		a.playOne()
	}
}

// due is the timer's: the envelope is sent, then what follows.
func (a *Agent) due(round int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed || round != a.play.round || !a.play.playing {
		return
	}
	a.playOne()
	a.advance()
	a.changed()
}

// playOne sends the next recorded envelope.
func (a *Agent) playOne() {
	p := &a.play
	if p.next >= p.count {
		return
	}
	rec := a.good.Play[p.next]
	p.next++
	e, err := p.replay.envelope(p.next, rec, a.conv)
	if err == nil {
		err = a.post(e)
	}
	if err != nil {
		a.slog.Warn("a recorded envelope cannot be sent", "line", rec.Line, "err", err)
	}
}

// Play goes on with the recording, Pause holds it, Step sends one envelope.
func (a *Agent) Play() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.play.playing = true
	a.advance()
	a.changed()
}

func (a *Agent) Pause() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.play.pause()
	a.changed()
}

func (a *Agent) Step() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.play.pause()
	if a.conv != "" {
		a.playOne()
	}
	a.changed()
}

// SetSpeed takes 0 to MaxSpeed.
func (a *Agent) SetSpeed(speed float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.play.speed = min(max(speed, 0), MaxSpeed)
	if a.play.playing {
		a.advance()
	}
	a.changed()
}
