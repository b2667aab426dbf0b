package demoagent

import (
	"strings"
	"unicode"
)

// topic is one thing the agent can show. English words match whole words (and
// their plain plural), Chinese ones match anywhere.
type topic struct {
	name   string
	en, zh []string
	script func(*run, string) error
}

// topics in the order in which they are looked for: the more special first.
var topics []topic

// It is filled at start because a script (help, the tour) reads it too.
func init() {
	topics = []topic{
		{"everything", []string{"everything", "tour"}, []string{"全部", "所有", "导览"}, (*run).everything},
		{"refused", []string{"refused", "refuse", "refusal", "unsupported"}, []string{"拒绝", "不支持"}, (*run).refused},
		{"weather", []string{"weather", "forecast", "dashboard"}, []string{"天气", "气温"}, (*run).weather},
		{"canvas", []string{"canvas", "draw", "drawing", "paint", "sketch"}, []string{"画板", "画布", "画图", "绘画"}, (*run).canvas},
		{"chart", []string{"chart", "graph"}, []string{"图表", "曲线", "折线"}, (*run).chart},
		{"choice", []string{"choice", "choose", "option"}, []string{"选择", "选项"}, (*run).choice},
		{"confirm", []string{"confirm", "confirmation"}, []string{"确认"}, (*run).confirm},
		{"form", []string{"form", "input"}, []string{"表单", "输入"}, (*run).form},
		{"progress", []string{"progress"}, []string{"进度"}, (*run).progress},
		{"error", []string{"error", "fail", "failure"}, []string{"出错", "错误"}, (*run).failure},
		{"markdown", []string{"markdown", "formatting", "format"}, []string{"排版", "格式"}, (*run).markdown},
		{"copy", []string{"copy", "clipboard"}, []string{"复制", "剪贴板"}, (*run).copy},
		{"save", []string{"save", "artifact", "download"}, []string{"保存"}, (*run).save},
		{"open", []string{"open", "url", "link", "website"}, []string{"打开网页", "网页", "链接", "网址"}, (*run).openURL},
		{"table", []string{"table"}, []string{"表格"}, (*run).table},
		{"plan", []string{"plan"}, []string{"计划"}, (*run).plan},
		{"tool", []string{"tool"}, []string{"工具"}, (*run).tool},
		{"code", []string{"code"}, []string{"代码"}, (*run).code},
		{"diff", []string{"diff", "patch"}, []string{"差异", "对比"}, (*run).diff},
		{"reasoning", []string{"reasoning", "think", "thinking"}, []string{"推理", "思考"}, (*run).reasoning},
		{"file", []string{"file"}, []string{"文件"}, (*run).file},
		{"citation", []string{"citation", "cite", "source"}, []string{"引用", "来源"}, (*run).citation},
		{"help", []string{"help", "hello", "hi", "hey"}, []string{"帮助", "你好", "您好", "帮忙"}, (*run).help},
	}
}

// findTopic gives the first topic that text asks for.
func findTopic(text string) (topic, bool) {
	folded := strings.ToLower(text)
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[w] = true
		words[strings.TrimSuffix(w, "s")] = true
	}
	for _, t := range topics {
		for _, k := range t.en {
			if words[k] {
				return t, true
			}
		}
		for _, k := range t.zh {
			if strings.Contains(folded, k) {
				return t, true
			}
		}
	}
	return topic{}, false
}
