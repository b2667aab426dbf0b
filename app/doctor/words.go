package doctor

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Language is one the report is written in.
type Language int

// The languages.
const (
	English Language = iota
	Chinese
)

// LanguageOf picks the language of a locale such as "zh_CN.UTF-8" or "zh-Hans".
func LanguageOf(locale string) Language {
	if strings.HasPrefix(strings.ToLower(locale), "zh") {
		return Chinese
	}
	return English
}

// titles are the names of the checks, by ID.
var titles = map[string][2]string{
	"data_dir":   {"Data folder", "数据文件夹"},
	"store":      {"Store", "数据库"},
	"keyring":    {"Keyring", "密钥环"},
	"bubblewrap": {"bubblewrap", "bubblewrap"},
	"display":    {"Display", "显示"},
	"web_view":   {"Web view", "网页视图"},
	"sealed":     {"Seal", "封闭"},
	"probe":      {"Sandbox probe", "沙箱探测"},
}

// words are the sentences, by code. The two languages take the same arguments.
var words = map[string][2]string{
	"data_dir_ok":         {"%[1]s, readable by you only", "%[1]s，仅您可读"},
	"data_dir_new":        {"%[1]s does not exist yet and will be made", "%[1]s 尚不存在，将自动创建"},
	"data_dir_open":       {"%[1]s can be read by other users; chmod 700 closes it", "其他用户可以读取 %[1]s；执行 chmod 700 可关闭"},
	"data_dir_readonly":   {"%[1]s cannot be written to", "无法写入 %[1]s"},
	"data_dir_unusable":   {"%[1]s is not a folder that can be used", "%[1]s 不是可用的文件夹"},
	"data_dir_unset":      {"no data folder is set", "未设置数据文件夹"},
	"store_ok":            {"opens and answers", "可以打开并响应"},
	"store_fails":         {"does not open: %[1]s", "无法打开：%[1]s"},
	"keyring_ok":          {"answers; tokens are kept there", "可用，令牌保存在其中"},
	"keyring_environment": {"none; the agent's token comes from LINEUP_AGENT_TOKEN", "没有密钥环；智能体令牌取自 LINEUP_AGENT_TOKEN"},
	"keyring_session":     {"none; tokens are kept for this session only (or set LINEUP_AGENT_TOKEN)", "没有密钥环；令牌仅在本次会话中保存（也可设置 LINEUP_AGENT_TOKEN）"},
	"bubblewrap_ok":       {"starts programs in a sandbox", "可以在沙箱中启动程序"},
	"bubblewrap_missing":  {"is not installed; installed apps cannot run programs", "未安装；已安装的应用无法运行程序"},
	"bubblewrap_fails":    {"does not work here; installed apps cannot run programs: %[1]s", "在此系统上无法工作，已安装的应用无法运行程序：%[1]s"},
	"display_ok":          {"%[1]s", "%[1]s"},
	"display_none":        {"none; set DISPLAY or WAYLAND_DISPLAY", "没有显示；请设置 DISPLAY 或 WAYLAND_DISPLAY"},
	"web_view_ok":         {"%[1]s", "%[1]s"},
	"web_view_none":       {"this build has no window; `lineup web` is for development and preview", "此版本没有窗口；`lineup web` 仅供开发和预览"},
	"web_view_unknown":    {"its version could not be read", "无法读取其版本"},
	"sealed_ok":           {"no frame can reach the program", "任何框架都无法接触本程序"},
	"sealed_not":          {"the web view is not sealed", "网页视图未封闭"},
	"sealed_unknown":      {"could not be looked at: no window was opened", "无法检查：没有打开窗口"},
	"probe_ok":            {"all %[1]s attempts were stopped", "全部 %[1]s 次尝试均被阻止"},
	"probe_leaks":         {"%[1]s of %[2]s attempts got through: %[3]s", "%[2]s 次尝试中有 %[1]s 次成功：%[3]s"},
	"probe_empty":         {"made no attempt", "没有进行任何尝试"},
	"probe_error":         {"did not finish: %[1]s", "未能完成：%[1]s"},
	"probe_not_run":       {"was not run: no window can be opened", "未运行：无法打开窗口"},
}

var states = map[State][2]string{OK: {"ok  ", "正常"}, Warn: {"warn", "注意"}, Fail: {"FAIL", "失败"}}

var verdicts = map[bool][2]string{
	true:  {"Surfaces may be shown on this system.", "可以在此系统上显示界面。"},
	false: {"Surfaces cannot be shown safely on this system.", "无法在此系统上安全地显示界面。"},
}

var colon = [2]string{": ", "："}

func sentence(language Language, check Check) string {
	args := make([]any, len(check.Args))
	for i, arg := range check.Args {
		args[i] = arg
	}
	text := words[check.Code][language]
	if !strings.Contains(text, "%[") {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Text is the report for people, one line a check and the verdict last.
func (r Report) Text(language Language) string {
	var b strings.Builder
	for _, check := range r.Checks {
		fmt.Fprintf(&b, "%s  %s%s%s\n", states[check.State][language], titles[check.ID][language], colon[language], sentence(language, check))
	}
	b.WriteString("\n" + verdicts[r.Surfaces][language] + "\n")
	return b.String()
}

// JSON is the report for programs, indented, with a line break at its end.
func (r Report) JSON() []byte {
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		// Strings, numbers and booleans always encode.
		panic("doctor: " + err.Error())
	}
	return append(raw, '\n')
}
