package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"lineup/app/host"
	"lineup/app/uiapi"
	"lineup/surface"
)

// say sends an envelope of the raw agent's.
func (a *rawAgent) say(conv, id, typ, payload string) {
	a.write(fmt.Sprintf(`{"v":1,"id":%q,"type":"lineup.v1.%s","conversation_id":%q,"sender":{"kind":"agent","id":"raw"},"payload":%s}`, id, typ, conv, payload))
}

// reply waits for the answer to one of its envelopes and returns its payload.
func (a *rawAgent) reply(p *testPage, to string) map[string]any {
	a.t.Helper()
	var out map[string]any
	p.until("an answer to "+to, func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		for _, e := range a.got {
			if e["reply_to"] == to {
				out, _ = e["payload"].(map[string]any)
				return true
			}
		}
		return false
	})
	return out
}

// started is a host with a raw agent and an open conversation that both know.
func started(t *testing.T, dir string, policy host.Policy) (*rawAgent, *testShell, *core, *testPage, string) {
	t.Helper()
	agent := startRawAgent(t)
	c, sh := startCore(t, dir, agent.url(), policy)
	p := dialPage(t, c, "")
	p.probe("")
	conv := p.create()
	p.say(conv, "hello")
	agent.count(p, "lineup.v1.message", 1)
	return agent, sh, c, p, conv
}

const inline = `{"instance_id":%q,"app":{"id":"com.example.w","name":"W","version":"1.0.0","html":"<p>"%s}}`

