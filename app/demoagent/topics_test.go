package demoagent

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"lineup/app/envelope"
)

func has(t envelope.Type) func(*testing.T, *peer) {
	return func(_ *testing.T, p *peer) { p.until(t) }
}

// Each keyword, in both languages, shows what it says.
func TestTopics(t *testing.T) {
	for _, tc := range []struct {
		en, zh string
		check  func(*testing.T, *peer)
	}{
		{"Show me the weather!", "看看天气", has(envelope.TypeUIOpen)},
		{"let me draw", "打开画板", has(envelope.TypeUIOpen)},
		{"charts", "图表", has(envelope.TypeUIOpen)},
		{"choice", "选择", has(envelope.TypeChoice)},
		{"please confirm", "确认一下", has(envelope.TypeConfirm)},
		{"a form", "表单", has(envelope.TypeInput)},
		{"progress", "进度", has(envelope.TypeProgress)},
		{"error", "出错", has(envelope.TypeError)},
		{"markdown", "排版", has(envelope.TypeMessageEnd)},
		{"open", "打开网页", call("app.open_url")},
		{"copy", "复制", call("clipboard.write")},
		{"save", "保存", call("artifact.save")},
		{"refused", "拒绝", call("demo.launch_rocket")},
		{"table", "表格", has(envelope.TypeTable)},
		{"plan", "计划", has(envelope.TypePlan)},
		{"tool", "工具", has(envelope.TypeTool)},
		{"code", "代码", has(envelope.TypeCode)},
		{"diff", "差异", has(envelope.TypeDiff)},
		{"reasoning", "推理", has(envelope.TypeReasoning)},
		{"file", "文件", has(envelope.TypeFile)},
		{"citation", "引用", has(envelope.TypeCitation)},
		{"everything", "全部", has(envelope.TypeChoice)},
	} {
		for _, text := range []string{tc.en, tc.zh} {
			t.Run(text, func(t *testing.T) {
				p, _ := connect(t, serve(t, Options{}), "en")
				p.say("c1", text)
				tc.check(t, p)
				for _, e := range p.got {
					if zh := textLang(string(e.Payload)) == chinese; e.Type == envelope.TypeMessage && zh != (text == tc.zh) {
						t.Errorf("answered in the other language: %s", e.Payload)
					}
				}
			})
		}
	}
}

func call(name string) func(*testing.T, *peer) {
	return func(t *testing.T, p *peer) {
		c := content[envelope.AppCall](t, p.until(envelope.TypeAppCall))
		if c.Capability != name || c.Reason == "" {
			t.Errorf("call = %+v", c)
		}
	}
}

// Anything else is echoed honestly, in its language, with suggestions.
func TestOtherMessages(t *testing.T) {
	for _, tc := range []struct{ text, say, hint string }{
		{"What is love?", "scripted demo", "**weather**"},
		{"人生的意义是什么", "演示脚本", "**天气**"},
		{"", "0 characters", "**weather**"},
		{"I am weatherproof", "scripted demo", "**weather**"}, // no whole word
	} {
		p, _ := connect(t, serve(t, Options{}), "en")
		p.say("c1", tc.text)
		if got := p.untilStreamed(); !strings.Contains(got, tc.say) || !strings.Contains(got, tc.hint) {
			t.Errorf("%q was answered: %q", tc.text, got)
		}
	}
}

func TestGreeting(t *testing.T) {
	s := serve(t, Options{})
	for _, tc := range []struct{ locale, want string }{{"en-GB", "Hello"}, {"zh-CN", "你好"}, {"de", "Hello"}} {
		p, ready := connect(t, s, tc.locale, point1("new-"+tc.locale, ""), point1("old-"+tc.locale, "some-id"))
		if ready.Conversations != nil {
			t.Errorf("asks for all of a forgotten conversation: %+v", ready.Conversations)
		}
		if ready.Agent.ID != "demo" || !strings.HasPrefix(ready.Agent.Icon, "data:image/svg+xml;base64,") {
			t.Errorf("agent = %+v", ready.Agent)
		}
		if got := p.untilMessage(); !strings.HasPrefix(got, tc.want) {
			t.Errorf("%s: %q", tc.locale, got)
		}
		if e := p.got[len(p.got)-1]; e.ConversationID != envelope.ConversationID("new-"+tc.locale) {
			t.Errorf("greeted in %s", e.ConversationID)
		}
	}
}

