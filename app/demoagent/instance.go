package demoagent

import (
	"fmt"
	"slices"
	"strings"

	"lineup/app/envelope"
)

// maxInstances are remembered in a conversation; the oldest go first.
const maxInstances = 48

// instance is what is remembered of one open surface. Its id is
// kind.lang.hash, which is enough to go on when the memory is gone.
type instance struct {
	Kind    string   `json:"kind"`
	Lang    lang     `json:"lang"`
	Seq     int      `json:"seq"` // order of opening
	Told    bool     `json:"told,omitempty"`
	Weather *weather `json:"weather,omitempty"`
	Canvas  *canvas  `json:"canvas,omitempty"`
	Chart   *chart   `json:"chart,omitempty"`

	lost bool // made from the id alone
}

// open opens a surface and remembers it; state is its first state.
func (r *run) open(in instance, app envelope.App, state map[string]any, height int) (string, error) {
	id := in.Kind + "." + string(r.langCode()) + "." + r.base
	in.Lang = r.langCode()
	r.makeRoom()
	r.recall("opened", &in.Seq)
	in.Seq++
	r.remember("opened", in.Seq)
	r.keep(id, in)
	state["lang"] = in.Lang
	_, err := r.emit(envelope.TypeUIOpen, envelope.UIOpen{
		InstanceID: id, App: app, State: raw(state), Title: app.Name, Size: &envelope.UISize{Height: height},
	})
	return id, err
}

func (r *run) keep(id string, in instance) { r.remember("i."+id, in) }

// lookup finds an instance by id; the second result is false if it is none of
// ours.
func (r *run) lookup(id string) (instance, bool) {
	var in instance
	if r.recall("i."+id, &in) {
		return in, true
	}
	parts := strings.Split(id, ".")
	if len(parts) != 3 || !slices.Contains([]string{"weather", "canvas", "chart"}, parts[0]) {
		return instance{}, false
	}
	return instance{Kind: parts[0], Lang: codeLang(parts[1]), lost: true}, true
}

// makeRoom forgets the oldest instances.
func (r *run) makeRoom() {
	type aged struct {
		key string
		seq int
	}
	var all []aged
	for key := range r.facts {
		var in instance
		if strings.HasPrefix(key, "i.") && r.recall(key, &in) {
			all = append(all, aged{key, in.Seq})
		}
	}
	slices.SortFunc(all, func(a, b aged) int { return a.seq - b.seq })
	for len(all) >= maxInstances {
		r.forget(all[0].key)
		all = all[1:]
	}
}

// patch merges state into the instance's.
func (r *run) patch(id string, state map[string]any) error {
	_, err := r.emit(envelope.TypeUIPatch, envelope.UIPatch{InstanceID: id, State: raw(state)})
	return err
}

// event answers what the user did in a surface.
func (r *run) event(ev envelope.UIEvent) error {
	in, ok := r.lookup(ev.InstanceID)
	if !ok {
		return nil // not opened by this agent: nothing to do and nobody to tell
	}
	r.lang = in.Lang
	if ev.Event == "close" {
		r.c.stopTicker(ev.InstanceID)
		r.forget("i." + ev.InstanceID)
		return nil
	}
	switch in.Kind {
	case "weather":
		return r.weatherEvent(ev, in)
	case "canvas":
		return r.canvasEvent(ev, in)
	default:
		return r.chartEvent(ev, in)
	}
}

// surfaceResult tells the user when the host refused a surface or a change of
// it. An unknown instance was closed: nothing to tell (PROTOCOL.md §4).
func (r *run) surfaceResult(res envelope.UIResult) error {
	in, ok := r.lookup(res.InstanceID)
	if !ok || res.Status == "ok" {
		return nil
	}
	r.lang = in.Lang
	r.c.stopTicker(res.InstanceID)
	gone := res.Status != "refused" || res.Op == "open"
	if in.Chart != nil {
		in.Chart.Running = false
	}
	silent := res.Status == "unknown_instance" || in.Told || (in.lost && res.Op != "open")
	in.Told = true
	switch {
	case gone:
		r.forget("i." + res.InstanceID)
	case !in.lost:
		r.keep(res.InstanceID, in)
	}
	if silent {
		return nil
	}
	name := map[string]string{
		"weather": pick(r.lang, "the weather dashboard", "天气面板"),
		"canvas":  pick(r.lang, "the SVG canvas", "SVG 画板"),
		"chart":   pick(r.lang, "the live chart", "实时图表"),
	}[in.Kind]
	why := ""
	if res.Code != "" {
		why = fmt.Sprintf(pick(r.lang, " (`%s`)", "（`%s`）"), plainWord(res.Code))
	}
	switch {
	case res.Status == "revoked":
		return r.say(fmt.Sprintf(pick(r.lang,
			"Your LineUp has withdrawn %s%s, so it is closed now. Nothing else is affected.",
			"你的 LineUp 撤回了%s%s，它现在已关闭，其他都不受影响。"), name, why))
	case res.Op == "open":
		return r.say(fmt.Sprintf(pick(r.lang,
			"Your LineUp did not open %s%s. That is your decision or your policy, and I respect it. Ask again whenever you like.",
			"你的 LineUp 没有打开%s%s。这是你的决定或你的策略，我尊重它。想看时随时再说。"), name, why))
	default:
		return r.say(fmt.Sprintf(pick(r.lang,
			"Your LineUp refused a change that I made to %s%s, so what it shows may be out of date.",
			"你的 LineUp 拒绝了我对%s的一次更新%s，它显示的内容可能不是最新的。"), name, why))
	}
}

// plainWord keeps what may stand in a code span: a code of the host's.
func plainWord(s string) string {
	clean := strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return -1
	}, s)
	return clean[:min(len(clean), 40)]
}
