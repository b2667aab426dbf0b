package demoagent

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"strings"

	"lineup/app/envelope"
)

// The surfaces the agent opens. They are plain files, so that an author can open
// and copy them.
var (
	//go:embed surfaces/weather.html
	weatherHTML string
	//go:embed surfaces/weather.css
	weatherCSS string
	//go:embed surfaces/weather.js
	weatherJS string

	//go:embed surfaces/canvas.html
	canvasHTML string
	//go:embed surfaces/canvas.css
	canvasCSS string
	//go:embed surfaces/canvas.js
	canvasJS string

	//go:embed surfaces/chart.html
	chartHTML string
	//go:embed surfaces/chart.css
	chartCSS string
	//go:embed surfaces/chart.js
	chartJS string

	//go:embed surfaces/base.css
	baseCSS string // shared look, put before each surface's own
	//go:embed surfaces/icon.svg
	iconSVG string
)

var icon = "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(strings.TrimSpace(iconSVG)))

func weatherApp(l lang) envelope.App {
	return bundle(envelope.App{
		ID: "com.lineup.weather.dashboard", Name: pick(l, "Weather dashboard", "天气面板"), Version: "1.0.0",
		HTML: weatherHTML, CSS: baseCSS + weatherCSS, JS: weatherJS, Events: []string{"refresh", "copy", "unit"},
	})
}

func canvasApp(l lang) envelope.App {
	return bundle(envelope.App{
		ID: "com.lineup.svg-canvas", Name: pick(l, "SVG canvas", "SVG 画板"), Version: "1.0.0",
		HTML: canvasHTML, CSS: baseCSS + canvasCSS, JS: canvasJS, Events: []string{"draw", "resize", "snapshot"},
	})
}

func chartApp(l lang) envelope.App {
	return bundle(envelope.App{
		ID: "com.lineup.live-chart", Name: pick(l, "Live chart", "实时图表"), Version: "1.0.0",
		HTML: chartHTML, CSS: baseCSS + chartCSS, JS: chartJS, Events: []string{"start", "stop"},
	})
}

func bundle(a envelope.App) envelope.App {
	a.Integrity = integrity(a.HTML, a.CSS, a.JS)
	return a
}

// integrity is PROTOCOL.md §4: SHA-256 over each part with its length before it
// as 8 bytes, big-endian.
func integrity(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return "sha256-" + base64.StdEncoding.EncodeToString(h.Sum(nil))
}
