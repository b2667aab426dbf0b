package inventory

import (
	"encoding/json"
	"sort"

	"lineup/capability"
)

// Component is one standard component that the host renders itself.
type Component struct {
	ID      string `json:"id"`
	Version string `json:"version"`
}

// App is an enabled app. It lists what an agent may open and hear, and no more.
type App struct {
	ID       string    `json:"id"`
	Version  string    `json:"version"`
	Surfaces []Surface `json:"surfaces"`
}

// Surface is one surface of an app with the events it may send.
type Surface struct {
	ID     string   `json:"id"`
	Events []string `json:"events,omitempty"`
}

// Capability is a declaration. It is never a permission.
type Capability struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Risk    string `json:"risk"`
}

// Content is an inventory without its revision.
type Content struct {
	StandardComponents []Component  `json:"standard_components"`
	Applications       []App        `json:"applications"`
	Capabilities       []Capability `json:"capabilities"`

	schemas map[string]json.RawMessage
}

// Bytes is the content in the form that is equal byte for byte when nothing
// changed. It covers the schemas too, which only app.list shows.
func (c Content) Bytes() []byte {
	b, err := json.Marshal(struct {
		Content
		Schemas map[string]json.RawMessage `json:"input_schemas"`
	}{c, c.schemas})
	if err != nil {
		panic("inventory: content does not marshal: " + err.Error()) // plain strings and compacted JSON only
	}
	return b
}

// ListedCapability is one entry of app.list.
type ListedCapability struct {
	Capability
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
}

// AppList is the capability-only projection, for app.list.
func (c Content) AppList() []ListedCapability {
	out := make([]ListedCapability, 0, len(c.Capabilities))
	for _, x := range c.Capabilities {
		out = append(out, ListedCapability{x, c.schemas[x.Name]})
	}
	return out
}

// Standard is the list of components this host renders, all in version 1.
func Standard() []Component {
	var out []Component
	for _, id := range []string{"message", "status", "progress", "error", "choice", "confirm", "input",
		"tool", "reasoning", "plan", "table", "code", "diff", "file", "citation"} {
		out = append(out, Component{id, "1"})
	}
	return out
}

// Input is what an agent may be told, before policy. A nil filter lets everything pass.
type Input struct {
	Components   []Component
	Apps         []App
	Capabilities []capability.Descriptor

	// MayKnow leaves out a capability that policy hides, or makes its risk stricter.
	MayKnow func(capability.Descriptor) (risk capability.Risk, ok bool)
	// MayOpen leaves out an app.
	MayOpen func(App) bool
}

// Compose makes the content, in an order that does not depend on the input's:
// components as given (their order is the host's), apps and capabilities by name,
// each once; of two with one name the first given stays.
func Compose(in Input) Content {
	c := Content{
		StandardComponents: append([]Component{}, in.Components...),
		Applications:       []App{},
		Capabilities:       []Capability{},
		schemas:            map[string]json.RawMessage{},
	}
	seen := map[string]bool{}
	for _, a := range in.Apps {
		if seen[a.ID] || in.MayOpen != nil && !in.MayOpen(a) {
			continue
		}
		seen[a.ID] = true
		a.Surfaces = surfaces(a.Surfaces)
		c.Applications = append(c.Applications, a)
	}
	sort.Slice(c.Applications, func(i, j int) bool { return c.Applications[i].ID < c.Applications[j].ID })
	seen = map[string]bool{}
	for _, d := range in.Capabilities {
		risk, ok := d.Risk, true
		if in.MayKnow != nil {
			risk, ok = in.MayKnow(d)
		}
		if !ok || seen[string(d.Name)] {
			continue
		}
		seen[string(d.Name)] = true
		c.Capabilities = append(c.Capabilities, Capability{string(d.Name), d.Version, string(risk)})
		if json.Valid(d.InputSchema) {
			c.schemas[string(d.Name)] = d.InputSchema
		}
	}
	sort.Slice(c.Capabilities, func(i, j int) bool { return c.Capabilities[i].Name < c.Capabilities[j].Name })
	return c
}

func surfaces(in []Surface) []Surface {
	out := make([]Surface, 0, len(in))
	for _, s := range in {
		s.Events = append([]string(nil), s.Events...)
		out = append(out, s)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}
