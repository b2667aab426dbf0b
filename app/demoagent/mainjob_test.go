package demoagent

import (
	"encoding/json"
	"strings"
	"testing"

	"lineup/app/envelope"
)

// The main job, as a host sees it: ask, dashboard, refresh, patch, call, result.
func TestMainJob(t *testing.T) {
	for _, tc := range []struct{ name, ask, want, yes, no string }{
		{"English", "How is the weather?", `status {"state":"working","text":"Looking up the weather…"}
message.delta… "Here is the weather in **Beijing** (made-up figures – this is a demo). Press **Refresh** for new ones."
message.end {"text":"Here is the weather in **Beijing** (made-up figures – this is a demo). Press **Refresh** for new ones."}
ui.open {"app":"com.lineup.weather.dashboard Weather dashboard","state":{"city":"Beijing","lang":"en","temperature":22,"unit":"c","updated":0}}
status {"state":"done","text":"Done."}
ui.patch {"state":{"city":"Beijing","temperature":24,"unit":"c","updated":1}}
app.call {"arguments":{"text":"Beijing: 24 °C, updated 1 time"},"capability":"clipboard.write","reason":"Put the refreshed weather summary on your clipboard"}
`, "Copied", "not copied"},
		{"中文", "天气", `status {"state":"working","text":"正在查询天气…"}
message.delta… "这是 **北京** 的天气（数据是虚构的，这是演示）。点 **刷新** 更新数据。"
message.end {"text":"这是 **北京** 的天气（数据是虚构的，这是演示）。点 **刷新** 更新数据。"}
ui.open {"app":"com.lineup.weather.dashboard 天气面板","state":{"city":"北京","lang":"zh","temperature":22,"unit":"c","updated":0}}
status {"state":"done","text":"完成。"}
ui.patch {"state":{"city":"北京","temperature":24,"unit":"c","updated":1}}
app.call {"arguments":{"text":"北京：24 °C，已更新 1 次"},"capability":"clipboard.write","reason":"把刷新后的天气摘要放到剪贴板"}
`, "已复制", "没有复制"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, _ := connect(t, serve(t, Options{}), "en")
			p.got = nil
			p.say("c1", tc.ask)
			open := content[envelope.UIOpen](t, p.until(envelope.TypeUIOpen))
			if err := wellFormed(open); err != "" {
				t.Fatal(err)
			}
			p.send("c1", envelope.TypeUIResult, envelope.UIResult{InstanceID: open.InstanceID, Op: "open", Status: "ok"})
			p.done()
			refresh(p, open.InstanceID)
			call := content[envelope.AppCall](t, p.until(envelope.TypeAppCall))
			if got := transcript(p.got); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
			p.send("c1", envelope.TypeAppResult, envelope.AppResult{CallID: call.CallID, Status: "completed"})
			if got := p.untilMessage(); !strings.Contains(got, tc.yes) {
				t.Errorf("after completed: %q", got)
			}

			// Later refreshes do not ask; the button does, and a no is respected.
			refresh(p, open.InstanceID)
			if patch := content[envelope.UIPatch](t, p.until(envelope.TypeUIPatch)); !strings.Contains(string(patch.State), `"updated":2`) {
				t.Errorf("second patch: %s", patch.State)
			}
			p.send("c1", envelope.TypeUIEvent, envelope.UIEvent{InstanceID: open.InstanceID, Event: "copy", Data: json.RawMessage(`{}`)})
			e := p.next()
			if e.Type != envelope.TypeAppCall {
				t.Fatalf("after the copy button: %s", e.Type)
			}
			again := content[envelope.AppCall](t, e)
			if again.CallID == call.CallID {
				t.Error("the second call reuses the first one's id")
			}
			p.send("c1", envelope.TypeAppResult, envelope.AppResult{
				CallID: again.CallID, Status: "rejected", Error: &envelope.AppError{Code: "user", Message: "no"},
			})
			if got := p.untilMessage(); !strings.Contains(got, tc.no) {
				t.Errorf("after rejected: %q", got)
			}
		})
	}
}

func refresh(p *peer, instance string) {
	p.t.Helper()
	p.send("c1", envelope.TypeUIEvent, envelope.UIEvent{InstanceID: instance, Event: "refresh", Data: json.RawMessage(`{"unit":"c"}`)})
}

// wellFormed checks a bundle as a host does; "" if it may open.
func wellFormed(o envelope.UIOpen) string {
	a := o.App
	switch {
	case a.Integrity != integrity(a.HTML, a.CSS, a.JS):
		return "integrity does not match"
	case len(a.HTML)+len(a.CSS)+len(a.JS) > envelope.MaxBundle:
		return "bundle too large"
	case len(a.Events) == 0:
		return "no events declared"
	}
	return ""
}

// The digest is that of PROTOCOL.md §4, worked out by hand with sha256sum:
// 8 bytes of length before each part.
func TestIntegrityVector(t *testing.T) {
	if got, want := integrity("<p>", "", "é"), "sha256-57LA49M5yfYzWyKuJPuFiwpg9qsZdo9hyCsZSy36kL8="; got != want {
		t.Errorf("integrity = %s, want %s", got, want)
	}
	if integrity("ab", "c", "") == integrity("a", "bc", "") {
		t.Error("moving a byte between parts keeps the digest")
	}
}

// No surface reaches for the network or carries markup that a frame's policy
// would stop.
func TestSurfacesAreSelfContained(t *testing.T) {
	for _, app := range []envelope.App{weatherApp(english), canvasApp(chinese), chartApp(english)} {
		for _, part := range []string{app.HTML, app.CSS, app.JS} {
			for _, bad := range []string{"https:", "fetch(", "XMLHttp", "WebSocket", "@import", "url(", "<script", "<link", "onclick=\"", "localStorage"} {
				if strings.Contains(strings.ReplaceAll(part, "http://www.w3.org/2000/svg", ""), bad) {
					t.Errorf("%s contains %q", app.ID, bad)
				}
			}
		}
	}
}