func TestWhichBundlesOpen(t *testing.T) {
	for _, c := range []struct {
		policy       host.Policy
		extra        string
		status, code string
	}{
		{host.PolicyAnySandboxed, ``, "ok", ""},
		{host.PolicyInstalledOnly, ``, "refused", "policy"},
		{host.PolicyAllowlisted, ``, "refused", "policy"},
		{host.PolicyAnySandboxed, `,"integrity":"sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="`, "refused", "integrity"},
	} {
		t.Run(string(c.policy)+c.code, func(t *testing.T) {
			agent, _, _, p, conv := started(t, t.TempDir(), c.policy)
			agent.say(conv, "o1", "ui.open", fmt.Sprintf(inline, "i", c.extra))
			got := agent.reply(p, "o1")
			code, _ := got["code"].(string)
			if got["status"] != c.status || code != c.code {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestFirstOwnInterfaceIsAsked(t *testing.T) {
	agent, _, _, p, conv := started(t, t.TempDir(), host.PolicyAsk)
	agent.say(conv, "o1", "ui.open", fmt.Sprintf(inline, "i", ""))
	agent.say(conv, "o2", "ui.open", fmt.Sprintf(inline, "j", ""))
	p.until("one question for both", func() bool { return len(p.prompts) == 1 && p.prompts[0].Kind == "surface" })
	p.decide("deny")
	for _, id := range []string{"o1", "o2"} {
		if got := agent.reply(p, id); got["status"] != "refused" || got["code"] != "user" {
			t.Errorf("%s: %v", id, got)
		}
	}
	// A no is for this once; a yes is for the agent.
	agent.say(conv, "o3", "ui.open", fmt.Sprintf(inline, "k", ""))
	p.decide("once")
	if got := agent.reply(p, "o3"); got["status"] != "ok" {
		t.Errorf("o3: %v", got)
	}
	agent.say(conv, "o4", "ui.open", fmt.Sprintf(inline, "l", ""))
	if got := agent.reply(p, "o4"); got["status"] != "ok" {
		t.Errorf("o4: %v", got)
	}
	var grants []uiapi.Grant
	p.must("grants.list", struct{}{}, &grants)
	if len(grants) != 1 {
		t.Fatalf("grants %v", grants)
	}
	p.must("grants.revoke", uiapi.GrantParams{ID: grants[0].ID}, nil)
	agent.say(conv, "o5", "ui.open", fmt.Sprintf(inline, "m", ""))
	p.until("asked again", func() bool { return len(p.prompts) == 1 })
}

const copyCall = `{"call_id":%q,"capability":"clipboard.write","reason":"r","arguments":{"text":%q}}`

func TestPromptGuard(t *testing.T) {
	agent, sh, _, p, conv := started(t, t.TempDir(), host.PolicyAsk)
	agent.say(conv, "k1", "app.call", fmt.Sprintf(copyCall, "c1", "x"))
	p.until("a prompt", func() bool { return len(p.prompts) == 1 })
	id := p.prompts[0].ID
	code := func(err error) uiapi.Code {
		var e *uiapi.Error
		errors.As(err, &e)
		if e == nil {
			return ""
		}
		return e.Code
	}
	if got := code(p.call("prompt.answer", uiapi.PromptAnswerParams{PromptID: id, Decision: "once"}, nil)); got != uiapi.BadParams {
		t.Errorf("an answer to what was never shown: %q", got)
	}
	var first, second uiapi.PromptShown
	p.must("prompt.shown", uiapi.PromptShownParams{PromptID: id}, &first)
	if got := code(p.call("prompt.answer", uiapi.PromptAnswerParams{PromptID: id, Nonce: first.Nonce, Decision: "once"}, nil)); got != uiapi.TooSoon {
		t.Errorf("an answer at once: %q", got)
	}
	p.must("prompt.shown", uiapi.PromptShownParams{PromptID: id}, &second)
	if got := code(p.call("prompt.answer", uiapi.PromptAnswerParams{PromptID: id, Nonce: first.Nonce, Decision: "once"}, nil)); got != uiapi.BadParams {
		t.Errorf("an answer to an earlier showing: %q", got)
	}
	if len(sh.copied()) != 0 {
		t.Error("it ran")
	}
	// Esc is a no at any time.
	p.must("prompt.answer", uiapi.PromptAnswerParams{PromptID: id, Decision: "deny"}, nil)
	if got := agent.reply(p, "k1"); got["status"] != "rejected" {
		t.Errorf("%v", got)
	}
}

func TestCallsThroughTheHost(t *testing.T) {
	agent, sh, _, p, conv := started(t, t.TempDir(), host.PolicyAsk)
	agent.say(conv, "k1", "app.call", fmt.Sprintf(copyCall, "c1", "x"))
	agent.say(conv, "k2", "app.call", fmt.Sprintf(copyCall, "c1", "x"))     // the same again
	agent.say(conv, "k3", "app.call", fmt.Sprintf(copyCall, "c1", "other")) // the same id for something else
	agent.say(conv, "k4", "app.call", `{"call_id":"c4","capability":"rm.rf","reason":"r","arguments":{}}`)
	agent.say(conv, "k5", "app.call", `{"call_id":"c5","capability":"clipboard.write","reason":"r","arguments":{"text":7}}`)
	for id, want := range map[string]string{"k3": "failed call_id_reused", "k4": "unsupported unknown_capability", "k5": "failed invalid_arguments"} {
		got := agent.reply(p, id)
		e, _ := got["error"].(map[string]any)
		if s := fmt.Sprint(got["status"], " ", e["code"]); s != want {
			t.Errorf("%s: %s, want %s", id, s, want)
		}
	}
	p.decide("once")
	for _, id := range []string{"k1", "k2"} {
		if got := agent.reply(p, id); got["status"] != "completed" {
			t.Errorf("%s: %v", id, got)
		}
	}
	if got := sh.copied(); len(got) != 1 || got[0] != "x" {
		t.Errorf("clipboard %q", got)
	}
	// Stop settles what waits as cancelled.
	agent.say(conv, "k6", "app.call", fmt.Sprintf(copyCall, "c6", "y"))
	p.until("a prompt", func() bool { return len(p.prompts) == 1 })
	p.must("run.stop", uiapi.ConversationParams{ConversationID: conv}, nil)
	if got := agent.reply(p, "k6"); got["status"] != "cancelled" {
		t.Errorf("after Stop: %v", got)
	}
	agent.count(p, "lineup.v1.cancel", 1)
}

func TestInventoryComesFirst(t *testing.T) {
	agent, _, _, p, conv := started(t, t.TempDir(), host.PolicyAsk)
	agent.mu.Lock()
	second := agent.got[1]
	agent.mu.Unlock()
	if second["type"] != "lineup.v1.client.inventory" {
		t.Fatalf("after hello came %v", second["type"])
	}
	raw, _ := json.Marshal(second["payload"])
	for _, want := range []string{`"catalog-`, `"clipboard.write"`, `"app.open_url"`, `"artifact.save"`, `"choice"`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %s in %s", want, raw)
		}
	}
	// Another agent's conversation is not this one's.
	agent.say("conv_of_somebody", "x1", "message", `{"text":"hi"}`)
	if got := agent.reply(p, "x1"); got["code"] != "unknown_conversation" {
		t.Errorf("%v", got)
	}
	_ = conv
}

func TestUISocketLetsNobodyElseIn(t *testing.T) {
	_, _, c, _, _ := started(t, t.TempDir(), host.PolicyAsk)
	url := "ws://" + c.ui.Addr() + "/ui"
	for name, h := range map[string]http.Header{
		"no origin":      {},
		"null":           {"Origin": {"null"}},
		"another origin": {"Origin": {"http://127.0.0.1:1"}},
		"another host":   {"Origin": {"http://" + c.ui.Addr()}, "Host": {"evil.example"}},
		"the surface's":  {"Origin": {c.frames.Origin()}},
	} {
		conn, _, err := websocket.DefaultDialer.Dial(url, h)
		if err == nil {
			conn.Close()
			t.Errorf("%s: let in", name)
		}
	}
	// The right origin without a ticket gets an answer and no more.
	conn, _, err := websocket.DefaultDialer.Dial(url, http.Header{"Origin": {"http://" + c.ui.Addr()}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"ui.hello","params":{"ticket":"x","locale":"en"}}`)); err != nil {
		t.Fatal(err)
	}
	_, data, err := conn.ReadMessage()
	if err != nil || !strings.Contains(string(data), "unauthorized") || strings.Contains(string(data), "token") {
		t.Errorf("%s %v", data, err)
	}
}

func TestProbeDecides(t *testing.T) {
	_, _, _, p, conv := started(t, t.TempDir(), host.PolicyAnySandboxed)
	_ = conv
	p.until("it is a preview", func() bool { return p.sandbox.State == "preview" })

	agent := startRawAgent(t)
	c, _ := startCore(t, t.TempDir(), agent.url(), host.PolicyAnySandboxed)
	p = dialPage(t, c, "")
	conv = p.create()
	p.say(conv, "hello")
	agent.count(p, "lineup.v1.message", 1)
	agent.say(conv, "o1", "ui.open", fmt.Sprintf(inline, "i", ""))
	agent.reply(p, "o1")
	item := p.show(conv, "i")
	if got := p.phase(item, surface.PhaseNone); got.FrameID != "" {
		t.Error("a frame before the probe has reported")
	}
	p.probe("storage")
	p.until("it failed", func() bool { return p.sandbox.State == "failed" && len(p.sandbox.Leaks) == 1 })
	p.must("surface.wake", uiapi.SlotParams{ItemID: item}, nil)
	if got := p.phase(item, surface.PhaseNone); got.FrameID != "" {
		t.Error("a frame although something got through")
	}
	agent.say(conv, "o2", "ui.open", fmt.Sprintf(inline, "j", ""))
	if got := agent.reply(p, "o2"); got["code"] != "unsealed" {
		t.Errorf("%v", got)
	}
	// Another web process is probed again, and until then nothing is shown.
	c.host.Reprobe()
	p.until("it is probed again", func() bool { return p.sandbox.State == "probing" })
	p.probe("")
	p.until("it is a preview", func() bool { return p.sandbox.State == "preview" })
	p.ready(item)
}
