package surface

import "testing"

var allPhases = []Phase{PhaseNone, PhaseOpening, PhaseLive, PhaseAsleep, PhaseStopped, PhaseClosed}

var allLifeEvents = []LifeEvent{LifeMount, LifeFull, LifeReady, LifeLate, LifeIdle, LifeYield, LifeNavigate, LifeHang,
	LifeCrash, LifeRestart, LifeLeave, LifeSeal, LifeClose}

// The table is written out a second time, in words of what a user sees, so that a
// slip in either shows. "-" means: nothing happens.
func TestLifeEveryTransition(t *testing.T) {
	const no = "-"
	want := map[LifeEvent][6]string{
		//             none       opening    live       asleep     stopped    closed
		LifeMount:    {"opening", no, no, "opening", no, no},
		LifeFull:     {"asleep", no, no, no, no, no},
		LifeReady:    {no, "live", no, no, no, no},
		LifeLate:     {no, "stopped", no, no, no, no},
		LifeIdle:     {no, "asleep", "asleep", no, no, no},
		LifeYield:    {no, "asleep", "asleep", no, no, no},
		LifeNavigate: {"stopped", "stopped", "stopped", "stopped", no, no},
		LifeHang:     {"stopped", "stopped", "stopped", "stopped", no, no},
		LifeCrash:    {"stopped", "stopped", "stopped", "stopped", no, no},
		LifeRestart:  {no, "", "", "", "", no},
		LifeLeave:    {no, "", "", "", "stopped", no},
		LifeSeal:     {no, "", "", "", no, no},
		LifeClose:    {"closed", "closed", "closed", "closed", "closed", no},
	}
	if len(want) != len(allLifeEvents) {
		t.Fatalf("%d events in the table, %d exist", len(want), len(allLifeEvents))
	}
	for event, row := range want {
		for i, from := range allPhases {
			next, ok := from.Next(event)
			switch {
			case row[i] == no && (ok || next != from):
				t.Errorf("%q + %s: went to %q, expected nothing to happen", from, event, next)
			case row[i] != no && (!ok || string(next) != row[i]):
				t.Errorf("%q + %s: %q (%v), expected %q", from, event, next, ok, row[i])
			}
		}
	}
}

func TestLifeProperties(t *testing.T) {
	for _, from := range allPhases {
		if next, ok := from.Next(LifeClose); from != PhaseClosed && (!ok || next != PhaseClosed) {
			t.Errorf("%q cannot be closed", from)
		}
		// Only the user's restart leads out of stopped, and nothing out of closed.
		for _, e := range allLifeEvents {
			next, ok := from.Next(e)
			if from == PhaseClosed && ok {
				t.Errorf("closed + %s leads to %q", e, next)
			}
			if from == PhaseStopped && ok && next != PhaseStopped && e != LifeRestart && e != LifeClose {
				t.Errorf("stopped + %s leads to %q", e, next)
			}
			if next == PhaseLive && from != PhaseLive && e != LifeReady {
				t.Errorf("%q + %s is live without a ready", from, e)
			}
		}
	}
}
