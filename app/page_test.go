package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lineup/app/host"
	"lineup/app/uiapi"
	"lineup/app/web"
	"lineup/surface"
)

const deadline = 20 * time.Second

// testShell is the window's place in tests: it keeps what the built-ins do.
type testShell struct {
	mu        sync.Mutex
	clipboard []string
	opened    []string
	ended     chan struct{} // a page was ended because it hung
}

func (s *testShell) writeText(_ context.Context, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clipboard = append(s.clipboard, text)
	return nil
}

func (s *testShell) openURL(_ context.Context, url string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened = append(s.opened, url)
	return nil
}

func (s *testShell) copied() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.clipboard...)
}

// startCore runs the whole host but for its page.
func startCore(t *testing.T, dir, agentURL string, policy host.Policy) (*core, *testShell) {
	t.Helper()
	return startTuned(t, config{data: dir, agentURL: agentURL, policy: policy})
}

func startTuned(t *testing.T, cfg config) (*core, *testShell) {
	t.Helper()
	sh := &testShell{ended: make(chan struct{}, 10)}
	cfg.log = slog.New(slog.NewTextHandler(testLog{t}, nil))
	ctx, stop := context.WithCancel(context.Background())
	c, err := open(ctx, cfg, shell{
		name: "web", hostOrigins: func(addr string) []string { return []string{"http://" + addr} },
		hostOrigin: func(addr string) string { return "http://" + addr },
		canary:     func(c *web.Canary) func() int64 { return c.Requests },
		openURL:    sh.openURL, writeText: sh.writeText,
		endPage: func() { sh.ended <- struct{}{} },
	})
	if err != nil {
		stop()
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- c.ui.Serve(ctx, c.host.Hub(), nil) }()
	var once sync.Once
	shut := func() {
		once.Do(func() {
			c.close()
			stop()
			if err := <-served; err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(shut)
	stopCore[c] = shut
	return c, sh
}

var stopCore = map[*core]func(){}

// testLog puts the log with the test's output while the test runs.
type testLog struct{ t *testing.T }

func (l testLog) Write(b []byte) (int, error) {
	defer func() { _ = recover() }() // a goroutine may log just after the test has ended
	l.t.Log(strings.TrimSpace(string(b)))
	return len(b), nil
}

// page is a page without a browser: it speaks the UI API and keeps what a page keeps.
type testPage struct {
	t    *testing.T
	conn *websocket.Conn

	mu             sync.Mutex
	cond           *sync.Cond
	gone           bool
	nextID         int
	replies        map[int]reply
	snap           uiapi.Snapshot
	agents         []uiapi.Agent
	convs          map[string]uiapi.Conversation
	prompts        []uiapi.Prompt
	items          map[string]uiapi.Item
	order          []string
	frames         map[string][]string // messages down, by frame id
	slots          map[string]uiapi.Slot
	mute           bool // leaves pings unanswered, as a page that hangs
	preview        *uiapi.Preview
	updates        int
	inspected      *uiapi.InspectView
	inspectUpdates int
	lastSeq        int64
	sandbox        uiapi.Sandbox
}

type reply struct {
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    struct{ Code, Field string }
	}
}

func dialPage(t *testing.T, c *core, token string) *testPage {
	t.Helper()
	h := http.Header{"Origin": {"http://" + c.ui.Addr()}}
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+c.ui.Addr()+"/ui", h)
	if err != nil {
		t.Fatal(err)
	}
	p := &testPage{t: t, conn: conn, replies: map[int]reply{}, convs: map[string]uiapi.Conversation{},
		items: map[string]uiapi.Item{}, frames: map[string][]string{}, slots: map[string]uiapi.Slot{}}
	p.cond = sync.NewCond(&p.mu)
	go p.read()
	t.Cleanup(func() { conn.Close() })
	hello := uiapi.HelloParams{Locale: "en"}
	if token == "" {
		hello.Ticket = c.host.Ticket()
	} else {
		hello.Token = token
	}
	if err := p.call("ui.hello", hello, &p.snap); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	p.agents, p.prompts, p.sandbox, p.preview = p.snap.Agents, p.snap.Prompts, p.snap.Sandbox, p.snap.Preview
	for _, c := range p.snap.Conversations {
		p.convs[c.ID] = c
	}
	p.mu.Unlock()
	return p
}

func (p *testPage) read() {
	defer func() {
		p.mu.Lock()
		p.gone = true
		p.cond.Broadcast()
		p.mu.Unlock()
	}()
	for {
		_, data, err := p.conn.ReadMessage()
		if err != nil {
			return
		}
		var f struct {
			ID     *int
			Method string
			Params json.RawMessage
			reply
		}
		if err := json.Unmarshal(data, &f); err != nil {
			return
		}
		p.mu.Lock()
		switch {
		case f.Method == "ui.ping" && p.mute:
		case f.Method == "ui.ping":
			_ = p.conn.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","method":"ui.pong"}`))
		case f.Method == "ui.update":
			p.take(f.Params)
		case f.ID != nil:
			p.replies[*f.ID] = f.reply
		}
		p.cond.Broadcast()
		p.mu.Unlock()
	}
}

func (p *testPage) take(raw json.RawMessage) {
	var u uiapi.Update
	if json.Unmarshal(raw, &u) != nil {
		return
	}
	p.updates++
	p.lastSeq = u.Seq
	if u.Agents != nil {
		p.agents = *u.Agents
	}
	if u.Preview != nil {
		p.preview = u.Preview
	}
	if u.Sandbox != nil {
		p.sandbox = *u.Sandbox
	}
	if u.Prompts != nil {
		p.prompts = *u.Prompts
	}
	if u.Inspect != nil {
		p.inspectUpdates++
		p.takeInspect(*u.Inspect)
	}
	for _, c := range u.Conversations {
		p.convs[c.ID] = c
	}
	for _, it := range u.Items {
		p.put(it)
	}
	for _, s := range u.Slots {
		p.slots[s.ItemID] = s
	}
	for _, f := range u.Frames {
		p.frames[f.FrameID] = append(p.frames[f.FrameID], f.Message)
	}
}

func (p *testPage) put(it uiapi.Item) {
	old, had := p.items[it.ID]
	if !had {
		p.order = append(p.order, it.ID)
	}
	if it.Message != nil && it.Message.BlocksFrom > 0 && had && old.Message != nil {
		it.Message.Blocks = append(append([]uiapi.Block(nil), old.Message.Blocks[:it.Message.BlocksFrom]...), it.Message.Blocks...)
	}
	p.items[it.ID] = it
}

func (p *testPage) call(method string, params, result any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		p.t.Fatal(err)
	}
	p.mu.Lock()
	p.nextID++
	id := p.nextID
	msg, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": json.RawMessage(raw)})
	err = p.conn.WriteMessage(websocket.TextMessage, msg)
	p.mu.Unlock()
	if err != nil {
		return err
	}
	var r reply
	p.until("the answer to "+method, func() bool {
		var ok bool
		r, ok = p.replies[id]
		return ok || p.gone
	})
	if r.Error != nil {
		return &uiapi.Error{Code: uiapi.Code(r.Error.Data.Code), Field: r.Error.Data.Field}
	}
	if r.Result == nil {
		return fmt.Errorf("%s: the socket was closed", method)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(r.Result, result)
}

func (p *testPage) must(method string, params, result any) {
	p.t.Helper()
	if err := p.call(method, params, result); err != nil {
		p.t.Fatalf("%s: %v", method, err)
	}
}

// until waits for cond, which is called with p.mu held.
func (p *testPage) until(what string, cond func() bool) {
	p.t.Helper()
	late := time.AfterFunc(deadline, func() { p.mu.Lock(); p.cond.Broadcast(); p.mu.Unlock() })
	defer late.Stop()
	end := time.Now().Add(deadline)
	p.mu.Lock()
	defer p.mu.Unlock()
	for !cond() {
		if time.Now().After(end) {
			items := ""
			for _, id := range p.order {
				b, _ := json.Marshal(p.items[id])
				items += "\n  " + string(b[:min(len(b), 300)])
			}
			p.t.Fatalf("did not happen: %s\nprompts: %+v\nitems:%s", what, p.prompts, items)
		}
		p.cond.Wait()
	}
}

func (p *testPage) open(id string) {
	p.t.Helper()
	p.mu.Lock()
	p.items, p.order = map[string]uiapi.Item{}, nil
	p.mu.Unlock()
	var page uiapi.ConversationPage
	p.must("conversation.open", uiapi.ConversationOpenParams{ConversationID: id}, &page)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, it := range page.Items {
		if _, newer := p.items[it.ID]; !newer { // an update may already have followed
			p.put(it)
		}
	}
}

func (p *testPage) create() string {
	p.t.Helper()
	var made uiapi.Created
	p.must("conversation.create", uiapi.ConversationParams{}, &made)
	p.open(made.ConversationID)
	return made.ConversationID
}

func (p *testPage) say(conv, text string) {
	p.t.Helper()
	p.mu.Lock()
	p.nextID++
	id := fmt.Sprintf("%s-%d", strings.Map(alnum, p.t.Name()), time.Now().UnixNano())
	p.mu.Unlock()
	p.must("message.send", uiapi.SendParams{ConversationID: conv, ClientID: id, Text: text}, nil)
}

// find returns the newest item of a kind for which ok holds. Call with p.mu held.
func (p *testPage) find(kind string, ok func(uiapi.Item) bool) *uiapi.Item {
	for i := len(p.order) - 1; i >= 0; i-- {
		it := p.items[p.order[i]]
		if it.Kind == kind && (ok == nil || ok(it)) {
			return &it
		}
	}
	return nil
}

func text(it uiapi.Item) string {
	if it.Message == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(it.Message.Text)
	for _, bl := range it.Message.Blocks {
		b.WriteString(bl.HTML)
	}
	return b.String()
}

// show says that the card of the newest surface with this instance is on the page; it returns its item.
func (p *testPage) show(conv, instance string) string {
	p.t.Helper()
	var item string
	p.until("the card of "+instance, func() bool {
		it := p.find("surface", func(it uiapi.Item) bool { return it.Surface.InstanceID == instance })
		if it != nil {
			item = it.ID
		}
		return it != nil
	})
	p.must("surface.show", uiapi.ShowParams{ConversationID: conv, ItemID: item, InView: true}, nil)
	return item
}

// phase waits until the card of an item is there.
func (p *testPage) phase(item string, want surface.Phase) uiapi.Slot {
	p.t.Helper()
	p.until("the card is "+string(want), func() bool { return p.slots[item].Phase == string(want) })
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.slots[item]
}

func (p *testPage) uplink(frame, message string) {
	p.t.Helper()
	p.must("surface.uplink", uiapi.UplinkParams{FrameID: frame, Message: `{"namespace":"lineup.surface.v1",` + message + `}`}, nil)
}

// mount takes a frame for the surface and says ready as its bridge would.
func (p *testPage) mount(conv, instance string) string {
	p.t.Helper()
	return p.ready(p.show(conv, instance))
}

// ready plays the frame that the card of an item got.
func (p *testPage) ready(item string) string {
	p.t.Helper()
	frame := p.phase(item, surface.PhaseOpening).FrameID
	p.uplink(frame, `"type":"ready"`)
	p.until("the frame gets its state", func() bool { return len(p.frames[frame]) > 0 })
	return frame
}

func (p *testPage) event(frame, name, data string) {
	p.t.Helper()
	p.must("surface.uplink", uiapi.UplinkParams{FrameID: frame,
		Message: fmt.Sprintf(`{"namespace":"lineup.surface.v1","type":"event","event":%q,"data":%s}`, name, data)}, nil)
}

// allow answers the first prompt; it waits out the guard as a person would.
func (p *testPage) decide(decision string) {
	p.t.Helper()
	var id string
	p.until("a prompt", func() bool {
		if len(p.prompts) == 0 {
			return false
		}
		id = p.prompts[0].ID
		return true
	})
	var shown uiapi.PromptShown
	p.must("prompt.shown", uiapi.PromptShownParams{PromptID: id}, &shown)
	for {
		err := p.call("prompt.answer", uiapi.PromptAnswerParams{PromptID: id, Nonce: shown.Nonce, Decision: decision}, nil)
		if e, ok := err.(*uiapi.Error); ok && e.Code == uiapi.TooSoon {
			continue // the guard: half a second must have passed
		}
		if err != nil {
			p.t.Fatal(err)
		}
		return
	}
}

func alnum(r rune) rune {
	if (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z') || (r >= '0' && r <= '9') {
		return r
	}
	return '_'
}

var probeNonce = regexp.MustCompile(`"nonce":"([A-Za-z0-9_-]+)"`)

// probe takes the start-up probe's place: it loads its document as a page would,
// and reports. An attempt whose name starts with leak got through ("": none did).
func (p *testPage) probe(leak string) {
	p.t.Helper()
	var m uiapi.ProbeMount
	p.must("probe.mount", struct{}{}, &m)
	res, err := http.Get(m.URL)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	doc, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	nonce := probeNonce.FindSubmatch(doc)
	if nonce == nil {
		p.t.Fatal("the probe's document has no nonce")
	}
	type attempt struct {
		Name       string `json:"name"`
		GotThrough bool   `json:"got_through"`
	}
	report := struct {
		Namespace string    `json:"namespace"`
		Nonce     string    `json:"nonce"`
		Attempts  []attempt `json:"attempts"`
	}{Namespace: "lineup.probe.v1", Nonce: string(nonce[1])}
	leaked := false
	for _, name := range surface.ProbeAttempts() {
		through := leak != "" && !leaked && strings.HasPrefix(name, leak)
		leaked = leaked || through
		report.Attempts = append(report.Attempts, attempt{name, through})
	}
	raw, _ := json.Marshal(report)
	p.must("surface.uplink", uiapi.UplinkParams{FrameID: m.FrameID, Message: string(raw)}, nil)
	p.until("the verdict", func() bool { return p.sandbox.State != "probing" })
}
