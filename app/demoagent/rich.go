package demoagent

import (
	"encoding/base64"
	"time"

	"lineup/app/envelope"
)

// The ways to show things.

func (r *run) markdown(string) error {
	return r.tell(pick(r.lang, markdownEN, markdownZH))
}

const markdownEN = `## What Markdown can do

Text can be **bold**, *italic*, ~~gone~~ or ` + "`code`" + `. A [link](https://example.com/) shows where it goes.

1. First
2. Second
   - with a detail

- [x] a finished task
- [ ] an open one

> A quotation stands apart.

| Fruit | Season | Stock |
|:------|:------:|------:|
| Apple | autumn |    12 |
| Cherry | summer |    3 |

` + "```go\nfunc greet(name string) string {\n\treturn \"Hello, \" + name\n}\n```\n"

const markdownZH = `## Markdown 能做什么

文字可以**加粗**、*倾斜*、~~删除~~，也可以是 ` + "`代码`" + `。[链接](https://example.com/)会显示它的去处。

1. 第一
2. 第二
   - 附带细节

- [x] 已完成的任务
- [ ] 未完成的任务

> 引用自成一段。

| 水果 | 季节 | 库存 |
|:-----|:----:|-----:|
| 苹果 | 秋天 |   12 |
| 樱桃 | 夏天 |    3 |

` + "```go\nfunc greet(name string) string {\n\treturn \"你好，\" + name\n}\n```\n"

func (r *run) table(string) error {
	_, err := r.emit(envelope.TypeTable, envelope.Table{
		Caption: pick(r.lang, "Trains this morning (made up)", "今天上午的列车（虚构）"),
		Columns: []string{pick(r.lang, "Train", "车次"), pick(r.lang, "Leaves", "发车"), pick(r.lang, "Platform", "站台")},
		Rows:    [][]string{{"G 12", "08:15", "4"}, {"D 305", "08:40", "11"}, {"G 88", "09:05", "2"}},
	})
	return err
}

func (r *run) plan(string) error {
	labels := []string{pick(r.lang, "Understand the question", "理解问题"), pick(r.lang, "Look things up", "查找资料"), pick(r.lang, "Write the answer", "写出回答")}
	for at := 0; at <= len(labels); at++ {
		p := envelope.Plan{PlanID: "plan." + r.base, Title: pick(r.lang, "My plan", "我的计划")}
		for i, label := range labels {
			state := "pending"
			if i < at {
				state = "done"
			} else if i == at {
				state = "working"
			}
			p.Steps = append(p.Steps, envelope.ProgressStep{Label: label, State: state})
		}
		if _, err := r.emit(envelope.TypePlan, p); err != nil {
			return err
		}
		if err := r.pause(500 * time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) tool(string) error {
	t := envelope.Tool{ToolID: "tool." + r.base, Name: "search_library", Arguments: raw(map[string]any{"query": pick(r.lang, "tea", "茶")}), State: "running"}
	if _, err := r.emit(envelope.TypeTool, t); err != nil {
		return err
	}
	cut := t
	cut.State = "failed"
	r.loose = &loose{envelope.TypeTool, cut}
	if err := r.pause(800 * time.Millisecond); err != nil {
		return err
	}
	r.loose = nil
	t.State, t.Result = "done", raw(map[string]any{"found": 3, "note": pick(r.lang, "made up", "虚构")})
	_, err := r.emit(envelope.TypeTool, t)
	return err
}

func (r *run) code(string) error {
	_, err := r.emit(envelope.TypeCode, envelope.Code{
		Language: "python", Filename: "fib.py",
		Text: "def fib(n: int) -> int:\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a\n\n\nprint([fib(i) for i in range(10)])\n",
	})
	return err
}

func (r *run) diff(string) error {
	_, err := r.emit(envelope.TypeDiff, envelope.Diff{
		Path: "greeting.txt",
		Unified: "--- a/greeting.txt\n+++ b/greeting.txt\n@@ -1,3 +1,3 @@\n " + pick(r.lang, "Dear guest,", "尊敬的客人：") +
			"\n-" + pick(r.lang, "welcom.", "欢应光临。") + "\n+" + pick(r.lang, "welcome!", "欢迎光临！") + "\n " + pick(r.lang, "The team", "团队") + "\n",
	})
	return err
}

func (r *run) reasoning(string) error {
	text := ""
	for _, piece := range []string{
		pick(r.lang, "The user wants to see reasoning. ", "用户想看推理过程。"),
		pick(r.lang, "I am a script, so I have none of my own. ", "我是脚本，没有自己的推理。"),
		pick(r.lang, "I show what it would look like.", "我来展示它的样子。"),
	} {
		text += piece
		r.loose = &loose{envelope.TypeReasoning, envelope.Reasoning{ReasoningID: "r." + r.base, Text: text, State: "done"}}
		if _, err := r.emit(envelope.TypeReasoning, envelope.Reasoning{ReasoningID: "r." + r.base, Text: text, State: "working"}); err != nil {
			return err
		}
		if err := r.pause(400 * time.Millisecond); err != nil {
			return err
		}
	}
	if _, err := r.emit(envelope.TypeReasoning, envelope.Reasoning{ReasoningID: "r." + r.base, Text: text, State: "done"}); err != nil {
		return err
	}
	r.loose = nil
	return r.say(pick(r.lang, "That was reasoning, folded away above.", "上面折叠起来的就是推理过程。"))
}

func (r *run) file(string) error {
	data := []byte(pick(r.lang, "city,temperature\nBeijing,22\nOslo,9\n", "城市,温度\n北京,22\n奥斯陆,9\n"))
	_, err := r.emit(envelope.TypeFile, envelope.File{
		ArtifactID: "file." + r.base, Name: "weather.csv", MIME: "text/csv",
		Size: int64(len(data)), Data: base64.StdEncoding.EncodeToString(data),
	})
	return err
}

func (r *run) citation(string) error {
	_, err := r.emit(envelope.TypeCitation, envelope.Citation{
		Title: "RFC 7396: JSON Merge Patch", URL: "https://www.rfc-editor.org/rfc/rfc7396",
		Quote: "This specification defines the JSON merge patch format and processing rules.",
	})
	return err
}

// everything is the tour: one of each, then an interface and a question.
func (r *run) everything(string) error {
	if err := r.working(pick(r.lang, "Showing you around…", "正在带你参观…")); err != nil {
		return err
	}
	if err := r.tell(pick(r.lang, "A short tour. **Stop** ends it at any time.", "简短导览，随时可以点 **停止**。")); err != nil {
		return err
	}
	for _, step := range []func(*run, string) error{
		(*run).reasoning, (*run).plan, (*run).tool, (*run).markdown, (*run).table, (*run).code, (*run).diff,
		(*run).file, (*run).citation, (*run).progress, (*run).weather, (*run).choice,
	} {
		if err := step(r, ""); err != nil {
			return err
		}
		if err := r.pause(250 * time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}
