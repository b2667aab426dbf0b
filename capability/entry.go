package capability

import (
	"encoding/json"
	"fmt"
	"regexp"
	"sort"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

var nameRE = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$`)

// entry is a provider with its compiled schemas; its methods catch panics.
type entry struct {
	p      Provider
	desc   Descriptor
	input  *jsonschema.Schema
	output *jsonschema.Schema
}

func newEntry(p Provider) (*entry, error) {
	d := p.Descriptor()
	if !nameRE.MatchString(string(d.Name)) || len(d.Name) > 128 {
		return nil, fmt.Errorf("capability: name %q: expected dotted lower-case words", d.Name)
	}
	switch d.Risk {
	case DisplayOnly, UserConfirmation, SystemPermission, Restricted:
	default:
		return nil, fmt.Errorf("capability: %s: unknown risk %q", d.Name, d.Risk)
	}
	e := &entry{p: p, desc: d}
	var err error
	if e.input, err = compile(d.InputSchema); err != nil {
		return nil, fmt.Errorf("capability: %s: input_schema: %w", d.Name, err)
	}
	if e.output, err = compile(d.OutputSchema); err != nil {
		return nil, fmt.Errorf("capability: %s: output_schema: %w", d.Name, err)
	}
	return e, nil
}

func sortedDescriptors(m map[Name]*entry) []Descriptor {
	out := make([]Descriptor, 0, len(m))
	for _, e := range m {
		out = append(out, e.desc)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

func language(lang string) string {
	if lang == "zh-CN" {
		return lang
	}
	return "en"
}

func (e *entry) title(lang string) (t string) {
	defer func() {
		if recover() != nil {
			t = string(e.desc.Name)
		}
	}()
	return e.p.Title(language(lang))
}

// present never fails: a provider that cannot say what would run is shown as
// the raw arguments, so that the user still sees what is asked.
func (e *entry) present(args json.RawMessage, lang string) (p Presentation) {
	defer func() {
		if recover() != nil {
			p = Presentation{Args: []Arg{{Name: "arguments", Label: "arguments", Value: string(args)}}}
		}
		p.Title = e.title(lang)
	}()
	return e.p.Present(clone(args), language(lang))
}

func (e *entry) scope(args json.RawMessage) (key string, rule func(string) string) {
	defer func() {
		if recover() != nil {
			key, rule = "", nil
		}
	}()
	key, theirs := e.p.Scope(clone(args)) // not rule: the closure below would call itself
	if theirs == nil {
		return "", nil
	}
	return key, func(lang string) (s string) {
		defer func() {
			if recover() != nil {
				s = key
			}
		}()
		return theirs(language(lang))
	}
}

// check tells why the canonical arguments are refused, or nil.
func (e *entry) check(args json.RawMessage) (err error) {
	if err := validate(e.input, args); err != nil {
		return err
	}
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("the arguments could not be checked")
		}
	}()
	if c, ok := e.p.(Checker); ok {
		return c.Check(clone(args))
	}
	return nil
}

func (e *entry) timeout(def time.Duration) time.Duration {
	if p, ok := e.p.(Patient); ok {
		if d := p.InvokeTimeout(); d > 0 {
			return d
		}
	}
	return def
}

func clone(b json.RawMessage) json.RawMessage { return append(json.RawMessage(nil), b...) }
