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
