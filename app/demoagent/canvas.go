package demoagent

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"

	"lineup/app/envelope"
)

// Bounds of a drawing, which keep its state far below the host's 256 KiB. The
// drawing is 1000 × 600 units whatever the size of the surface.
const (
	maxStrokes = 150
	maxPoints  = 64
	drawWidth  = 1000
	drawHeight = 600
)

// canvas is the drawing's memory.
type canvas struct {
	Strokes []stroke `json:"strokes"`
}

type stroke struct {
	Color  string       `json:"color"`
	Width  float64      `json:"width"`
	Points [][2]float64 `json:"points"`
}

var colorForm = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// ok says whether the stroke is one that the surface can have made.
func (s stroke) ok() bool {
	if !colorForm.MatchString(s.Color) || !(s.Width >= 1 && s.Width <= 40) || len(s.Points) == 0 || len(s.Points) > maxPoints {
		return false
	}
	for _, p := range s.Points {
		if !(p[0] >= 0 && p[0] <= drawWidth && p[1] >= 0 && p[1] <= drawHeight) {
			return false
		}
	}
	return true
}

// svg is the drawing as a picture file. It holds checked numbers and colours
// only.
func (c canvas) svg() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d">`, drawWidth, drawHeight, drawWidth, drawHeight)
	b.WriteString(`<rect width="100%" height="100%" fill="#ffffff"/>`)
	for _, s := range c.Strokes {
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="%g" stroke-linecap="round" stroke-linejoin="round" points="`, s.Color, s.Width)
		for i, p := range s.Points {
			if i > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%g,%g", math.Round(p[0]*10)/10, math.Round(p[1]*10)/10)
		}
		b.WriteString(`"/>`)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (r *run) canvas(string) error {
	err := r.tell(pick(r.lang,
		"Here is a small canvas. Draw with the mouse, a finger or – after focusing it – the arrow keys; every stroke comes to me and back. **Save drawing** asks you for a file.",
		"这是一块小画板。可以用鼠标、手指画，聚焦后也能用方向键；每一笔都会发给我再回到画板。点 **保存图画** 会请你允许保存文件。"))
	if err != nil {
		return err
	}
	_, err = r.open(instance{Kind: "canvas", Canvas: &canvas{Strokes: []stroke{}}}, canvasApp(r.lang),
		map[string]any{"strokes": []stroke{}}, 460)
	return err
}

func (r *run) canvasEvent(ev envelope.UIEvent, in instance) error {
	if in.Canvas == nil {
		in.Canvas = &canvas{}
	}
	c := in.Canvas
	switch ev.Event {
	case "draw":
		var d struct {
			Op     string `json:"op"`
			Stroke stroke `json:"stroke"`
		}
		if json.Unmarshal(ev.Data, &d) != nil {
			return r.patch(ev.InstanceID, map[string]any{"strokes": c.list()})
		}
		return r.draw(ev.InstanceID, in, d.Op, d.Stroke)
	case "resize":
		var d struct {
			Width  float64 `json:"width"`
			Height float64 `json:"height"`
		}
		if json.Unmarshal(ev.Data, &d) != nil || !(d.Width > 0 && d.Width < 1e5 && d.Height > 0 && d.Height < 1e5) {
			return nil
		}
		return r.patch(ev.InstanceID, map[string]any{"size": map[string]any{"width": math.Round(d.Width), "height": math.Round(d.Height)}})
	case "snapshot":
		if len(c.Strokes) == 0 {
			return r.say(pick(r.lang, "The drawing is still empty – there is nothing to save yet.", "图画还是空的，没有可以保存的内容。"))
		}
		return r.saveFile("canvas", pick(r.lang, "Save your drawing as a picture file", "把你的图画保存为图片文件"),
			"drawing.svg", c.svg())
	}
	return nil
}

// draw changes the drawing and tells the surface only what changed.
func (r *run) draw(id string, in instance, op string, s stroke) error {
	c := in.Canvas
	type step struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value,omitempty"`
	}
	var steps []step
	switch {
	case op == "stroke" && s.ok():
		if len(c.Strokes) >= maxStrokes {
			c.Strokes = c.Strokes[1:]
			steps = append(steps, step{Op: "remove", Path: "/strokes/0"})
		}
		c.Strokes = append(c.Strokes, s)
		steps = append(steps, step{Op: "add", Path: "/strokes/-", Value: s})
	case op == "undo" && len(c.Strokes) > 0:
		c.Strokes = c.Strokes[:len(c.Strokes)-1]
		steps = append(steps, step{Op: "remove", Path: fmt.Sprintf("/strokes/%d", len(c.Strokes))})
	case op == "clear":
		c.Strokes = nil
	}
	whole := in.lost || len(steps) == 0 // what the surface has is not certain
	in.lost = false
	r.keep(id, in)
	if whole {
		return r.patch(id, map[string]any{"strokes": c.list()})
	}
	_, err := r.emit(envelope.TypeUIPatch, envelope.UIPatch{InstanceID: id, JSONPatch: raw(steps)})
	return err
}

// list is never nil: null would delete the member in a merge patch.
func (c canvas) list() []stroke {
	if c.Strokes == nil {
		return []stroke{}
	}
	return c.Strokes
}
