package inventory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"lineup/capability"
)

// The example of the protocol, byte for byte apart from white space.
func TestComposeIsTheSeedsExample(t *testing.T) {
	c := Compose(Input{
		Components: []Component{{"choice", "1"}, {"confirm", "1"}, {"input", "1"}},
		Apps:       []App{{ID: "com.lineup.svg-canvas", Version: "1.0.0", Surfaces: []Surface{{"canvas", []string{"draw", "resize", "snapshot"}}}}},
		Capabilities: []capability.Descriptor{{Name: "artifact.save", Version: "1.0", Risk: capability.UserConfirmation,
			InputSchema: json.RawMessage(`{"type":"object"}`), OutputSchema: json.RawMessage(`{}`)}},
	})
	got, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"standard_components":[{"id":"choice","version":"1"},{"id":"confirm","version":"1"},{"id":"input","version":"1"}],` +
		`"applications":[{"id":"com.lineup.svg-canvas","version":"1.0.0","surfaces":[{"id":"canvas","events":["draw","resize","snapshot"]}]}],` +
		`"capabilities":[{"name":"artifact.save","version":"1.0","risk":"user_confirmation"}]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	list, err := json.Marshal(c.AppList())
	if err != nil || string(list) != `[{"name":"artifact.save","version":"1.0","risk":"user_confirmation","input_schema":{"type":"object"}}]` {
		t.Errorf("app.list: %s, %v", list, err)
	}
	if (Revision{N: 42}).ID() != "catalog-42" {
		t.Error("revision is not catalog-42")
	}
}

func TestComposeEmptyHasLists(t *testing.T) {
	got, _ := json.Marshal(Compose(Input{}))
	if string(got) != `{"standard_components":[],"applications":[],"capabilities":[]}` {
		t.Errorf("got %s", got)
	}
}

func TestComposeDoesNotDependOnOrder(t *testing.T) {
	in := Input{Components: Standard()}
	for i := range 8 {
		in.Apps = append(in.Apps, App{ID: fmt.Sprint("com.x.", i), Version: "1.0.0", Surfaces: []Surface{{ID: "b"}, {ID: "a"}}})
		in.Capabilities = append(in.Capabilities, capability.Descriptor{Name: capability.Name(fmt.Sprint("a.b", i)), Version: "1.0", Risk: capability.DisplayOnly})
	}
	want := string(Compose(in).Bytes())
	for range 50 {
		rand.Shuffle(len(in.Apps), func(i, j int) { in.Apps[i], in.Apps[j] = in.Apps[j], in.Apps[i] })
		rand.Shuffle(len(in.Capabilities), func(i, j int) {
			in.Capabilities[i], in.Capabilities[j] = in.Capabilities[j], in.Capabilities[i]
		})
		if got := string(Compose(in).Bytes()); got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	}
}

func TestComposeFiltersByPolicy(t *testing.T) {
	c := Compose(Input{
		Apps: []App{{ID: "com.x.a"}, {ID: "com.x.b"}},
		Capabilities: []capability.Descriptor{
			{Name: "x.hidden", Risk: capability.UserConfirmation}, {Name: "x.raised", Risk: capability.UserConfirmation}},
		MayKnow: func(d capability.Descriptor) (capability.Risk, bool) {
			return capability.SystemPermission, d.Name != "x.hidden"
		},
		MayOpen: func(a App) bool { return a.ID == "com.x.b" },
	})
	if len(c.Capabilities) != 1 || c.Capabilities[0] != (Capability{"x.raised", "", "system_permission"}) || len(c.Applications) != 1 || c.Applications[0].ID != "com.x.b" {
		t.Errorf("got %+v", c)
	}
}

func TestStandardComponents(t *testing.T) {
	if got := Standard(); len(got) != 15 || got[0] != (Component{"message", "1"}) || got[14] != (Component{"citation", "1"}) {
		t.Errorf("got %v", got)
	}
}

// memory is a Store.
type memory struct {
	mu      sync.Mutex
	n       int64
	last    map[string]string
	rev     map[string]int64
	known   map[string]bool
	fail    error
	journal []string
}

func newMemory() *memory {
	return &memory{last: map[string]string{}, rev: map[string]int64{}, known: map[string]bool{}}
}

func (m *memory) NextRevision(_ context.Context, agent string, content []byte) (int64, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return 0, false, m.fail
	}
	m.journal = append(m.journal, "revision")
	if m.rev[agent] > 0 && m.last[agent] == string(content) {
		return m.rev[agent], false, nil
	}
	m.n++
	m.last[agent], m.rev[agent] = string(content), m.n
	return m.n, true, nil
}

func (m *memory) RememberKnown(_ context.Context, agent, kind string, names ...string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.journal = append(m.journal, "known")
	for _, n := range names {
		m.known[agent+"\x00"+kind+"\x00"+n] = true
	}
	return m.fail
}

func (m *memory) EverKnown(_ context.Context, agent, kind, name string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known[agent+"\x00"+kind+"\x00"+name], m.fail
}

// clock runs timers when told to.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	timers []timer
}

type timer struct {
	at time.Time
	f  func()
}

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) AfterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timers = append(c.timers, timer{c.now.Add(d), f})
	return func() bool { return false }
}

