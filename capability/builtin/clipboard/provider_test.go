package clipboard

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"lineup/capability"
)

type board struct {
	text string
	err  error
}

func (b *board) WriteText(_ context.Context, s string) error {
	if b.err == nil {
		b.text = s
	}
	return b.err
}

func TestWritesExactlyTheText(t *testing.T) {
	for _, want := range []string{"", "hello", "第一行\r\n第二行\t", "\u202Eabc", "a\u2028<>&"} {
		b := &board{text: "before"}
		args, err := json.Marshal(map[string]string{"text": want})
		if err != nil {
			t.Fatal(err)
		}
		out, err := New(b).Invoke(t.Context(), capability.Call{Args: args})
		if err != nil || string(out) != `{"written":true}` || b.text != want {
			t.Errorf("%q: %s, %v, on the clipboard %q", want, out, err, b.text)
		}
	}
}

func TestFailuresHaveOurWords(t *testing.T) {
	secret := errors.New("/home/someone/.Xauthority")
	for code, p := range map[string]*Provider{"not_written": New(&board{err: secret}), "no_clipboard": New(nil)} {
		_, err := p.Invoke(t.Context(), capability.Call{Args: json.RawMessage(`{"text":"x"}`)})
		var pe *capability.ProviderError
		if !errors.As(err, &pe) || pe.Code != code || strings.Contains(pe.Message, "/") {
			t.Errorf("%s: got %v", code, err)
		}
	}
}

func TestCheck(t *testing.T) {
	if err := New(nil).Check(json.RawMessage(`{"text":"a\u0000b"}`)); err == nil {
		t.Error("U+0000 is accepted")
	}
}

func TestPresentKeepsTheTextOutOfTheSummary(t *testing.T) {
	for lang, want := range map[string]string{"en": "6 characters", "zh-CN": "6 个字符"} {
		p := New(nil).Present(json.RawMessage(`{"text":"secret"}`), lang)
		if p.Summary != want || p.Args[0].Value != "secret" {
			t.Errorf("%s: %+v", lang, p)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{`{"text":"a"}`, `{}`, `null`, `{"text":null}`, `[`, `{"text":"\ud800"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := New(&board{})
		p.Present(json.RawMessage(s), "en")
		_, err := p.Invoke(t.Context(), capability.Call{Args: json.RawMessage(s)})
		if (err == nil) != (p.Check(json.RawMessage(s)) == nil) {
			t.Errorf("%s: Check and Invoke disagree", s)
		}
	})
}
