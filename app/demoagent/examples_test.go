package demoagent

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"lineup/app/envelope"
)

// The examples do the main job, too. Each is skipped where its interpreter or
// its one package is absent.
func TestExamples(t *testing.T) {
	for _, ex := range []struct {
		name, id string
		command  []string
		needs    []string // must succeed for the test to run
	}{
		{"node", "node-example", []string{"node", "agent.mjs", "--port", "0"}, []string{"node", "--input-type=module", "-e", `import "ws"`}},
		{"python", "python-example", []string{"/usr/bin/python3", "-B", "agent.py", "--port", "0"}, []string{"/usr/bin/python3", "-c", "import websockets"}},
	} {
		t.Run(ex.name, func(t *testing.T) {
			dir, err := filepath.Abs(filepath.Join("..", "..", "examples", ex.name+"-agent"))
			if err != nil {
				t.Fatal(err)
			}
			need := exec.Command(ex.needs[0], ex.needs[1:]...)
			need.Dir = dir
			if out, err := need.CombinedOutput(); err != nil {
				t.Skipf("%v: %s", err, out)
			}
			url := start(t, dir, ex.command)
			if conn, _, err := (&websocket.Dialer{Subprotocols: []string{Subprotocol}}).Dial(url, header("Origin", "http://evil.example")); err == nil {
				conn.Close()
				t.Error("a web page may connect")
			}
			exampleJob(t, url, ex.id)
		})
	}
}

// start runs an agent and gives the address that it prints.
func start(t *testing.T, dir string, command []string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the agent printed no address: %v", err)
	}
	return strings.TrimSpace(line)
}

func exampleJob(t *testing.T, url, id string) {
	me := envelope.Party{Kind: envelope.KindAgent, ID: id}
	join := func(points ...envelope.ResumePoint) (*peer, envelope.Ready) {
		p := dialURL(t, url)
		p.agent = me
		return p, p.hello("en", points...)
	}
	p, ready := join()
	if ready.Agent.ID != id {
		t.Errorf("agent = %+v", ready.Agent)
	}
	if ready.Conversations == nil {
		t.Error("an agent with nothing to resume names no list: what it never got is not sent again")
	}
	p.say("c1", "How is the weather?")
	open := content[envelope.UIOpen](t, p.until(envelope.TypeUIOpen))
	if open.App.Name != "Weather dashboard" || open.App.Integrity != integrity(open.App.HTML, open.App.CSS, open.App.JS) {
		t.Errorf("app %q, integrity %q", open.App.Name, open.App.Integrity)
	}
	refresh(p, open.InstanceID)
	if patch := content[envelope.UIPatch](t, p.until(envelope.TypeUIPatch)); !strings.Contains(string(patch.State), `"temperature": 24`) &&
		!strings.Contains(string(patch.State), `"temperature":24`) {
		t.Errorf("patch = %s", patch.State)
	}
	call := content[envelope.AppCall](t, p.until(envelope.TypeAppCall))
	if string(call.Arguments) == "" || !strings.Contains(string(call.Arguments), "24 °C, updated 1 time") && !strings.Contains(string(call.Arguments), `24 \u00b0C, updated 1 time`) {
		t.Errorf("arguments = %s", call.Arguments)
	}
	last := p.got[len(p.got)-2] // the patch: the host lost the call
	answered := p.send("c1", envelope.TypeAppResult, envelope.AppResult{CallID: call.CallID, Status: "completed"})
	if got := p.untilMessage(); !strings.Contains(got, "Copied") {
		t.Errorf("after completed: %q", got)
	}
	p.sendRaw(websocket.TextMessage, []byte(`{"v":1,`))
	p.until(envelope.TypeError)
	p.conn.Close()

	q, ready := join(point1("c1", string(last.ID)))
	*q.n = *p.n
	if len(ready.Conversations) != 1 || ready.Conversations[0] != point1("c1", string(answered.ID)) {
		t.Errorf("resume points = %+v, want %s", ready.Conversations, answered.ID)
	}
	if again := content[envelope.AppCall](t, q.next()); again.CallID != call.CallID {
		t.Errorf("resumed with call %s, want %s", again.CallID, call.CallID)
	}
	q.untilMessage()
	q.sendAs(string(answered.ID), "c1", envelope.TypeAppResult, envelope.AppResult{CallID: call.CallID, Status: "completed"})
	q.send("c1", envelope.TypeUIEvent, envelope.UIEvent{InstanceID: open.InstanceID, Event: "copy", Data: json.RawMessage(`{}`)})
	e := q.next()
	if e.Type != envelope.TypeAppCall {
		t.Fatalf("after a repeated result and the copy button: %s", e.Type)
	}
	q.send("c1", envelope.TypeAppResult, envelope.AppResult{
		CallID: content[envelope.AppCall](t, e).CallID, Status: "rejected", Error: &envelope.AppError{Code: "user", Message: "no"},
	})
	if got := q.untilMessage(); !strings.Contains(got, "not copied") {
		t.Errorf("after rejected: %q", got)
	}
	if _, ready := join(point1("c1", ""), point1("before-its-restart", "x")); ready.Conversations != nil {
		t.Errorf("it forgot a conversation and asks for all of it again: %+v", ready.Conversations)
	}
}
