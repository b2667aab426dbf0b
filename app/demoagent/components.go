package demoagent

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"lineup/app/envelope"
)

// shown are the topics that the choice offers.
var shown = []struct{ id, en, zh, enMore, zhMore string }{
	{"weather", "Weather dashboard", "天气面板", "A surface with buttons", "带按钮的界面"},
	{"canvas", "SVG canvas", "SVG 画板", "Draw something", "画点什么"},
	{"chart", "Live chart", "实时图表", "Ten points a second", "每秒十个数据点"},
	{"progress", "Progress", "进度", "A job in steps", "分步骤的任务"},
	{"code", "Code", "代码", "A block with highlighting", "带高亮的代码块"},
}

func (r *run) choice(string) error {
	c := envelope.Choice{Prompt: pick(r.lang, "What shall I show you next?", "接下来想看什么？")}
	for _, t := range shown {
		c.Options = append(c.Options, envelope.ChoiceOption{
			ID: t.id, Label: pick(r.lang, t.en, t.zh), Description: pick(r.lang, t.enMore, t.zhMore),
		})
	}
	return r.emitAs(r.idFor("ask", "choice"), envelope.TypeChoice, c)
}

func (r *run) confirm(string) error {
	return r.emitAs(r.idFor("ask", "confirm"), envelope.TypeConfirm, envelope.Confirm{
		Prompt:       pick(r.lang, "Shall I pretend to tidy up the demo?", "要我假装整理一下演示吗？"),
		ConfirmLabel: pick(r.lang, "Yes, tidy up", "好的，整理"),
		CancelLabel:  pick(r.lang, "No, leave it", "不用了"),
		Tone:         "neutral",
	})
}

func (r *run) form(string) error {
	type m = map[string]any
	// Written out, because the form shows its fields in the order of this text.
	fields := []struct {
		name string
		is   m
	}{
		{"name", m{"type": "string", "title": pick(r.lang, "Your name", "你的名字"), "minLength": 1, "maxLength": 60}},
		{"nights", m{"type": "integer", "title": pick(r.lang, "Nights", "住几晚"), "minimum": 1, "maximum": 30, "default": 2}},
		{"room", m{"type": "string", "title": pick(r.lang, "Room", "房型"), "enum": []string{pick(r.lang, "quiet", "安静"), pick(r.lang, "sunny", "向阳"), pick(r.lang, "cheap", "便宜")}}},
		{"breakfast", m{"type": "boolean", "title": pick(r.lang, "With breakfast", "含早餐")}},
	}
	var properties strings.Builder
	for i, f := range fields {
		if i > 0 {
			properties.WriteByte(',')
		}
		fmt.Fprintf(&properties, "%q:%s", f.name, raw(f.is))
	}
	schema := m{"type": "object", "required": []string{"name", "nights"}, "properties": json.RawMessage("{" + properties.String() + "}")}
	return r.emitAs(r.idFor("ask", "form"), envelope.TypeInput, envelope.Input{
		Prompt:      pick(r.lang, "Book a room (only pretend)", "预订房间（只是演示）"),
		Schema:      raw(schema),
		Initial:     raw(m{"nights": 2}),
		SubmitLabel: pick(r.lang, "Book", "预订"),
	})
}

// componentResult says what the user's answer was.
func (r *run) componentResult(res envelope.ComponentResult) error {
	what, l, ok := purpose(res.ComponentID, "ask")
	if !ok || r.settled(res.ComponentID) {
		return nil
	}
	r.lang = l
	switch res.Status {
	case "cancelled":
		return r.say(pick(l, "You cancelled it, so I do nothing. That is fine.", "你取消了，所以我什么也不做，没关系。"))
	case "expired":
		return r.say(pick(l, "That question ran out of time.", "这个问题已过期。"))
	}
	switch what {
	case "choice":
		return r.chosen(res.Value)
	case "confirm":
		var yes bool
		if json.Unmarshal(res.Value, &yes) != nil {
			return r.oddAnswer()
		}
		if yes {
			return r.say(pick(l, "You confirmed. Everything is (pretend) tidy now.", "你确认了。（假装）一切都整理好了。"))
		}
		return r.say(pick(l, "You said no, so I left everything as it was.", "你说不用，所以我什么都没动。"))
	case "form":
		return r.filled(res.Value)
	}
	return nil
}

func (r *run) oddAnswer() error {
	return r.say(pick(r.lang, "I did not understand that answer.", "我没有看懂这个回答。"))
}

func (r *run) chosen(value json.RawMessage) error {
	var ids []string
	if json.Unmarshal(value, &ids) != nil || len(ids) == 0 {
		return r.oddAnswer()
	}
	for _, t := range shown {
		if t.id != ids[0] {
			continue
		}
		if err := r.say(fmt.Sprintf(pick(r.lang, "You chose **%s**.", "你选择了 **%s**。"), pick(r.lang, t.en, t.zh))); err != nil {
			return err
		}
		for _, top := range topics {
			if top.name == t.id {
				return top.script(r, "")
			}
		}
	}
	return r.oddAnswer()
}

