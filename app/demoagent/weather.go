package demoagent

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"regexp"
	"strings"
	"time"

	"lineup/app/envelope"
)

// weather is the dashboard's memory. All figures follow from it, so that they
// are the same in every process. They are made up.
type weather struct {
	City  string `json:"city"`
	Count int    `json:"count"` // refreshes
	Unit  string `json:"unit"`  // "c" or "f"
}

var (
	cityEN = regexp.MustCompile(`(?i)\b(?:in|for|at)\s+([\p{L}][\p{L} .'-]{0,38})`)
	cityZH = regexp.MustCompile(`^(?:请)?(?:看看|看一下|查一下|查查|显示|打开)?(\p{Han}{2,8}?)的?天气`)
)

// cityOf reads the city from a request such as "weather in Oslo" or "上海天气".
func cityOf(text string, l lang) string {
	text = strings.TrimSpace(text)
	if l == chinese {
		if m := cityZH.FindStringSubmatch(text); m != nil && !strings.ContainsAny(m[1], "我你他今明后现请的看查打显") {
			return m[1]
		}
		return "北京"
	}
	if m := cityEN.FindStringSubmatch(text); m != nil {
		words := strings.Fields(strings.TrimRight(m[1], " .'-"))
		for i, w := range words {
			if strings.EqualFold(w, "please") || strings.EqualFold(w, "today") || strings.EqualFold(w, "now") || i == 4 {
				words = words[:i]
				break
			}
			// Title case by character: "são paulo" too.
			first := prefixRunes(w, 1)
			words[i] = strings.ToUpper(w[:first]) + w[first:]
		}
		if len(words) > 0 && !strings.EqualFold(words[0], "the") && !strings.EqualFold(words[0], "my") {
			return strings.Join(words, " ")
		}
	}
	return "Beijing"
}

// celsius is the temperature after Count refreshes.
func (w weather) celsius() int {
	base := 22
	if w.City != "Beijing" && w.City != "北京" {
		base = 8 + w.hash()%20
	}
	return base + []int{0, 2, 3, 1, -1, -2, 1}[w.Count%7]
}

func (w weather) hash() int {
	h := fnv.New32a()
	h.Write([]byte(w.City))
	return int(h.Sum32() % 1000)
}

// shown is the temperature in the chosen unit, as people read it.
func (w weather) shown() string {
	if w.Unit == "f" {
		// Rounded as the surface does it.
		return fmt.Sprintf("%d °F", int(math.Floor(float64(w.celsius())*9/5+32.5)))
	}
	return fmt.Sprintf("%d °C", w.celsius())
}

// state is what the surface shows; temperatures are in °C.
func (w weather) state() map[string]any {
	type hour struct {
		H string `json:"h"`
		T int    `json:"t"`
	}
	var hours []hour
	curve := []int{-4, -5, -3, 0, 2, 3, 1, -2}
	for i, d := range curve {
		hours = append(hours, hour{fmt.Sprintf("%02d:00", i*3), w.celsius() + d + (w.hash()+i+w.Count)%2})
	}
	sky := []string{"sun", "partly", "cloud", "rain"}
	return map[string]any{
		"city": w.City, "temperature": w.celsius(), "unit": w.Unit, "updated": w.Count,
		"condition": sky[(w.hash()+w.Count)%4], "humidity": 40 + (w.hash()+7*w.Count)%45, "wind": 4 + (w.hash()+5*w.Count)%22,
		"hours": hours,
	}
}

// summary is the text that goes to the clipboard.
func (w weather) summary(l lang) string {
	times := "times"
	if w.Count == 1 {
		times = "time"
	}
	return pick(l,
		fmt.Sprintf("%s: %s, updated %d %s", w.City, w.shown(), w.Count, times),
		fmt.Sprintf("%s：%s，已更新 %d 次", w.City, w.shown(), w.Count))
}

// weather opens the dashboard: the main job.
func (r *run) weather(text string) error {
	w := weather{City: cityOf(text, r.lang), Unit: "c"}
	if err := r.working(pick(r.lang, "Looking up the weather…", "正在查询天气…")); err != nil {
		return err
	}
	if err := r.pause(250 * time.Millisecond); err != nil {
		return err
	}
	err := r.tell(fmt.Sprintf(pick(r.lang,
		"Here is the weather in **%s** (made-up figures – this is a demo). Press **Refresh** for new ones.",
		"这是 **%s** 的天气（数据是虚构的，这是演示）。点 **刷新** 更新数据。"), w.City))
	if err != nil {
		return err
	}
	_, err = r.open(instance{Kind: "weather", Weather: &w}, weatherApp(r.lang), w.state(), 380)
	return err
}

func (r *run) weatherEvent(ev envelope.UIEvent, in instance) error {
	if in.Weather == nil {
		in.Weather = &weather{City: pick(in.Lang, "Beijing", "北京"), Unit: "c"}
	}
	w := in.Weather
	var data struct {
		Unit string `json:"unit"`
	}
	if json.Unmarshal(ev.Data, &data) == nil && (data.Unit == "c" || data.Unit == "f") {
		w.Unit = data.Unit
	}
	switch ev.Event {
	case "refresh":
		w.Count++
		r.keep(ev.InstanceID, in)
		if err := r.patch(ev.InstanceID, w.state()); err != nil {
			return err
		}
		if w.Count > 1 {
			return nil // the first time only: nobody wants to be asked at each click
		}
		return r.call("weather", "clipboard.write",
			pick(r.lang, "Put the refreshed weather summary on your clipboard", "把刷新后的天气摘要放到剪贴板"),
			map[string]any{"text": w.summary(r.lang)})
	case "copy":
		return r.call("weather", "clipboard.write",
			pick(r.lang, "Copy the weather summary, as you asked with the button", "按你的要求复制天气摘要"),
			map[string]any{"text": w.summary(r.lang)})
	case "unit":
		r.keep(ev.InstanceID, in)
		return r.patch(ev.InstanceID, map[string]any{"unit": w.Unit})
	}
	return nil
}
