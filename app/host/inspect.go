package host

import (
	"sync"
	"sync/atomic"
	"time"

	"lineup/app/conversation"
	"lineup/app/envelope"
	"lineup/app/uiapi"
)

// inspector records what surfaces say and are told, for their authors. It works
// in developer mode alone; otherwise a note is one atomic load and nothing is
// kept. Its lock is a leaf: under it no other lock is taken, so it may be told
// things under any.
type inspector struct {
	now func() time.Time
	on  atomic.Bool

	mu      sync.Mutex
	byKey   map[inspectKey]*recording
	used    int64
	watch   map[*uiapi.Client]*inspectWatch
	pending bool // a tell is under way
}

type inspectKey struct {
	conv envelope.ConversationID
	item string
}

// inspectWatch is what a page looks at. It looks at one surface at a time.
type inspectWatch struct {
	key inspectKey
	rev int64 // of the recording, that the page has
}

const (
	maxRecordings = 64
	// A page that watches is told at most this often, so a flood costs it little.
	tellEvery = 100 * time.Millisecond
	// While events ebb, the meters change by themselves.
	ebbEvery = 250 * time.Millisecond
)

// set switches the recording on or off; off forgets everything.
func (in *inspector) set(on bool) {
	in.on.Store(on)
	if on {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.byKey, in.watch = nil, nil
}

// note records one thing about a surface.
func (in *inspector) note(c *conv, item string, s seen) {
	if !in.on.Load() || c == nil {
		return
	}
	at := in.now()
	in.mu.Lock()
	defer in.mu.Unlock()
	k := inspectKey{c.id, item}
	in.recording(k).add(at, s)
	in.wake(k)
}

// keep holds on to a surface's bundle and state: the conversation forgets them
// when it is refused or closed, which is when an author wants to see them.
func (in *inspector) keep(c *conv, item string, su conversation.Surface) {
	if !in.on.Load() || !su.App.Inline() {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.recording(inspectKey{c.id, item}).kept = su
}

// recording gives the recording of a surface, a new one in the place of the one
// that was unused for longest. in.mu is held.
func (in *inspector) recording(k inspectKey) *recording {
	in.used++
	r := in.byKey[k]
	if r == nil {
		if len(in.byKey) >= maxRecordings {
			oldest, at := k, in.used
			for k, r := range in.byKey {
				if r.used < at {
					oldest, at = k, r.used
				}
			}
			delete(in.byKey, oldest)
		}
		if in.byKey == nil {
			in.byKey = map[inspectKey]*recording{}
		}
		r = &recording{}
		in.byKey[k] = r
	}
	r.used = in.used
	return r
}

// wake tells the pages that watch a surface, soon. in.mu is held.
func (in *inspector) wake(k inspectKey) {
	if in.pending {
		return
	}
	for _, w := range in.watch {
		if w.key == k {
			in.pending = true
			time.AfterFunc(tellEvery, in.tell)
			return
		}
	}
}

func (in *inspector) tell() {
	at := in.now()
	in.mu.Lock()
	in.pending = false
	ebbing := false
	var clients []*uiapi.Client
	for client, w := range in.watch {
		r := in.byKey[w.key]
		if r == nil {
			continue
		}
		clients = append(clients, client)
		ebbing = ebbing || r.ebbing(at)
	}
	if ebbing {
		in.pending = true
		time.AfterFunc(ebbEvery, in.tell)
	}
	in.mu.Unlock()
	for _, client := range clients {
		client.Mark(keyInspect)
	}
}

// leave forgets that a page looks at something.
func (in *inspector) leave(client *uiapi.Client) {
	in.mu.Lock()
	defer in.mu.Unlock()
	delete(in.watch, client)
}

// forget drops what is recorded of a conversation.
func (in *inspector) forget(id envelope.ConversationID) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for k := range in.byKey {
		if k.conv == id {
			delete(in.byKey, k)
		}
	}
}
