package conversation

import (
	"sort"
	"time"

	"lineup/app/envelope"
	"lineup/surface"
)

// Activity is what a conversation is doing, for the list.
type Activity string

const (
	Idle    Activity = "idle"
	Working Activity = "working"
	Waiting Activity = "waiting" // for the user
	Failed  Activity = "failed"
)

// State is the fold of a conversation's log. Use New.
type State struct {
	ID      envelope.ConversationID
	LastSeq int64

	items []*Item
	byID  map[string]*Item

	surfaces map[surface.InstanceID]*Item // the open or asking one of each instance
	asking   map[envelope.ID]*Item        // by the ui.open that asks
	openN    int                          // surfaces with status open

	waiting map[string]*Item // components and calls without an answer, by item id
	live    map[string]bool  // items that say the agent is at work
	unheard bool             // the user spoke and the agent has not reacted yet
	failed  bool             // the last thing was an error

	owed      map[envelope.ID]Effect
	owedOrder []envelope.ID

	firstUserText string
	lastText      *Item
}

// New returns the state of an empty log.
func New(id envelope.ConversationID) *State {
	return &State{
		ID:       id,
		byID:     map[string]*Item{},
		surfaces: map[surface.InstanceID]*Item{},
		asking:   map[envelope.ID]*Item{},
		waiting:  map[string]*Item{},
		live:     map[string]bool{},
		owed:     map[envelope.ID]Effect{},
	}
}

// Item returns an item by its id, or nil.
func (s *State) Item(id string) *Item { return s.byID[id] }

// Items returns up to limit items whose Pos is below before (0: no bound), in
// order, and whether there are older ones.
func (s *State) Items(before int64, limit int) (page []*Item, more bool) {
	end := len(s.items)
	if before > 0 {
		end = sort.Search(len(s.items), func(i int) bool { return s.items[i].Pos >= before })
	}
	start := max(0, end-limit)
	return s.items[start:end], start > 0
}

// Surface returns the open surface of an instance, or nil.
func (s *State) Surface(id surface.InstanceID) *Item {
	it := s.surfaces[id]
	if it == nil || it.Data.(*Surface).Status != SurfaceOpen {
		return nil
	}
	return it
}

// OpenSurfaces counts open surfaces; replacing the given instance does not
// count it.
func (s *State) OpenSurfaces(except surface.InstanceID) int {
	n := s.openN
	if s.Surface(except) != nil {
		n--
	}
	return n
}

// EachSurface calls fn for each open surface.
func (s *State) EachSurface(fn func(*Item)) {
	for _, it := range s.surfaces {
		if it.Data.(*Surface).Status == SurfaceOpen {
			fn(it)
		}
	}
}

// Activity derives the state shown in the list.
func (s *State) Activity() Activity {
	switch {
	case len(s.waiting) > 0 || len(s.asking) > 0:
		return Waiting
	case len(s.live) > 0 || s.unheard:
		return Working
	case s.failed:
		return Failed
	}
	return Idle
}

// Running tells whether Stop would stop something: the agent is at work, was
// asked and has not reacted, or a call of its run waits.
func (s *State) Running() bool {
	if len(s.live) > 0 || s.unheard {
		return true
	}
	for _, it := range s.waiting {
		if it.Kind == KindCall {
			return true
		}
	}
	return false
}

// WaitingCount counts what waits for the user.
func (s *State) WaitingCount() int { return len(s.waiting) + len(s.asking) }

// NextExpiry is the earliest moment at which an open component expires.
func (s *State) NextExpiry() (at time.Time, item *Item) {
	for _, it := range s.waiting {
		t := expiry(it)
		if t == nil {
			continue
		}
		if item == nil || t.Before(at) {
			at, item = t.Time, it
		}
	}
	return at, item
}

func expiry(it *Item) *envelope.Time {
	switch d := it.Data.(type) {
	case *Choice:
		return d.ExpiresAt
	case *Confirm:
		return d.ExpiresAt
	case *Input:
		return d.ExpiresAt
	}
	return nil
}

// Owed lists the effects not yet answered, in the order of their causes.
func (s *State) Owed() []Effect {
	var out []Effect
	for _, id := range s.owedOrder {
		if e, ok := s.owed[id]; ok {
			out = append(out, e)
		}
	}
	return out
}

// FirstUserText is the first thing the user said, for a title.
func (s *State) FirstUserText() string { return s.firstUserText }

// LastMessage is the newest message, for a preview; nil if there is none.
func (s *State) LastMessage() *Item { return s.lastText }

func (s *State) owe(d *Delta, e Effect) {
	s.owed[e.Cause] = e
	s.owedOrder = append(s.owedOrder, e.Cause)
	d.Effects = append(d.Effects, e)
}

func (s *State) settle(cause envelope.ID) {
	if cause == "" {
		return
	}
	delete(s.owed, cause)
	if len(s.owed) == 0 {
		s.owedOrder = s.owedOrder[:0]
	} else if len(s.owedOrder) > 64 && len(s.owedOrder) > 4*len(s.owed) {
		keep := s.owedOrder[:0]
		for _, id := range s.owedOrder {
			if _, ok := s.owed[id]; ok {
				keep = append(keep, id)
			}
		}
		s.owedOrder = keep
	}
}

// put adds an item, or changes the one with that id if it has the same kind.
func (s *State) put(d *Delta, e Entry, id string, kind Kind, from From, data any) *Item {
	it := s.byID[id]
	if it == nil || it.Kind != kind {
		it = &Item{ID: id, Pos: e.Seq, Kind: kind, From: from, At: e.At, Env: e.Env.ID}
		s.items = append(s.items, it)
		s.byID[id] = it
	}
	it.Seq = e.Seq
	it.Data = data
	d.change(it)
	return it
}
