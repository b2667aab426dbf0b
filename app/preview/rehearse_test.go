package preview

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lineup/capability"
	"lineup/capability/builtin/clipboard"
)

type never struct{ t *testing.T }

func (n never) WriteText(context.Context, string) error {
	n.t.Error("the clipboard was written")
	return nil
}

func TestRehearse(t *testing.T) {
	real := clipboard.New(never{t})
	p := Rehearse(real)
	args := []byte(`{"text":"hello"}`)
	_, err := p.Invoke(context.Background(), capability.Call{Args: args})
	var said *capability.ProviderError
	if !errors.As(err, &said) || said.Code != CodeRehearsed || !strings.Contains(said.Message, "write to the clipboard (5 characters)") {
		t.Fatal(err)
	}
	if p.Title("zh-CN") != real.Title("zh-CN") || p.Descriptor().Name != real.Descriptor().Name {
		t.Error("it is asked about in other words")
	}
	if err := p.(capability.Checker).Check([]byte(`{"text":"a\u0000"}`)); err == nil {
		t.Error("what the real one refuses is let through")
	}
}