func TestComponentAnswers(t *testing.T) {
	for _, tc := range []struct{ ask, status, value, want string }{
		{"choice", "answered", `["code"]`, "You chose **Code**"},
		{"choice", "answered", `["nothing"]`, "did not understand"},
		{"confirm", "answered", `true`, "You confirmed"},
		{"confirm", "answered", `false`, "You said no"},
		{"form", "answered", `{"name":"A|B","nights":3}`, "what I got"},
		{"form", "answered", `["text"]`, "did not understand"},
		{"confirm", "cancelled", ``, "You cancelled"},
		{"表单", "expired", ``, "已过期"},
	} {
		p, _ := connect(t, serve(t, Options{}), "en")
		p.say("c1", tc.ask)
		var id envelope.ID
		for id == "" {
			switch e := p.next(); e.Type {
			case envelope.TypeChoice, envelope.TypeConfirm, envelope.TypeInput:
				id = e.ID
			}
		}
		answer := envelope.ComponentResult{ComponentID: string(id), Status: tc.status}
		if tc.value != "" {
			answer.Value = json.RawMessage(tc.value)
		}
		p.send("c1", envelope.TypeComponentResult, answer)
		if got := p.untilMessage(); !strings.Contains(got, tc.want) {
			t.Errorf("%s %s %s: %q", tc.ask, tc.status, tc.value, got)
		}
		if strings.Contains(tc.want, "got") {
			if tab := content[envelope.Table](t, p.until(envelope.TypeTable)); tab.Rows[0][1] != "A|B" {
				t.Errorf("table = %+v", tab)
			}
		}
		// The same answer again, under another id, changes nothing.
		p.send("c1", envelope.TypeComponentResult, answer)
		p.say("c1", "diff")
		p.until(envelope.TypeDiff)
		count := 0
		for _, e := range p.got {
			if e.Type == envelope.TypeMessage && strings.Contains(string(e.Payload), tc.want) {
				count++
			}
		}
		if count != 1 {
			t.Errorf("%s: answered %d times", tc.ask, count)
		}
	}
}

func TestCallResultsInWords(t *testing.T) {
	for _, tc := range []struct{ ask, status, code, want string }{
		{"refused", "unsupported", "unknown_capability", "`unsupported`"},
		{"open", "completed", "", "Opened"},
		{"open", "rejected", "policy", "Your policy says no"},
		{"save", "rejected", "user", "the note was not saved"},
		{"保存", "failed", "io", "便签没有保存"},
		{"copy", "expired", "expired", "not copied"},
		{"copy", "cancelled", "stop", "cancelled"},
		{"copy", "unsupported", "revoked", "does not offer"},
	} {
		p, _ := connect(t, serve(t, Options{}), "en")
		p.say("c1", tc.ask)
		c := content[envelope.AppCall](t, p.until(envelope.TypeAppCall))
		res := envelope.AppResult{CallID: c.CallID, Status: tc.status}
		if tc.code != "" {
			res.Error = &envelope.AppError{Code: tc.code, Message: "<b>raw</b>"}
		}
		p.send("c1", envelope.TypeAppResult, res)
		if got := p.untilMessage(); !strings.Contains(got, tc.want) || strings.Contains(got, "raw") {
			t.Errorf("%s %s: %q", tc.ask, tc.status, got)
		}
	}
}

// What the host's inventory does not have is not asked for.
func TestInventoryIsRespected(t *testing.T) {
	p, _ := connect(t, serve(t, Options{}), "en")
	p.send("", envelope.TypeInventory, envelope.Inventory{
		Revision: "catalog-1", Capabilities: []envelope.CapabilityInfo{{Name: "app.open_url", Version: "1.0", Risk: "user_confirmation"}},
	})
	p.say("c1", "copy")
	p.untilMessage()
	if got := p.untilMessage(); !strings.Contains(got, "does not offer `clipboard.write`") {
		t.Errorf("said %q", got)
	}
	p.say("c1", "open")
	p.until(envelope.TypeAppCall)
}

func TestPiecesAreWholeCharacters(t *testing.T) {
	text := "家庭👩‍👩‍👧 family, نص عربي\n\nveryveryverylongword 天气面板天气面板天气"
	got := ""
	for _, p := range pieces(text) {
		if !utf8.ValidString(p) || p == "" {
			t.Errorf("piece %q", p)
		}
		got += p
	}
	if got != text {
		t.Errorf("joined = %q", got)
	}
}

func TestCityOf(t *testing.T) {
	for _, tc := range []struct {
		text string
		l    lang
		want string
	}{
		{"weather", english, "Beijing"},
		{"weather in oslo", english, "Oslo"},
		{"What's the weather in são paulo today?", english, "São Paulo"},
		{"weather in the morning", english, "Beijing"},
		{"天气", chinese, "北京"},
		{"上海天气", chinese, "上海"},
		{"看看上海的天气", chinese, "上海"},
		{"今天天气怎么样", chinese, "北京"},
	} {
		if got := cityOf(tc.text, tc.l); got != tc.want {
			t.Errorf("cityOf(%q) = %q, want %q", tc.text, got, tc.want)
		}
	}
}
