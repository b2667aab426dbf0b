package demoagent

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"lineup/app/envelope"
)

const (
	chartTicks  = 200 // of one run: 20 s
	chartEvery  = 100 * time.Millisecond
	chartWindow = 60 // points shown
	maxTickers  = 8  // at once in a conversation
)

// typeChartEnd is queued by a ticker that came to its end; it is never on the
// wire.
const typeChartEnd envelope.Type = "internal.chart.end"

// chart is a live chart's memory. Its points follow from the tick's number.
type chart struct {
	Gen     int  `json:"gen"`  // runs so far
	From    int  `json:"from"` // ticks before this run
	Running bool `json:"running"`
}

// point is the value at tick k, 0–100.
func point(k int) float64 {
	x := float64(k)
	v := 50 + 26*math.Sin(x/11) + 12*math.Sin(x/3.7+1) + 6*math.Sin(x*1.9)
	return math.Round(v*10) / 10
}

func window(k int) []float64 {
	out := []float64{}
	for i := max(0, k-chartWindow+1); i <= k; i++ {
		out = append(out, point(i))
	}
	return out
}

func (r *run) chart(string) error {
	err := r.tell(pick(r.lang,
		"A live chart: I send a new point ten times a second for twenty seconds. **Stop** and **Start** are yours.",
		"实时图表：我每秒发送十个新数据点，持续二十秒。**停止** 和 **开始** 由你决定。"))
	if err != nil {
		return err
	}
	if len(r.c.tickerNames()) >= maxTickers {
		return r.say(pick(r.lang, "Several charts run already; stop one first.", "已经有多个图表在运行，请先停止一个。"))
	}
	ch := &chart{Gen: 1, Running: true}
	id, err := r.open(instance{Kind: "chart", Chart: ch}, chartApp(r.lang), map[string]any{
		"running": true, "tick": 0, "points": window(0),
	}, 340)
	if err != nil {
		return err
	}
	r.c.startTicker(tick{id, *ch})
	return nil
}

func (r *run) chartEvent(ev envelope.UIEvent, in instance) error {
	if in.Chart == nil {
		in.Chart = &chart{}
	}
	switch ev.Event {
	case "stop":
		return r.stopChart(ev.InstanceID)
	case "start":
		if in.Chart.Running {
			return nil
		}
		if len(r.c.tickerNames()) >= maxTickers {
			return r.say(pick(r.lang, "Several charts run already; stop one first.", "已经有多个图表在运行，请先停止一个。"))
		}
		in.Chart.Gen++
		in.Chart.Running = true
		r.keep(ev.InstanceID, in)
		if err := r.patch(ev.InstanceID, map[string]any{"running": true}); err != nil {
			return err
		}
		r.c.startTicker(tick{ev.InstanceID, *in.Chart})
	}
	return nil
}

// stopChart ends the ticker of an instance and shows that it stands still.
func (r *run) stopChart(id string) error {
	ticks := r.c.stopTicker(id)
	in, ok := r.lookup(id)
	if !ok || in.Chart == nil {
		return nil
	}
	in.Chart.From += ticks
	in.Chart.Running = false
	r.keep(id, in)
	return r.patch(id, map[string]any{"running": false})
}

// chartEnd notes that a ticker made its last point.
func (r *run) chartEnd() error {
	var t tick
	if err := json.Unmarshal(r.cause.Payload, &t); err != nil {
		return err
	}
	in, ok := r.lookup(t.ID)
	if !ok || in.Chart == nil || !in.Chart.Running || in.Chart.Gen != t.Chart.Gen {
		return nil // stopped meanwhile
	}
	r.lang = in.Lang
	return r.stopChart(t.ID)
}

// tick names one run of one chart.
type tick struct {
	ID    string `json:"id"`
	Chart chart  `json:"chart"`
}

// ticker is the goroutine that feeds one chart.
type ticker struct {
	stop context.CancelFunc
	done chan struct{}
	made int // points made; valid after done
}

// startTicker feeds the chart until its last tick. After a restart the ticks
// that were made before are passed over.
func (c *conversation) startTicker(t tick) {
	ctx, stop := context.WithCancel(c.s.ctx)
	tk := &ticker{stop: stop, done: make(chan struct{})}
	c.mu.Lock()
	old := c.tickers[t.ID]
	if old == nil {
		c.tickers[t.ID] = tk
	}
	c.mu.Unlock()
	if old != nil {
		stop()
		return
	}
	c.s.work.Go(func() {
		defer stop()
		tk.made = c.feed(ctx, t)
		close(tk.done)
		if tk.made == chartTicks {
			end := derive(t.ID, fmt.Sprint(t.Chart.Gen), "end")
			c.enqueue(envelope.Envelope{ID: envelope.ID(end), Type: typeChartEnd, Payload: raw(t)})
		}
	})
}

func (c *conversation) feed(ctx context.Context, t tick) int {
	for n := 1; n <= chartTicks; n++ {
		id := fmt.Sprintf("t.%s.%d.%d", derive(t.ID), t.Chart.Gen, n)
		if c.s.journal.has(c.id, id) {
			continue
		}
		if c.s.clock.Sleep(ctx, chartEvery) != nil {
			return n - 1
		}
		k := t.Chart.From + n
		err := c.append(ctx, id, envelope.TypeUIPatch, "", envelope.UIPatch{
			InstanceID: t.ID, State: raw(map[string]any{"points": window(k), "tick": k}),
		}, false)
		if err != nil {
			return n - 1
		}
	}
	return chartTicks
}

// stopTicker ends the chart's ticker, if there is one, and gives how many points it
// made; after it no patch of that ticker follows.
func (c *conversation) stopTicker(id string) int {
	c.mu.Lock()
	tk := c.tickers[id]
	delete(c.tickers, id)
	c.mu.Unlock()
	if tk == nil {
		return 0
	}
	tk.stop()
	<-tk.done
	return tk.made
}

func (c *conversation) tickerNames() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := make([]string, 0, len(c.tickers))
	for id := range c.tickers {
		names = append(names, id)
	}
	return names
}

// runningCharts are those that an earlier process left running.
func runningCharts(facts map[string]json.RawMessage) []tick {
	var out []tick
	for key, v := range facts {
		id, ok := strings.CutPrefix(key, "i.")
		var in instance
		if ok && json.Unmarshal(v, &in) == nil && in.Chart != nil && in.Chart.Running {
			out = append(out, tick{id, *in.Chart})
		}
	}
	return out
}
