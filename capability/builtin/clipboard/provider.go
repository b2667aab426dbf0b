package clipboard

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"lineup/capability"
)

//go:embed input.schema.json
var inputSchema []byte

//go:embed output.schema.json
var outputSchema []byte

// WriteName is the capability's name.
const WriteName capability.Name = "clipboard.write"

// Clipboard is the user's clipboard.
type Clipboard interface {
	// WriteText replaces what is on the clipboard. It returns when it is there.
	WriteText(ctx context.Context, text string) error
}

// Provider implements capability.Provider and capability.Checker.
type Provider struct{ clipboard Clipboard }

// New returns the capability with the effect of c.
func New(c Clipboard) *Provider { return &Provider{c} }

// Descriptor declares clipboard.write 1.0.
func (p *Provider) Descriptor() capability.Descriptor {
	return capability.Descriptor{Name: WriteName, Version: "1.0", Risk: capability.UserConfirmation, InputSchema: inputSchema, OutputSchema: outputSchema}
}

// Title completes "{agent} wants to …".
func (p *Provider) Title(lang string) string {
	if lang == "zh-CN" {
		return "写入剪贴板"
	}
	return "write to the clipboard"
}

func text(args json.RawMessage) (string, error) {
	var a struct {
		Text *string `json:"text"`
	}
	if err := json.Unmarshal(args, &a); err != nil || a.Text == nil {
		return "", errors.New("text: expected a string")
	}
	if strings.ContainsRune(*a.Text, 0) {
		// Clipboards end a text there: what was shown would not be what is pasted.
		return "", errors.New("text: U+0000 is not allowed")
	}
	return *a.Text, nil
}

// Check refuses text that a clipboard would change.
func (p *Provider) Check(args json.RawMessage) error {
	_, err := text(args)
	return err
}

// Present shows the whole text.
func (p *Provider) Present(args json.RawMessage, lang string) capability.Presentation {
	s, err := text(args)
	if err != nil {
		s = string(args)
	}
	n := utf8.RuneCountInString(s)
	label, summary := "Text", fmt.Sprintf("%d characters", n)
	if n == 1 {
		summary = "1 character"
	}
	if lang == "zh-CN" {
		label, summary = "文本", fmt.Sprintf("%d 个字符", n)
	}
	return capability.Presentation{Summary: summary, Args: []capability.Arg{{Name: "text", Label: label, Value: s}}}
}

// Scope is any text: there is no narrower rule that a person could judge.
func (p *Provider) Scope(json.RawMessage) (string, func(string) string) {
	return "any", func(lang string) string {
		if lang == "zh-CN" {
			return "把任何文本写入剪贴板"
		}
		return "write any text to the clipboard"
	}
}

// Invoke writes the text.
func (p *Provider) Invoke(ctx context.Context, c capability.Call) (json.RawMessage, error) {
	s, err := text(c.Args)
	if err != nil {
		return nil, &capability.ProviderError{Code: capability.CodeArguments, Message: err.Error()}
	}
	if p.clipboard == nil {
		return nil, &capability.ProviderError{Code: "no_clipboard", Message: "this host has no clipboard"}
	}
	if err := p.clipboard.WriteText(ctx, s); err != nil {
		return nil, &capability.ProviderError{Code: "not_written", Message: "the text could not be put on the clipboard", Err: err}
	}
	return json.RawMessage(`{"written":true}`), nil
}
