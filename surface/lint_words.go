package surface

import "strings"

// lintWords says for each code of a Finding what it means and what to do, in
// English and Chinese. {detail} stands for Finding.Detail.
var lintWords = map[string]struct{ en, enFix, zh, zhFix string }{
	CodeBadApp: {"The bundle is refused: {detail}", "Correct this field.",
		"此界面包被拒绝：{detail}", "请更正这个字段。"},
	CodeTooLarge: {"The bundle is refused because it is too large: {detail}", "Leave out what is not used, and send data as state instead of packing it in.",
		"此界面包过大，被拒绝：{detail}", "去掉没有用到的内容；数据请通过状态发送，不要打包进去。"},
	CodeIntegrity: {"The bundle is refused: its integrity is not the digest of these files.", "Run `lineup bundle pack` again, or leave integrity out while you work on it.",
		"此界面包被拒绝：integrity 与文件内容的摘要不符。", "重新运行 `lineup bundle pack`，或在开发时去掉 integrity。"},
	CodeBadState: {"The state is refused: {detail}", "The state is one JSON object.",
		"状态被拒绝：{detail}", "状态必须是一个 JSON 对象。"},
	CodeBadBundle: {"The bundle cannot be read: {detail}", "Correct this place.",
		"无法读取此界面包：{detail}", "请更正此处。"},

	"js_syntax": {"The script does not run at all: {detail}", "Correct the syntax here or just before.",
		"脚本完全无法运行：{detail}", "请更正此处或稍前位置的语法。"},
	"module": {"The script does not run at all: “{detail}” is for modules, and this is a plain script.", "Bundle all code into one script without import and export.",
		"脚本完全无法运行：“{detail}”只能用于模块，而这里是普通脚本。", "请把所有代码打包成一个不含 import 和 export 的脚本。"},
	"import": {"“{detail}” is blocked: a surface loads no code.", "Bundle all code into the script.",
		"“{detail}”会被阻止：界面不能加载代码。", "请把所有代码打包进脚本。"},
	"script_src": {"This script is not loaded, because the CSP forbids script files: {detail}", "Put the code into script.js or between the tags.",
		"此脚本不会加载，因为 CSP 禁止脚本文件：{detail}", "请把代码放进 script.js 或写在标签之间。"},
	"stylesheet_link": {"This style sheet is not loaded, because the CSP forbids style files: {detail}", "Put the rules into style.css or a style element.",
		"此样式表不会加载，因为 CSP 禁止样式文件：{detail}", "请把规则放进 style.css 或 style 元素。"},
	"link_element": {"A link element has no effect in a surface ({detail}).", "Remove it.",
		"link 元素在界面中不起作用（{detail}）。", "请删除它。"},
	"css_import": {"The import is not loaded, because the CSP forbids style files.", "Put the rules into style.css.",
		"此导入不会加载，因为 CSP 禁止样式文件。", "请把规则放进 style.css。"},
	"external_url": {"It stays blank, because the CSP lets nothing load but data: and blob: addresses: {detail}", "Embed it as a data: address, or draw it with SVG or CSS.",
		"此处会是空白，因为 CSP 只允许加载 data: 和 blob: 地址：{detail}", "请以 data: 地址嵌入，或用 SVG、CSS 绘制。"},
	"font_url": {"This font is not loaded, because the CSP allows fonts from data: addresses alone: {detail}", "Embed it as a data: address, or use a font of the system.",
		"此字体不会加载，因为 CSP 只允许 data: 地址的字体：{detail}", "请以 data: 地址嵌入，或使用系统字体。"},
	"wasm": {"WebAssembly is not compiled, because the CSP forbids code made from data.", "Do the work in JavaScript.",
		"WebAssembly 不会编译，因为 CSP 禁止由数据生成代码。", "请改用 JavaScript。"},
	"blocked": {"It was stopped by the CSP: {detail}", "Leave it out; a surface is made of what its bundle holds.",
		"已被 CSP 阻止：{detail}", "请去掉它；界面只能由界面包中的内容构成。"},
	"embedded": {"It stays blank, because the CSP forbids frames and plug-ins: {detail}", "Draw the content in the surface itself.",
		"此处会是空白，因为 CSP 禁止框架和插件：{detail}", "请在界面自身中绘制内容。"},
	"base": {"The base element is ignored, because the CSP forbids it.", "Remove it.",
		"base 元素会被忽略，因为 CSP 禁止它。", "请删除它。"},
	"refresh": {"A refresh leaves the document: the host stops the surface then.", "Remove it; the agent sends a new state instead.",
		"刷新会离开文档，主机会因此停止此界面。", "请删除它，改由智能体发送新状态。"},
	"meta_csp": {"A policy of the surface’s own can only forbid more, and may block its own scripts.", "Remove it; the host’s policy holds already.",
		"界面自带的策略只会禁止更多内容，还可能阻止自己的脚本。", "请删除它；主机的策略已经生效。"},
	"form": {"A form cannot be submitted here, and no submit event comes, because the sandbox forbids forms.", "Use a button of type=\"button\" and its click, and send an event with LineUpSurface.event.",
		"这里无法提交表单，也不会有 submit 事件，因为沙箱禁止表单。", "请用 type=\"button\" 的按钮及其 click，并用 LineUpSurface.event 发送事件。"},
	"link_leaves": {"A click on this link would leave the document: the host stops the surface then ({detail}).", "Send an event, and let the agent ask for app.open_url.",
		"点击此链接会离开文档，主机会因此停止此界面（{detail}）。", "请发送事件，由智能体请求 app.open_url。"},
	"navigate": {"Changing the location leaves the document: the host stops the surface then.", "Show another part of the same document, or send an event.",
		"更改 location 会离开文档，主机会因此停止此界面。", "请在同一文档中切换显示，或发送事件。"},
	"network": {"“{detail}” fails, because a surface has no network.", "Let the agent fetch the data and send it as state.",
		"“{detail}”会失败，因为界面没有网络。", "请由智能体获取数据并作为状态发送。"},
	"worker": {"“{detail}” fails, because the CSP forbids workers.", "Do the work in the script itself, in small steps.",
		"“{detail}”会失败，因为 CSP 禁止 worker。", "请在脚本自身中分小步完成工作。"},
	"storage": {"“{detail}” throws an error, because a surface has no storage of its own.", "Keep it in a variable, and send an event so that the agent puts it into the state.",
		"“{detail}”会抛出错误，因为界面没有自己的存储。", "请存放在变量中，并发送事件让智能体写入状态。"},
	"dialog": {"“{detail}” shows nothing, because the sandbox forbids dialogs.", "Draw the question in the surface itself.",
		"“{detail}”不会显示任何内容，因为沙箱禁止对话框。", "请在界面自身中显示问题。"},
	"popup": {"“{detail}” opens nothing, because the sandbox forbids windows.", "Send an event, and let the agent ask for app.open_url.",
		"“{detail}”不会打开任何窗口，因为沙箱禁止新窗口。", "请发送事件，由智能体请求 app.open_url。"},
	"permission": {"“{detail}” is refused: a surface has no rights on this computer.", "Send an event, and let the agent ask for a capability.",
		"“{detail}”会被拒绝：界面在这台电脑上没有任何权限。", "请发送事件，由智能体请求相应能力。"},
	"eval": {"“{detail}” throws an error, because the CSP forbids code made from text.", "Write it as a function.",
		"“{detail}”会抛出错误，因为 CSP 禁止由文本生成代码。", "请写成函数。"},
	"document_write": {"“{detail}” replaces the whole document, the bridge included.", "Change elements instead.",
		"“{detail}”会替换整个文档，包括桥接脚本。", "请改为修改元素。"},
	"parent": {"“{detail}” cannot be reached: the host’s page is out of bounds.", "Use LineUpSurface.event to tell something.",
		"无法访问“{detail}”：主机页面不可触及。", "请用 LineUpSurface.event 传递信息。"},

	"no_bridge": {"The script does not use LineUpSurface: it sees no state and tells nothing.", "Draw what LineUpSurface.onState(fn) gives, and send events with LineUpSurface.event(name, data).",
		"脚本没有使用 LineUpSurface：它看不到状态，也不会发出任何消息。", "请绘制 LineUpSurface.onState(fn) 给出的内容，并用 LineUpSurface.event(name, data) 发送事件。"},
	"event_undeclared": {"The event “{detail}” is dropped, because the bundle declares its events and this one is not among them.", "Add it to “events” in surface.json.",
		"事件“{detail}”会被丢弃，因为界面包声明了事件，而其中没有它。", "请把它加到 surface.json 的“events”中。"},
	"event_name": {"“{detail}” is no name for an event: the call throws an error.", "A letter, then up to 63 of A–Z a–z 0–9 . _ : -",
		"“{detail}”不是有效的事件名：调用会抛出错误。", "须以字母开头，后面最多 63 个 A–Z a–z 0–9 . _ : -"},
	"event_close": {"“close” is sent by the host alone: the call throws an error.", "Choose another name; the user closes a surface with its title bar.",
		"“close”只能由主机发送：调用会抛出错误。", "请换一个名称；用户通过标题栏关闭界面。"},
	"state_schema": {"The state does not match the bundle’s own schema: {detail}", "Correct the state or the schema.",
		"状态与界面包自己的模式不符：{detail}", "请更正状态或模式。"},
	"bad_schema": {"“state_schema” is no JSON Schema that stands alone, so nothing is checked against it.", "Write it in one piece, without references to other documents.",
		"“state_schema”不是独立完整的 JSON Schema，因此不会用它做检查。", "请写成完整的一份，不要引用其他文档。"},
	"size_near": {"The bundle is close to its limit: {detail}", "Leave out what is not used before it grows.",
		"界面包已接近上限：{detail}", "请在继续增大前去掉没有用到的内容。"},
	"state_near": {"The state is close to its limit: {detail}", "Send less, or in parts.",
		"状态已接近上限：{detail}", "请减少发送的内容，或分批发送。"},
	"more": {"There is more of it; only the first 200 are listed.", "Correct these first.",
		"还有更多，只列出了前 200 项。", "请先更正这些。"},
}

// Words says what the finding means and what to do about it. lang is "en" or
// "zh-CN"; anything else means "en". Both are plain text with the Detail in it.
func (f Finding) Words(lang string) (what, fix string) {
	w, ok := lintWords[f.Code]
	if !ok {
		return f.Code, ""
	}
	what, fix = w.en, w.enFix
	if lang == "zh-CN" {
		what, fix = w.zh, w.zhFix
	}
	if f.Detail == "" { // nothing is left hanging
		for _, hole := range []string{": {detail}", "：{detail}", " ({detail})", "（{detail}）"} {
			end := ""
			if strings.HasSuffix(what, hole) {
				end = map[bool]string{true: "。", false: "."}[lang == "zh-CN"]
			}
			what = strings.ReplaceAll(what, hole, end)
		}
	}
	return strings.ReplaceAll(what, "{detail}", f.Detail), fix
}
