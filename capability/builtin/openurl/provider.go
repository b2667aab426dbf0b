package openurl

import (
	"context"
	_ "embed"
	"encoding/json"

	"lineup/capability"
)

//go:embed input.schema.json
var inputSchema []byte

//go:embed output.schema.json
var outputSchema []byte

// Name is the capability's name.
const Name capability.Name = "app.open_url"

// Opener opens an address that was checked here. It returns when the address
// was handed over, not when the page is shown.
type Opener interface {
	OpenURL(ctx context.Context, url string) error
}

// Provider implements capability.Provider and capability.Checker.
type Provider struct{ opener Opener }

// New returns the capability with the effect of o.
func New(o Opener) *Provider { return &Provider{o} }

// Descriptor declares app.open_url 1.0.
func (p *Provider) Descriptor() capability.Descriptor {
	return capability.Descriptor{Name: Name, Version: "1.0", Risk: capability.UserConfirmation, InputSchema: inputSchema, OutputSchema: outputSchema}
}

// Title completes "{agent} wants to …".
func (p *Provider) Title(lang string) string {
	if lang == "zh-CN" {
		return "打开网页"
	}
	return "open a web page"
}

// target reads the argument.
func target(args json.RawMessage) (address, error) {
	var a struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(args, &a); err != nil {
		return address{}, errNotURL
	}
	return parse(a.URL)
}

// Check refuses addresses that are not what they seem.
func (p *Provider) Check(args json.RawMessage) error {
	_, err := target(args)
	return err
}

// Present shows the address as it will be opened, and its host.
func (p *Provider) Present(args json.RawMessage, lang string) capability.Presentation {
	a, err := target(args)
	if err != nil {
		return capability.Presentation{Args: []capability.Arg{{Name: "url", Label: label(lang, "address", "地址"), Value: string(args)}}}
	}
	out := capability.Presentation{Summary: a.site()}
	if a.host != "" {
		host := a.host
		if a.readable != "" {
			host += " (" + a.readable + ")"
		}
		out.Args = append(out.Args, capability.Arg{Name: "host", Label: label(lang, "site", "网站"), Value: host})
	}
	out.Args = append(out.Args, capability.Arg{Name: "url", Label: label(lang, "address", "地址"), Value: a.url})
	if a.lookalike {
		out.Warnings = append(out.Warnings, capability.WarnLookalike)
	}
	return out
}

// Scope is scheme, host and port. A mail is never remembered.
func (p *Provider) Scope(args json.RawMessage) (string, func(string) string) {
	a, err := target(args)
	if err != nil || a.host == "" {
		return "", nil
	}
	return a.site(), func(lang string) string {
		return label(lang, "open any page on "+a.site(), "打开 "+a.site()+" 上的任何网页")
	}
}

// Invoke opens the address.
func (p *Provider) Invoke(ctx context.Context, c capability.Call) (json.RawMessage, error) {
	a, err := target(c.Args)
	if err != nil {
		return nil, &capability.ProviderError{Code: capability.CodeArguments, Message: err.Error()}
	}
	if p.opener == nil {
		return nil, &capability.ProviderError{Code: "no_opener", Message: "this host has no way to open addresses"}
	}
	if err := p.opener.OpenURL(ctx, a.url); err != nil {
		return nil, &capability.ProviderError{Code: "not_opened", Message: "the system could not open the address", Err: err}
	}
	return json.RawMessage(`{"opened":true}`), nil
}

func label(lang, en, zh string) string {
	if lang == "zh-CN" {
		return zh
	}
	return en
}
