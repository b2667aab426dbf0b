package preview

import (
	"strings"

	"lineup/surface"
)

// words of the findings that are not the bundle validator's: what it means and
// what to do, in English and Chinese. {detail} stands for the detail.
var words = map[string]struct{ en, enFix, zh, zhFix string }{
	"missing": {"It is not there.", "Save it again, or start the preview with another path.",
		"文件不存在。", "请重新保存，或用其他路径启动预览。"},
	"unreadable": {"It cannot be read.", "It must be a regular file or folder that you may read.",
		"无法读取。", "它必须是你有权读取的普通文件或文件夹。"},
	"too_long": {"It is larger than any recording or bundle may be.", "Split it.",
		"它超过了录制文件或界面包的大小上限。", "请拆分它。"},
	"bad_json": {"This is not JSON: {detail}", "Correct this place or just before it.",
		"这不是 JSON：{detail}", "请更正此处或稍前的位置。"},
	"bad_envelope": {"The envelope is refused: {detail}", "Each line is one lineup.v1 envelope, as the agent sends it; docs/PROTOCOL.md has them all.",
		"信封被拒绝：{detail}", "每行是一个 lineup.v1 信封，与智能体发送的一致；见 docs/PROTOCOL.md。"},
	"too_many": {"The recording has more than {detail} envelopes.", "Split it.",
		"录制中的信封超过 {detail} 个。", "请拆分它。"},
	"refused": {"The host refuses to open it ({detail}).", "See what else is listed.",
		"主机拒绝打开它（{detail}）。", "请参考列出的其他内容。"},
	"stopped_not_ready": {"It did not become ready in time, so users see that it does not start.", "Look for a script that never ends, or one that replaces the document.",
		"它没有及时就绪，用户会看到它无法启动。", "请检查是否有永不结束的脚本，或替换整个文档的脚本。"},
	"stopped_navigated": {"It tried to leave its document, so the host stopped it.", "Show another part of the same document, or send an event.",
		"它试图离开自己的文档，因此被主机停止。", "请在同一文档中切换显示，或发送事件。"},
	"stopped_hung": {"It stopped answering: a script runs without end.", "Do long work in small steps, with a timer between them.",
		"它停止了响应：有脚本在无休止地运行。", "请把耗时的工作分成小步，中间用定时器隔开。"},
	"stopped_crashed": {"The page’s process ended while it ran.", "Look for what needs that much, and do less of it.",
		"它运行时页面进程结束了。", "请检查是什么占用了过多资源，并减少它。"},
	"stopped_memory": {"It used up the memory.", "Keep less, and let go of what is not shown.",
		"它耗尽了内存。", "请减少保留的内容，释放不再显示的部分。"},
	"script_error": {"A script failed: {detail}", "Correct it; what comes after it did not run.",
		"脚本出错：{detail}", "请更正；之后的代码没有运行。"},
	"rejection": {"A promise was rejected and nobody took it: {detail}", "Catch it where it is made.",
		"有未处理的 Promise 拒绝：{detail}", "请在产生它的地方捕获。"},
	"event_rate": {"Events came faster than 60 a second and were dropped: {detail}", "Send what the user did, not every movement.",
		"事件超过每秒 60 个，已被丢弃：{detail}", "请只发送用户的操作，而不是每一次移动。"},
	"message_refused": {"A message of the surface was refused: {detail}", "Use LineUpSurface and nothing beside it.",
		"界面的一条消息被拒绝：{detail}", "请只使用 LineUpSurface。"},
	"blank": {"There is nothing to see: the content has no height.", "Draw something for this state, also when there is no data yet.",
		"没有可见内容：内容的高度为零。", "请为此状态绘制内容，没有数据时也一样。"},
	"timeout": {"It took too long: {detail}", "Give more time with --timeout, or look for what waits.",
		"耗时过长：{detail}", "请用 --timeout 延长时间，或检查是什么在等待。"},
	"not_sealed": {"The sandbox does not hold in this browser, so nothing was shown: {detail}", "Run `lineup doctor`.",
		"此浏览器中的沙箱无效，因此没有显示：{detail}", "请运行 `lineup doctor`。"},
	"nothing_recorded": {"There is no envelope of an agent in it.", "Record what the agent sends: one envelope a line, with sender.kind \"agent\".",
		"其中没有智能体的信封。", "请录制智能体发送的内容：每行一个信封，sender.kind 为“agent”。"},
}

// Words says what a finding means and what to do. lang is "en" or "zh-CN".
func Words(f surface.Finding, lang string) (what, fix string) {
	w, ok := words[f.Code]
	if !ok {
		return f.Words(lang)
	}
	what, fix = w.en, w.enFix
	if lang == "zh-CN" {
		what, fix = w.zh, w.zhFix
	}
	return strings.ReplaceAll(what, "{detail}", f.Detail), fix
}
