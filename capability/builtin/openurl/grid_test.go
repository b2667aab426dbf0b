package openurl

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"lineup/capability"
	"lineup/capability/capabilitytest"
)

type opened struct {
	n   atomic.Int32
	url string
	err error
}

func (o *opened) OpenURL(_ context.Context, url string) error {
	o.n.Add(1)
	o.url = url
	return o.err
}

func TestGrid(t *testing.T) {
	capabilitytest.Grid(t, capabilitytest.Subject{
		New: func(*testing.T) (capability.Provider, func() int) {
			o := &opened{}
			return New(o), func() int { return int(o.n.Load()) }
		},
		Good: `{"url":"https://example.com/docs"}`, Result: `{"opened":true}`,
		Bad: []string{`{}`, `{"url":1}`, `{"url":""}`, `{"url":"https://example.com","x":1}`, `{"url":"file:///etc/passwd"}`, `{"url":"javascript:alert(1)"}`,
			`{"url":"https://user@example.com"}`, `{"url":"https://example.com/\u202e"}`, `{"url":"https://example.com/ "}`, `{"url":["https://example.com"]}`},
	})
}

func TestInvoke(t *testing.T) {
	o := &opened{}
	if _, err := New(o).Invoke(t.Context(), capability.Call{Args: []byte(`{"url":"HTTPS://例子.中国:443"}`)}); err != nil || o.url != "https://xn--fsqu00a.xn--fiqs8s/" {
		t.Errorf("opened %q, %v", o.url, err)
	}
	for code, p := range map[string]*Provider{"no_opener": New(nil), "not_opened": New(&opened{err: errors.New("/usr/bin/xdg-open: 3")})} {
		_, err := p.Invoke(t.Context(), capability.Call{Args: []byte(`{"url":"https://example.com"}`)})
		var pe *capability.ProviderError
		if !errors.As(err, &pe) || pe.Code != code {
			t.Errorf("%s: got %v", code, err)
		}
	}
}
