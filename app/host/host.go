package host

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/oklog/ulid/v2"
	"golang.org/x/time/rate"

	"lineup/app/agent"
	"lineup/app/envelope"
	"lineup/app/store"
	"lineup/app/uiapi"
	"lineup/capability"
	"lineup/inventory"
)

// Dialer makes the connection to an agent; package app gives the adapter.
type Dialer func(url string, token func() string, peer agent.Peer) agent.Link

// Secrets keeps agents' tokens: the system's keyring, or its stand-in.
type Secrets interface {
	Get(agentID string) string
	Set(agentID, token string) error
	Delete(agentID string)
	Persistent() bool
}

// Options are the host's parts. Store, Frames, Dial, Secrets and Providers are
// required; the zero values of the others are said beside them.
type Options struct {
	Store     *store.Store
	Frames    FrameServer
	Dial      Dialer
	Secrets   Secrets
	Providers []capability.Provider
	Policy    Policy // zero: ask
	AuditKey  []byte // authenticates the audit log's head
	DevMode   bool
	Developer bool   // any-sandboxed holds without developer mode
	Shell     string // "desktop" or "web"
	Version   string

	HostOrigins []string // Origins of the page that may use the UI socket
	Hosts       []string // Host headers of the UI socket
	Ancestors   []string // CSP sources that may frame a surface
	HostOrigin  string   // of the page, for the probe
	UIURL       string   // ws:// address of the UI socket
	CanaryURL   string
	Canary      func() int64                                 // nil: no canary
	Sealed      func() (bool, string)                        // nil: the shell is a browser
	Native      func(nonce string) bool                      // nil: the shell has no channel of its own
	OpenURL     func(ctx context.Context, url string) error  // nil: the page is asked to
	WriteText   func(ctx context.Context, text string) error // nil: the page is asked to
	EndPage     func()                                       // ends a page that hangs, and starts it anew; nil: nobody can
	ReadyWithin time.Duration                                // 0: 5 s
	IdleAfter   time.Duration                                // 0: 5 min
	Preview     Preview                                      // nil: the ordinary host
	Installed   Installed                                    // nil: no apps
	Log         *slog.Logger                                 // nil: slog.Default
	Now         func() time.Time                             // nil: time.Now
}

// Host is the desktop host without its shell. See the package comment.
type Host struct {
	store   *store.Store
	log     *slog.Logger
	now     func() time.Time
	started time.Time
	version string
	shell   string
	policy  Policy
	devMode bool
	epoch   string
	opt     Options

	readyWithin time.Duration
	idleAfter   time.Duration
	strikesMu   sync.Mutex

	ancestors  []string
	hostOrigin string
	uiURL      string
	canaryURL  string

	ctx  context.Context
	stop context.CancelFunc
	wg   sync.WaitGroup

	gate           *uiapi.Gate
	hub            *uiapi.Hub
	broker         *capability.Broker
	tracker        *inventory.Tracker
	providers      map[capability.Name]capability.Provider
	secrets        Secrets
	dial           Dialer
	frames         frames
	sandbox        sandbox
	surfacePrompts surfacePrompts
	trust          trust
	preview        previewing
	inspect        inspector
	malformed      *rate.Limiter
	lastAnswering  atomic.Pointer[uiapi.Client]

	mu           sync.Mutex
	convs        map[envelope.ConversationID]*conv
	links        map[string]*link
	pages        map[*uiapi.Client]*page
	settings     uiapi.Settings
	pageLocale   string
	defaultAgent string
	reading      uiapi.Reading

	entropyMu sync.Mutex
	entropy   *ulid.MonotonicEntropy
}

