package demoagent

import (
	"fmt"
	"time"

	"lineup/app/envelope"
)

// call asks for a capability. What it is for is part of the call's id.
func (r *run) call(what, capability, reason string, args map[string]any) error {
	if what != "refused" && !r.c.offers(capability) {
		return r.say(fmt.Sprintf(pick(r.lang,
			"Your LineUp does not offer `%s`, so I did not ask (not copied, opened or saved).",
			"你的 LineUp 没有提供 `%s`，所以我没有请求（没有复制、打开或保存）。"), capability))
	}
	id := r.idFor("call", what)
	return r.emitAs(id, envelope.TypeAppCall, envelope.AppCall{
		CallID: id, Capability: capability, Reason: reason, Arguments: raw(args),
	})
}

func (c *conversation) offers(name string) bool {
	c.mu.Lock()
	sess := c.sess
	c.mu.Unlock()
	return sess == nil || sess.offers(name)
}

// saveFile asks to save a text file.
func (r *run) saveFile(what, reason, name, text string) error {
	return r.call(what, "artifact.save", reason, map[string]any{"name": name, "text": text})
}

func (r *run) copy(string) error {
	if err := r.say(pick(r.lang, "I would like to put one line on your clipboard. You decide.", "我想把一行文字放到你的剪贴板，由你决定。")); err != nil {
		return err
	}
	return r.call("copy", "clipboard.write", pick(r.lang, "Show how an agent copies text", "演示代理如何复制文本"),
		map[string]any{"text": pick(r.lang, "Hello from the LineUp demo agent", "来自 LineUp 演示代理的问候")})
}

func (r *run) openURL(string) error {
	if err := r.say(pick(r.lang, "I would like to open a web page in your browser. You see the address first.", "我想在你的浏览器里打开一个网页，你会先看到地址。")); err != nil {
		return err
	}
	id := r.idFor("call", "open")
	if !r.c.offers("app.open_url") {
		return r.call("open", "app.open_url", "", nil)
	}
	return r.emitAs(id, envelope.TypeAppCall, envelope.AppCall{
		CallID: id, Capability: "app.open_url",
		Reason:    pick(r.lang, "Show how an agent opens a page", "演示代理如何打开网页"),
		ExpiresAt: &envelope.Time{Time: r.c.s.clock.Now().Add(10 * time.Minute).UTC()},
		Arguments: raw(map[string]any{"url": "https://example.com/"}),
	})
}

func (r *run) save(string) error {
	if err := r.say(pick(r.lang, "I would like to save a small note as a file. You choose whether.", "我想把一个小便签保存为文件，由你决定。")); err != nil {
		return err
	}
	return r.saveFile("save", pick(r.lang, "Show how an agent saves a file", "演示代理如何保存文件"),
		"lineup-note.md", pick(r.lang, "# A note\n\nWritten by the LineUp demo agent.\n", "# 便签\n\n由 LineUp 演示代理写成。\n"))
}

// refused calls something that no host has, to show what happens then.
func (r *run) refused(string) error {
	if err := r.say(pick(r.lang, "I now ask for `demo.launch_rocket`, which no host offers. Watch: nothing happens to your machine.", "我现在请求 `demo.launch_rocket`，没有宿主提供它。请看：你的电脑不会有任何事发生。")); err != nil {
		return err
	}
	return r.call("refused", "demo.launch_rocket", pick(r.lang, "Show how an unknown capability is refused", "演示未知能力如何被拒绝"),
		map[string]any{"to": "moon"})
}

// callResult says what became of a call of ours.
func (r *run) callResult(res envelope.AppResult) error {
	what, l, ok := purpose(res.CallID, "call")
	if !ok || r.settled(res.CallID) {
		return nil
	}
	r.lang = l
	if what == "refused" {
		if res.Status == "unsupported" {
			return r.say(pick(l,
				"As expected, the answer is `unsupported`: your LineUp runs only what it has declared, whatever an agent asks for.",
				"不出所料，回答是 `unsupported`：无论代理请求什么，你的 LineUp 只执行它声明过的能力。"))
		}
		return r.say(fmt.Sprintf(pick(l, "The answer is `%s`, and nothing was launched.", "回答是 `%s`，什么也没有发射。"), plainWord(res.Status)))
	}
	if res.Status == "completed" {
		return r.say(map[string]string{
			"weather": pick(l, "Copied – the weather summary is on your clipboard.", "已复制：天气摘要在你的剪贴板上。"),
			"copy":    pick(l, "Copied – the line is on your clipboard.", "已复制：这行文字在你的剪贴板上。"),
			"open":    pick(l, "Opened – the page is in your browser.", "已打开：网页在你的浏览器里。"),
			"save":    pick(l, "Saved – the note is a file now.", "已保存：便签已成为文件。"),
			"canvas":  pick(l, "Saved – your drawing is a file now.", "已保存：你的图画已成为文件。"),
		}[what])
	}
	undone := map[string]string{
		"weather": pick(l, "the summary was not copied", "摘要没有复制"),
		"copy":    pick(l, "the line was not copied", "这行文字没有复制"),
		"open":    pick(l, "the page was not opened", "网页没有打开"),
		"save":    pick(l, "the note was not saved", "便签没有保存"),
		"canvas":  pick(l, "the drawing was not saved", "图画没有保存"),
	}[what]
	if undone == "" {
		return nil // not a purpose of this version
	}
	return r.say(fmt.Sprintf(pick(l, "%s: %s.", "%s：%s。"), whyNot(res, l), undone))
}

// whyNot puts a status into words that respect the decision.
func whyNot(res envelope.AppResult, l lang) string {
	switch res.Status {
	case "rejected":
		if res.Error != nil && res.Error.Code == "policy" {
			return pick(l, "Your policy says no, and I respect that", "你的策略不允许，我尊重它")
		}
		return pick(l, "You said no, and I respect that", "你没有允许，我尊重你的决定")
	case "cancelled":
		return pick(l, "The request was cancelled", "请求已取消")
	case "expired":
		return pick(l, "The request ran out of time", "请求已过期")
	case "unsupported":
		return pick(l, "Your LineUp does not offer this", "你的 LineUp 不提供这个能力")
	default:
		return pick(l, "It did not work", "没有成功")
	}
}
