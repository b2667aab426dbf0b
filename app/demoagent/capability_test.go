package demoagent

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"lineup/app/envelope"
	"lineup/capability"
	"lineup/capability/builtin/artifact"
	"lineup/capability/builtin/clipboard"
	"lineup/capability/builtin/openurl"
)

// The agent's calls are what the built-in capabilities take.
func TestArgumentsFitTheCapabilities(t *testing.T) {
	known := map[string]capability.Descriptor{}
	for _, d := range []capability.Descriptor{
		artifact.New(t.TempDir(), 0).Descriptor(), clipboard.New(nil).Descriptor(), openurl.New(nil).Descriptor(),
	} {
		known[string(d.Name)] = d
	}
	for _, ask := range []string{"open", "copy", "save", "复制", "保存"} {
		p, _ := connect(t, serve(t, Options{}), "en")
		p.say("c1", ask)
		c := content[envelope.AppCall](t, p.until(envelope.TypeAppCall))
		d, ok := known[c.Capability]
		if !ok {
			t.Errorf("%s: the host has no %s", ask, c.Capability)
			continue
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource("in.json", bytes.NewReader(d.InputSchema)); err != nil {
			t.Fatal(err)
		}
		var args any
		if err := json.Unmarshal(c.Arguments, &args); err != nil {
			t.Fatal(err)
		}
		if err := compiler.MustCompile("in.json").Validate(args); err != nil {
			t.Errorf("%s: %v", ask, err)
		}
	}
}
