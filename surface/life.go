package surface

// Phase is where a surface's frame is in its life on one page.
type Phase string

const (
	// PhaseNone: no card of the surface is on the page, or it may not be shown yet.
	PhaseNone Phase = ""
	// PhaseOpening: the page has a frame that has not said ready.
	PhaseOpening Phase = "opening"
	// PhaseLive: the frame runs.
	PhaseLive Phase = "live"
	// PhaseAsleep: no frame, to spare the machine; it wakes with its state.
	PhaseAsleep Phase = "asleep"
	// PhaseStopped: no frame until the user starts it again.
	PhaseStopped Phase = "stopped"
	// PhaseClosed is the end.
	PhaseClosed Phase = "closed"
)

// LifeEvent is what can happen to a surface on a page.
type LifeEvent string

const (
	LifeMount    LifeEvent = "mount"    // a frame was given to its card
	LifeFull     LifeEvent = "full"     // its card is there, but too many others are live
	LifeReady    LifeEvent = "ready"    // the frame said ready
	LifeLate     LifeEvent = "late"     // it did not, in ReadyWithin
	LifeIdle     LifeEvent = "idle"     // out of sight for a while
	LifeYield    LifeEvent = "yield"    // another one needs its place
	LifeNavigate LifeEvent = "navigate" // a frame of it left its document, on this page or another
	LifeHang     LifeEvent = "hang"     // the page or the frame stopped answering while it ran, here or elsewhere
	LifeCrash    LifeEvent = "crash"    // the web process ended while it ran, here or elsewhere
	LifeRestart  LifeEvent = "restart"  // the user starts it again; LifeMount follows
	LifeLeave    LifeEvent = "leave"    // its card or the whole page is gone
	LifeSeal     LifeEvent = "seal"     // surfaces may not be shown now: the sandbox is being probed, or failed
	LifeClose    LifeEvent = "close"    // closed or replaced
)

// life is the whole machine. An event that a phase does not list changes nothing:
// it is late news of a frame that is gone.
var life = map[Phase]map[LifeEvent]Phase{
	PhaseNone: {
		LifeMount: PhaseOpening, LifeFull: PhaseAsleep,
		LifeNavigate: PhaseStopped, LifeHang: PhaseStopped, LifeCrash: PhaseStopped,
		LifeClose: PhaseClosed,
	},
	PhaseOpening: {
		LifeReady: PhaseLive, LifeLate: PhaseStopped, LifeIdle: PhaseAsleep, LifeYield: PhaseAsleep,
		LifeNavigate: PhaseStopped, LifeHang: PhaseStopped, LifeCrash: PhaseStopped,
		LifeRestart: PhaseNone, LifeLeave: PhaseNone, LifeSeal: PhaseNone, LifeClose: PhaseClosed,
	},
	PhaseLive: {
		LifeIdle: PhaseAsleep, LifeYield: PhaseAsleep,
		LifeNavigate: PhaseStopped, LifeHang: PhaseStopped, LifeCrash: PhaseStopped,
		LifeRestart: PhaseNone, LifeLeave: PhaseNone, LifeSeal: PhaseNone, LifeClose: PhaseClosed,
	},
	PhaseAsleep: {
		LifeMount:    PhaseOpening,
		LifeNavigate: PhaseStopped, LifeHang: PhaseStopped, LifeCrash: PhaseStopped,
		LifeRestart: PhaseNone, LifeLeave: PhaseNone, LifeSeal: PhaseNone, LifeClose: PhaseClosed,
	},
	PhaseStopped: {
		LifeRestart: PhaseNone, LifeLeave: PhaseStopped, LifeClose: PhaseClosed,
	},
	PhaseClosed: {},
}

// Next is the phase after an event; false when the event means nothing in p.
func (p Phase) Next(e LifeEvent) (Phase, bool) {
	next, ok := life[p][e]
	if !ok {
		return p, false
	}
	return next, true
}

// Framed reports whether a page holds a frame in this phase.
func (p Phase) Framed() bool { return p == PhaseOpening || p == PhaseLive }