// New builds a host from what the store holds. Run starts it.
func New(ctx context.Context, opt Options) (*Host, error) {
	if opt.Log == nil {
		opt.Log = slog.Default()
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Policy == "" {
		opt.Policy = PolicyAsk
	}
	h := &Host{store: opt.Store, log: opt.Log, now: opt.Now, started: time.Now(), version: opt.Version, shell: opt.Shell,
		policy: opt.Policy, devMode: opt.DevMode, epoch: uiapi.Secret(), opt: opt,
		ancestors: opt.Ancestors, hostOrigin: opt.HostOrigin, uiURL: opt.UIURL, canaryURL: opt.CanaryURL,
		gate: uiapi.NewGate(opt.Now), secrets: opt.Secrets, dial: opt.Dial,
		malformed: rate.NewLimiter(1, 20),
		convs:     map[envelope.ConversationID]*conv{}, links: map[string]*link{}, pages: map[*uiapi.Client]*page{},
		providers: map[capability.Name]capability.Provider{},
		entropy:   ulid.Monotonic(seededReader(), 0),
	}
	h.ctx, h.stop = context.WithCancel(context.WithoutCancel(ctx))
	h.readyWithin, h.idleAfter = cmp.Or(opt.ReadyWithin, readyWithin), cmp.Or(opt.IdleAfter, idleAfter)
	h.frames.server, h.frames.byID, h.frames.places = opt.Frames, map[string]*frame{}, map[placeKey]*place{}
	h.surfacePrompts.h = h
	h.inspect.now = opt.Now
	h.sandbox.state = uiapi.Sandbox{State: "probing", Leaks: []string{}}
	h.sandbox.sealed, h.sandbox.canary, h.sandbox.native = opt.Sealed, opt.Canary, opt.Native
	h.sandbox.done = make(chan struct{})
	h.hub = uiapi.NewHub(h, h.gate, opt.Hosts, opt.HostOrigins, opt.Log)
	for _, p := range opt.Providers {
		h.providers[p.Descriptor().Name] = p
	}
	if err := h.loadSettings(ctx); err != nil {
		return nil, err
	}
	h.trust.store = opt.Store.Trust(opt.AuditKey)
	if err := h.trust.load(ctx); err != nil {
		return nil, err
	}
	if err := h.newBroker(); err != nil {
		return nil, err
	}
	if err := h.newTracker(); err != nil {
		return nil, err
	}
	if err := h.loadAgents(ctx); err != nil {
		return nil, err
	}
	return h, nil
}

// Run starts conversations, the broker and the links. It returns at once;
// Close ends everything.
func (h *Host) Run() error {
	list, err := h.store.Conversations(h.ctx, false)
	if err != nil {
		return err
	}
	// What is pending is judged by the present inventory, so that comes first, also
	// before a conversation, which submits anew what it has no answer for.
	for _, l := range h.allLinks() {
		if _, err := h.tracker.Current(h.ctx, l.id); err != nil {
			return err
		}
	}
	for _, rec := range list {
		h.adopt(rec)
	}
	if err := h.broker.Resume(h.ctx); err != nil {
		return err
	}
	if err := h.startPreview(); err != nil {
		return err
	}
	for _, l := range h.allLinks() {
		l.start()
	}
	h.wg.Add(1)
	go h.watch()
	return nil
}

// Close ends links, conversations and the broker; what is pending stays
// pending in the store.
func (h *Host) Close() {
	h.hub.Close()
	h.mu.Lock()
	links := h.links
	convs := h.convs
	h.mu.Unlock()
	for _, l := range links {
		l.end()
	}
	h.tracker.Close()
	h.broker.Close()
	h.stop()
	for _, c := range convs {
		<-c.done
	}
	h.wg.Wait()
}

// Hub is the UI socket's handler.
func (h *Host) Hub() *uiapi.Hub { return h.hub }

// Ticket issues a one-time ticket for a page.
func (h *Host) Ticket() string { return h.gate.Ticket() }

// Sandbox waits for the probe's verdict or ctx and returns what is known.
func (h *Host) Sandbox(ctx context.Context) uiapi.Sandbox {
	select {
	case <-h.sandbox.done:
	case <-ctx.Done():
	}
	return h.sandbox.view()
}

// SetEngine names the web view, for the sandbox report.
func (h *Host) SetEngine(name string) {
	h.sandbox.mu.Lock()
	h.sandbox.state.Engine = name
	h.sandbox.mu.Unlock()
	h.hub.Mark(keySandbox)
}

func (h *Host) mono() time.Duration { return time.Since(h.started) }

// newID makes a ULID: sortable, unique across restarts.
func (h *Host) newID() string {
	h.entropyMu.Lock()
	defer h.entropyMu.Unlock()
	id, err := ulid.New(ulid.Timestamp(h.now()), h.entropy)
	if err != nil { // the clock went back within a millisecond's monotonic run
		h.entropy = ulid.Monotonic(seededReader(), 0)
		id = ulid.MustNew(ulid.Timestamp(h.now()), h.entropy)
	}
	return id.String()
}

type chacha struct{ *rand.ChaCha8 }

func seededReader() chacha {
	var seed [32]byte
	for i := 0; i < 4; i++ {
		v := rand.Uint64()
		for j := 0; j < 8; j++ {
			seed[8*i+j] = byte(v >> (8 * j))
		}
	}
	return chacha{rand.NewChaCha8(seed)}
}

func (h *Host) conv(id envelope.ConversationID) *conv {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.convs[id]
}

// adopt makes a stored conversation live.
func (h *Host) adopt(rec store.Conversation) *conv {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.links[rec.AgentID]
	if l == nil {
		l = h.orphan(rec.AgentID)
	}
	c := h.newConv(rec.ID, l, rec.Title != "")
	h.convs[rec.ID] = c
	return c
}