// advance moves time and runs what is due, here and now.
func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	var due []func()
	c.timers = slices.DeleteFunc(c.timers, func(t timer) bool {
		if t.at.After(c.now) {
			return false
		}
		due = append(due, t.f)
		return true
	})
	c.mu.Unlock()
	for _, f := range due {
		f()
	}
}

type fixture struct {
	*Tracker
	store *memory
	clock *clock
	caps  []string
	told  []string
}

func setup(t *testing.T, store *memory, caps ...string) *fixture {
	t.Helper()
	f := &fixture{store: store, clock: &clock{now: time.Unix(0, 0)}, caps: caps}
	var err error
	f.Tracker, err = NewTracker(Options{
		Store: store, Clock: f.clock,
		Compose: func(string) Content {
			in := Input{Components: Standard()}
			for _, n := range f.caps {
				in.Capabilities = append(in.Capabilities, capability.Descriptor{Name: capability.Name(n), Version: "1.0", Risk: capability.UserConfirmation})
			}
			return Compose(in)
		},
		OnChange: func(agent string, r Revision) { f.told = append(f.told, agent+" "+r.ID()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

func current(t *testing.T, f *fixture, agent string) string {
	t.Helper()
	r, err := f.Current(t.Context(), agent)
	if err != nil {
		t.Fatal(err)
	}
	return r.ID()
}

func TestRevisionsGrowAndStay(t *testing.T) {
	store := newMemory()
	f := setup(t, store, "a.one")
	first := current(t, f, "agent")
	if again := current(t, f, "agent"); again != first {
		t.Errorf("nothing changed, but %s became %s", first, again)
	}
	f.caps = []string{"a.one", "a.two"}
	second := current(t, f, "agent")
	f.caps = []string{"a.one"}
	third := current(t, f, "agent")
	if first != "catalog-1" || second != "catalog-2" || third != "catalog-3" {
		t.Errorf("got %s, %s, %s: a number must never come again, not even for the same content", first, second, third)
	}
	if restarted := current(t, setup(t, store, "a.one"), "agent"); restarted != third {
		t.Errorf("after a restart %s, want %s", restarted, third)
	}
}

func TestVisible(t *testing.T) {
	store := newMemory()
	f := setup(t, store, "a.one", "a.two")
	if f.Visible("agent", "a.one") != capability.Unknown {
		t.Error("visible before any revision was given out")
	}
	current(t, f, "agent")
	f.caps = []string{"a.two"}
	if err := f.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[capability.Name]capability.Visibility{"a.one": capability.Revoked, "a.two": capability.Available, "a.three": capability.Unknown} {
		if got := f.Visible("agent", name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if f.Visible("other", "a.two") != capability.Unknown {
		t.Error("what one agent may ask for is visible to another")
	}
	// Also in the next run: the store remembers.
	g := setup(t, store, "a.two")
	current(t, g, "agent")
	if g.Visible("agent", "a.one") != capability.Revoked {
		t.Error("revoked is forgotten after a restart")
	}
	store.fail = errors.New("disk")
	if g.Visible("agent", "a.one") != capability.Unknown {
		t.Error("what the store cannot tell must be refused as unknown")
	}
}

func TestNamesAreRememberedBeforeTheRevision(t *testing.T) {
	f := setup(t, newMemory(), "a.one")
	current(t, f, "agent")
	if got := fmt.Sprint(f.store.journal); got != "[known revision]" {
		t.Errorf("got %s", got)
	}
}

func TestChangesAreGathered(t *testing.T) {
	f := setup(t, newMemory(), "a.one")
	current(t, f, "watched")
	current(t, f, "gone")
	f.Unwatch("gone")
	for i := range 100 {
		f.caps = []string{"a.one", fmt.Sprint("a.x", i)}
		f.Changed()
		f.clock.advance(time.Millisecond)
	}
	if len(f.told) != 0 {
		t.Errorf("told after 100 ms: %v", f.told)
	}
	f.clock.advance(150 * time.Millisecond)
	if len(f.told) != 1 || f.told[0][:7] != "watched" {
		t.Errorf("told %v, want one new revision for the agent that is there", f.told)
	}
	f.Changed()
	f.clock.advance(time.Second)
	if len(f.told) != 1 {
		t.Errorf("told of a change that was none: %v", f.told)
	}
}

func TestAStoreThatFailsIsTriedAgain(t *testing.T) {
	f := setup(t, newMemory(), "a.one")
	current(t, f, "agent")
	f.caps = []string{"a.two"}
	f.store.fail = errors.New("disk")
	f.Changed()
	f.clock.advance(Debounce)
	f.store.fail = nil
	f.clock.advance(Debounce)
	if len(f.told) != 1 {
		t.Errorf("told %v", f.told)
	}
}

func TestNothingIsToldAfterClose(t *testing.T) {
	f := setup(t, newMemory(), "a.one")
	current(t, f, "agent")
	f.caps = nil
	f.Changed()
	f.Close()
	f.clock.advance(time.Second)
	if len(f.told) != 0 {
		t.Errorf("told %v", f.told)
	}
}