// filled shows a form's answer as a table: its cells are plain text, so nothing
// that was typed can turn into Markdown.
func (r *run) filled(value json.RawMessage) error {
	var form struct {
		Name      string `json:"name"`
		Nights    int    `json:"nights"`
		Room      string `json:"room"`
		Breakfast bool   `json:"breakfast"`
	}
	if json.Unmarshal(value, &form) != nil {
		return r.oddAnswer()
	}
	if err := r.say(pick(r.lang, "Thank you. This is what I got:", "谢谢。我收到的是：")); err != nil {
		return err
	}
	room := form.Room
	if room == "" {
		room = "–"
	}
	_, err := r.emit(envelope.TypeTable, envelope.Table{
		Caption: pick(r.lang, "Your booking (only pretend)", "你的预订（只是演示）"),
		Columns: []string{pick(r.lang, "Field", "项目"), pick(r.lang, "Value", "内容")},
		Rows: [][]string{
			{pick(r.lang, "Name", "名字"), form.Name},
			{pick(r.lang, "Nights", "晚数"), fmt.Sprint(form.Nights)},
			{pick(r.lang, "Room", "房型"), room},
			{pick(r.lang, "Breakfast", "早餐"), map[bool]string{true: pick(r.lang, "yes", "要"), false: pick(r.lang, "no", "不要")}[form.Breakfast]},
		},
	})
	return err
}

// progress runs a job in three steps.
func (r *run) progress(string) error {
	if err := r.working(pick(r.lang, "Working…", "正在工作…")); err != nil {
		return err
	}
	labels := []string{pick(r.lang, "Collect", "收集"), pick(r.lang, "Compare", "比较"), pick(r.lang, "Write", "撰写")}
	p := envelope.Progress{ProgressID: "p." + r.base, Label: pick(r.lang, "Preparing a report", "正在准备报告")}
	const parts = 24
	for i := 0; i <= parts; i++ {
		value, most := float64(i), float64(parts)
		p.Value, p.Max = &value, &most
		if i == 0 {
			p.Value, p.Max = nil, nil // how much there is to do is not known yet
		}
		p.Steps = nil
		for s, label := range labels {
			state := "pending"
			switch {
			case i >= (s+1)*parts/len(labels):
				state = "done"
			case i >= s*parts/len(labels):
				state = "working"
			}
			p.Steps = append(p.Steps, envelope.ProgressStep{Label: label, State: state})
		}
		if _, err := r.emit(envelope.TypeProgress, p); err != nil {
			return err
		}
		if err := r.pause(120 * time.Millisecond); err != nil {
			return err
		}
	}
	return r.say(pick(r.lang, "The report is ready (it is empty – this is a demo).", "报告准备好了（内容为空，这是演示）。"))
}

func (r *run) failure(string) error {
	if _, err := r.emit(envelope.TypeError, envelope.ErrorPayload{
		Code: "demo_error", Retryable: true,
		Message: pick(r.lang, "This error is on purpose: it shows what a failure looks like.", "这个错误是故意的：让你看看失败时的样子。"),
	}); err != nil {
		return err
	}
	return r.say(pick(r.lang, "Nothing is broken. Say **progress** to see something that works.", "没有什么真的坏了。说 **进度** 看看正常的样子。"))
}

// chat is the answer to everything else.
func (r *run) chat(m envelope.Message) error {
	count := len([]rune(strings.TrimSpace(m.Text)))
	heard := fmt.Sprintf(pick(r.lang, "I read your message (%d characters)", "我读到了你的消息（%d 个字符）"), count)
	if n := len(m.Attachments); n > 0 {
		heard += fmt.Sprintf(pick(r.lang, " and see %d attached file(s)", "，并看到 %d 个附件"), n)
	}
	return r.tell(heard + pick(r.lang,
		", but I have to be honest: I am a **scripted demo**, not a model, and I only know a few words.\n\n",
		"，但要说实话：我只是一段**演示脚本**，不是模型，只认识几个词。\n\n") + suggestions(r.lang))
}

func (r *run) help(string) error {
	return r.tell(pick(r.lang, "Hello! I am a scripted demo of what an agent can do in LineUp.\n\n", "你好！我是一段脚本，演示代理在 LineUp 里能做什么。\n\n") + suggestions(r.lang))
}

func suggestions(l lang) string {
	return pick(l, `Try one of these:

- **weather** – an interface of mine, with buttons · **canvas** – draw · **chart** – live data
- **choice**, **confirm**, **form** – I ask, you answer
- **progress**, **error**, **plan**, **tool**, **reasoning** – what I am doing
- **markdown**, **table**, **code**, **diff**, **file**, **citation** – ways to show things
- **open**, **copy**, **save** – I ask to act on your machine, you decide · **refused** – and what happens if it does not exist
- **everything** – a short tour

You can write in Chinese, too: 天气、画板、图表…
`, `试试这些：

- **天气**：带按钮的界面 · **画板**：画画 · **图表**：实时数据
- **选择**、**确认**、**表单**：我提问，你回答
- **进度**、**出错**、**计划**、**工具**、**推理**：我在做什么
- **排版**、**表格**、**代码**、**差异**、**文件**、**引用**：展示的方式
- **打开网页**、**复制**、**保存**：我请求操作你的电脑，由你决定 · **拒绝**：能力不存在时会怎样
- **全部**：简短导览

也可以用英文：weather, canvas, chart…
`)
}
