package host

import (
	"strings"
	"time"
	"unicode/utf8"

	"lineup/app/conversation"
	"lineup/app/uiapi"
	"lineup/surface"
)

// Bounds of what is recorded of one surface. A flood pushes out messages, not
// the problem that an author looks for: those have their own bound.
const (
	maxRecorded = 500
	maxProblems = 100
	maxRecBytes = 256 << 10
	maxBody     = 2 << 10
	entryCost   = 160 // bytes of an entry beside its texts
)

// seen is one thing that the inspector is told.
type seen struct {
	dir     string // as uiapi.InspectEntry
	typ     string
	name    string
	text    string // the whole message; only its beginning is kept
	problem *uiapi.InspectProblem
}

type recorded struct {
	uiapi.InspectEntry
	rev int64
}

func (r *recorded) cost() int {
	n := entryCost + len(r.Body) + len(r.Name)
	if p := r.Problem; p != nil {
		n += len(p.Text) + len(p.Field) + len(p.Directive)
	}
	return n
}

// recording is what happened to one surface. The zero value is ready.
type recording struct {
	list     []recorded // by seq
	seq      int64
	rev      int64
	bytes    int
	problems int
	used     int64 // when it was last written or looked at, for letting go of the oldest

	events rateMeter
	last   time.Time            // when an event came last
	counts map[string]int       // by the code of a meter
	kept   conversation.Surface // the last that still had its bundle
}

// add records one thing; what does not fit any more is let go of.
func (r *recording) add(at time.Time, s seen) {
	r.rev++
	r.count(at, s)
	e := recorded{rev: r.rev, InspectEntry: uiapi.InspectEntry{
		At: at.UnixMilli(), Dir: s.dir, Type: s.typ, Name: s.name, Size: len(s.text), Count: 1, Problem: s.problem}}
	e.Body, e.Cut = beginning(s.text)
	if n := len(r.list); n > 0 && alike(&r.list[n-1], &e) {
		last := &r.list[n-1]
		e.Seq, e.Count = last.Seq, last.Count+1
		r.bytes += e.cost() - last.cost()
		*last = e
	} else {
		r.seq++
		e.Seq = r.seq
		r.bytes += e.cost()
		if e.Problem != nil {
			r.problems++
		}
		r.list = append(r.list, e)
	}
	for len(r.list) > maxRecorded || r.problems > maxProblems || r.bytes > maxRecBytes {
		r.letGo()
	}
}

// letGo drops the oldest message, or the oldest problem when those are too many.
func (r *recording) letGo() {
	i := 0
	if r.problems <= maxProblems {
		for i < len(r.list)-1 && r.list[i].Problem != nil {
			i++
		}
		if r.list[i].Problem != nil { // nothing but problems
			i = 0
		}
	} else {
		for r.list[i].Problem == nil {
			i++
		}
	}
	if r.list[i].Problem != nil {
		r.problems--
	}
	r.bytes -= r.list[i].cost()
	r.list = append(r.list[:i], r.list[i+1:]...)
}

// alike tells whether b only repeats a. Messages that mean something each are
// never counted together.
func alike(a, b *recorded) bool {
	if a.Dir != b.Dir || a.Type != b.Type || a.Name != b.Name || (a.Problem == nil) != (b.Problem == nil) {
		return false
	}
	if a.Problem == nil {
		return a.Type == "resize"
	}
	return (a.Problem.Kind == "dropped" || a.Problem.Kind == "refused") && *a.Problem == *b.Problem
}

// since lists what is new or changed after rev.
func (r *recording) since(rev int64) []uiapi.InspectEntry {
	out := []uiapi.InspectEntry{}
	for i := range r.list {
		if r.list[i].rev > rev {
			out = append(out, r.list[i].InspectEntry)
		}
	}
	return out
}

func (r *recording) count(at time.Time, s seen) {
	if r.counts == nil {
		r.counts = map[string]int{}
	}
	if s.dir == "up" && s.typ == "event" {
		r.events.add(at)
		r.last = at
	}
	switch p := s.problem; {
	case p == nil && s.dir == "up" && s.typ == "event":
		r.counts["events"]++
	case p == nil && s.typ == "resize":
		r.counts["resizes"]++
	case p == nil:
	case p.Kind == "error":
		r.counts["errors"]++
	case p.Kind == "violation":
		r.counts["violations"]++
	default:
		r.counts[p.Kind]++
	}
}

// ebbing: the rate and the burst are still on their way back.
func (r *recording) ebbing(at time.Time) bool { return !r.last.IsZero() && at.Sub(r.last) < ebbTime }

// ebbTime is how long a spent burst takes to fill again, and a second more.
const ebbTime = (surface.EventBurst/surface.EventsPerSecond + 1) * time.Second

// beginning is the first maxBody bytes of a text, in whole characters. It is a
// copy: a slice would keep the whole message alive.
func beginning(s string) (text string, cut bool) {
	if len(s) <= maxBody {
		return strings.ToValidUTF8(s, "\uFFFD"), false
	}
	n := maxBody
	for n > maxBody-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.ToValidUTF8(strings.Clone(s[:n]), "\uFFFD"), true
}

// rateMeter counts what came in the last second, in tenths.
type rateMeter struct {
	slots [10]struct {
		tick int64
		n    int
	}
}

const rateTick = 100 // milliseconds

func (m *rateMeter) add(at time.Time) {
	tick := at.UnixMilli() / rateTick
	s := &m.slots[tick%int64(len(m.slots))]
	if s.tick != tick {
		s.tick, s.n = tick, 0
	}
	s.n++
}

func (m *rateMeter) perSecond(at time.Time) (n int) {
	tick := at.UnixMilli() / rateTick
	for _, s := range m.slots {
		if s.tick > tick-int64(len(m.slots)) && s.tick <= tick {
			n += s.n
		}
	}
	return n
}
