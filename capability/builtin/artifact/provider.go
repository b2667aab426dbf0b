package artifact

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"lineup/capability"
)

//go:embed input.schema.json
var inputSchema []byte

//go:embed output.schema.json
var outputSchema []byte

// SaveName is the capability's name.
const SaveName capability.Name = "artifact.save"

// WarnExecutable is the warning for a file that runs when it is opened.
const WarnExecutable = "executable_file"

// Provider implements capability.Provider and capability.Checker.
type Provider struct {
	dir   string
	limit int64
}

// New returns the capability for one folder, which is made when it is first
// needed. limit is the largest content in bytes; 0 means 16 MiB.
func New(dir string, limit int64) *Provider {
	if limit <= 0 {
		limit = 16 << 20
	}
	return &Provider{dir, limit}
}

// Descriptor declares artifact.save 1.0.
func (p *Provider) Descriptor() capability.Descriptor {
	return capability.Descriptor{Name: SaveName, Version: "1.0", Risk: capability.UserConfirmation, InputSchema: inputSchema, OutputSchema: outputSchema}
}

// Title completes "{agent} wants to …".
func (p *Provider) Title(lang string) string { return word(lang, "save a file", "保存文件") }

// file is the argument, read.
type file struct {
	name    string // safe
	content []byte
	binary  bool // it came as base64
}

func (p *Provider) read(args json.RawMessage) (file, error) {
	var a struct {
		Name string  `json:"name"`
		Text *string `json:"text"`
		Data *string `json:"data"`
	}
	if err := json.Unmarshal(args, &a); err != nil {
		return file{}, errors.New("arguments: expected name, and text or data")
	}
	name, err := safeName(a.Name)
	if err != nil {
		return file{}, err
	}
	f := file{name: name}
	switch {
	case (a.Text == nil) == (a.Data == nil):
		return file{}, errors.New("arguments: expected either text or data")
	case a.Text != nil:
		f.content = []byte(*a.Text)
	default:
		f.binary = true
		if f.content, err = base64.StdEncoding.Strict().DecodeString(*a.Data); err != nil {
			return file{}, errors.New("data: not valid base64")
		}
	}
	if int64(len(f.content)) > p.limit {
		return file{}, fmt.Errorf("content: %d bytes, at most %d", len(f.content), p.limit)
	}
	return f, nil
}

// Check refuses names with folders, bad base64 and content over the limit.
func (p *Provider) Check(args json.RawMessage) error {
	_, err := p.read(args)
	return err
}

// Present shows the name as it will be, the folder, the size and the content:
// text whole, anything else by kind and SHA-256.
func (p *Provider) Present(args json.RawMessage, lang string) capability.Presentation {
	f, err := p.read(args)
	if err != nil {
		return capability.Presentation{Args: []capability.Arg{{Name: "arguments", Label: word(lang, "arguments", "参数"), Value: string(args)}}}
	}
	content := capability.Arg{Name: "text", Label: word(lang, "content", "内容"), Value: string(f.content)}
	if f.binary {
		content.Name = "data"
		content.Value = fmt.Sprintf("%s, SHA-256 %x", http.DetectContentType(f.content), sha256.Sum256(f.content))
	}
	out := capability.Presentation{
		Summary: f.name,
		Args: []capability.Arg{
			{Name: "name", Label: word(lang, "file name", "文件名"), Value: f.name},
			{Name: "folder", Label: word(lang, "folder", "文件夹"), Value: p.dir},
			{Name: "size", Label: word(lang, "size", "大小"), Value: fmt.Sprintf(word(lang, "%d bytes", "%d 字节"), len(f.content))},
			content,
		},
	}
	if runs(f.name) {
		out.Warnings = []string{WarnExecutable}
	}
	return out
}

// Scope is the folder. What runs when it is opened is asked about every time.
func (p *Provider) Scope(args json.RawMessage) (string, func(string) string) {
	f, err := p.read(args)
	if err != nil || runs(f.name) {
		return "", nil
	}
	return p.dir, func(lang string) string {
		return fmt.Sprintf(word(lang, "save new files, other than programs, in %s", "在 %s 中保存新文件（程序除外）"), p.dir)
	}
}

// Invoke writes the file.
func (p *Provider) Invoke(ctx context.Context, c capability.Call) (json.RawMessage, error) {
	f, err := p.read(c.Args)
	if err != nil {
		return nil, &capability.ProviderError{Code: capability.CodeArguments, Message: err.Error()}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	name, err := save(p.dir, f.name, f.content)
	if err != nil {
		return nil, failure(err)
	}
	return json.Marshal(map[string]any{"saved": true, "name": name, "size": len(f.content)})
}

func word(lang, en, zh string) string {
	if lang == "zh-CN" {
		return zh
	}
	return en
}
