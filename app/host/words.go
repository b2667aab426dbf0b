package host

import "fmt"

import (
	"strings"

	"lineup/surface"
)

// Words that are composed in Go because they come from the host's own record:
// the titles of prompts and the rules of grants. Everything else is worded by
// the page.

// lang reduces a BCP 47 tag to a language the host speaks.
func lang(tag string) string {
	if strings.HasPrefix(strings.ToLower(tag), "zh") {
		return "zh-CN"
	}
	return "en"
}

type words struct {
	wantsTo     func(agent, what string) string
	showOwn     string
	showExactly string
	trustKey    string
	publisher   string
	unsigned    string
	unknownKey  func(id string) string
	showOwnRule func(agent string) string
	showStruck  func(times int) string
	struckRule  string
	appLabel    string
	idLabel     string
	versionLbl  string
	unnamed     string
}

var vocabulary = map[string]words{
	"en": {
		wantsTo:     func(a, w string) string { return a + " wants to " + w },
		showOwn:     "show its own interface",
		showExactly: "Show exactly this interface without asking",
		trustKey:    "Trust interfaces signed by a publisher",
		publisher:   "Publisher", unsigned: "Not signed",
		unknownKey:  func(id string) string { return "Signed with a key that you have not added: " + id },
		showOwnRule: func(a string) string { return "Interfaces that " + a + " sends may be shown, marked “unverified”" },
		showStruck: func(n int) string {
			return fmt.Sprintf("show an interface that stopped responding %d times", n)
		},
		struckRule: "It may open once more; if it stops responding again, you are asked again",
		appLabel:   "Interface", idLabel: "Identifier", versionLbl: "Version", unnamed: "Unnamed agent",
	},
	"zh-CN": {
		wantsTo:     func(a, w string) string { return a + " 想要" + w },
		showOwn:     "显示它自己的界面",
		showExactly: "显示此界面而不再询问",
		trustKey:    "信任由发布者签名的界面",
		publisher:   "发布者", unsigned: "没有签名",
		unknownKey:  func(id string) string { return "签名所用的密钥不在你的列表中：" + id },
		showOwnRule: func(a string) string { return "允许显示 " + a + " 发来的界面，并标记为“未验证”" },
		showStruck:  func(n int) string { return fmt.Sprintf("显示一个曾 %d 次停止响应的界面", n) },
		struckRule:  "允许再打开一次；如果再次停止响应，会再次询问你",
		appLabel:    "界面", idLabel: "标识", versionLbl: "版本", unnamed: "未命名智能体",
	},
}

// signer says who signed an app that is asked about: nobody whom the user trusts.
func (w words) signer(signature string) string {
	if id := surface.SignatureKeyID(signature); id != "" {
		return w.unknownKey(id)
	}
	return w.unsigned
}

func say(l string) words { return vocabulary[lang(l)] }
