package clipboard

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"lineup/capability"
	"lineup/capability/capabilitytest"
)

type counter struct{ n atomic.Int32 }

func (c *counter) WriteText(context.Context, string) error { c.n.Add(1); return nil }

func TestGrid(t *testing.T) {
	capabilitytest.Grid(t, capabilitytest.Subject{
		New: func(*testing.T) (capability.Provider, func() int) {
			c := &counter{}
			return New(c), func() int { return int(c.n.Load()) }
		},
		Good: `{"text":"` + strings.Repeat("字", 262144) + `"}`, Result: `{"written":true}`,
		Bad: []string{`{}`, `{"text":null}`, `{"text":1}`, `{"text":"a","html":"b"}`, `{"text":"a\u0000b"}`},
	})
}
