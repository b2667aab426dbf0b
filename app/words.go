package app

import (
	"errors"
	"fmt"

	"lineup/app/desktop"
	"lineup/app/doctor"
	"lineup/app/host"
	"lineup/app/preview"
	"lineup/app/store"
)

// What the command line says to people: what happened, what it means, what to
// do, in the language of their terminal. Errors of ours that are not here are
// for developers and stay in English.
var spoken = []struct {
	is     error
	en, zh string
}{
	{errRunning, "LineUp is already running with this data folder. Use that one, or give another folder with --data.",
		"LineUp 已在使用此数据文件夹运行。请使用已打开的窗口，或用 --data 指定其他文件夹。"},
	{errNoPage, "This program was built without its page. Run `make build`, which needs Node.",
		"此程序构建时未包含页面。请运行 `make build`（需要 Node）。"},
	{errUnhealthy, "Agents’ own interfaces may not be shown on this system; the report above says why.",
		"此系统上不能显示智能体自己的界面；原因见上面的报告。"},
	{desktop.ErrNoWindow, "This program was built without the window. Use `lineup web`, or build it with GTK and WebKitGTK installed.",
		"此程序构建时未包含窗口。请使用 `lineup web`，或安装 GTK 与 WebKitGTK 后重新构建。"},
	{desktop.ErrNoDisplay, "There is no display for the window. Use `lineup web`.", "没有可用的显示器。请使用 `lineup web`。"},
	{preview.ErrSource, "lineup preview takes a folder with surface.json, a bundle.json, or an envelopes.jsonl.",
		"lineup preview 的参数应为含 surface.json 的文件夹、bundle.json 或 envelopes.jsonl。"},
	{errPreviewPath, "There is no such file or folder to preview.", "要预览的文件或文件夹不存在。"},
	{errPreviewData, "lineup preview always works in a throwaway folder; leave --data out.", "lineup preview 始终使用临时文件夹；请去掉 --data。"},
	{errUnclean, "The check is not clean; see above.", "检查未通过；见上文。"},
	{preview.ErrNoBrowser, "No Chromium was found for --check. Install chromium or google-chrome, or name one in $" + preview.BrowserEnv + ".",
		"没有找到 --check 所需的 Chromium。请安装 chromium 或 google-chrome，或用 $" + preview.BrowserEnv + " 指定。"},
	{preview.ErrRoot, "As root Chromium has no sandbox of its own. Run the check as another user, or say --no-sandbox if that is what you want.",
		"以 root 运行时 Chromium 没有自己的沙箱。请换用其他用户运行，或明确加上 --no-sandbox。"},
	{errCheckTimeout, "--timeout is a time such as 30s or 2m.", "--timeout 应为时间，例如 30s 或 2m。"},
	{errPreviewSpeed, "--speed is a number from 0 (at once) to 100.", "--speed 应为 0（立即）到 100 之间的数字。"},
	{host.ErrPolicy, "--bundle-policy is one of ask, any-sandboxed, allowlisted, installed-only.",
		"--bundle-policy 只能是 ask、any-sandboxed、allowlisted 或 installed-only。"},
}

const (
	servedEN = "LineUp is served on this computer only. Open the address within 60 seconds, in one browser window; press Enter here for a new one, Ctrl+C to stop."
	servedZH = "LineUp 仅在本机提供服务。请在 60 秒内用一个浏览器窗口打开上面的地址；按回车键可获取新地址，按 Ctrl+C 停止。"
)

func chinese() bool { return doctor.LanguageOf(locale()) == doctor.Chinese }

// say words an error for the person at the terminal.
func say(err error) string {
	for _, s := range spoken {
		if errors.Is(err, s.is) {
			if chinese() {
				return s.zh
			}
			return s.en
		}
	}
	if words, ok := store.Words(err, locale()); ok {
		return words
	}
	return fmt.Sprint(err)
}
