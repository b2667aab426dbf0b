package envelope

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
)

// The limits of PROTOCOL.md §3, §4 and §7 that a schema cannot say. Sizes are
// UTF-8 bytes; those of JSON values are counted after insignificant space is
// taken out.
const (
	MaxBundle      = 160 << 10 // html, css and js together
	MaxState       = 256 << 10 // the state of a surface, and one patch of it
	MaxEventData   = 16<<10 - 1
	MaxSchemaDepth = 16 // levels of objects and arrays in input.schema
)

func bad(field, expected string) *Error { return refuse(InvalidPayload, field, expected) }

func checkChoice(c Choice) *Error {
	seen := make(map[string]bool, len(c.Options))
	for i, o := range c.Options {
		if seen[o.ID] {
			return bad(at("payload.options", i)+".id", "an id no other option has")
		}
		seen[o.ID] = true
	}
	if c.Min != nil && *c.Min > len(c.Options) {
		return bad("payload.min", "no more than there are options")
	}
	if c.Min != nil && c.Max != nil && *c.Min > *c.Max {
		return bad("payload.max", "at least min")
	}
	return nil
}

func checkInput(in Input) *Error {
	if len(in.Schema) == 0 {
		return nil
	}
	if _, err := scan(in.Schema, MaxSchemaDepth); err != nil {
		return bad("payload.schema", "at most "+strconv.Itoa(MaxSchemaDepth)+" levels of objects and arrays")
	}
	return checkSchema(in.Schema)
}

func checkComponentResult(r ComponentResult) *Error {
	if r.Status == "answered" && len(r.Value) == 0 {
		return bad("payload.value", "the answer")
	}
	return nil
}

func checkTable(t Table) *Error {
	for i, row := range t.Rows {
		if len(row) > len(t.Columns) {
			return bad(at("payload.rows", i), fmt.Sprintf("at most %d cells, one for each column", len(t.Columns)))
		}
	}
	return nil
}

func checkDiff(d Diff) *Error {
	if d.Unified == "" && d.Old == "" && d.New == "" {
		return bad("payload.unified", "a unified diff, or old and new")
	}
	if d.Unified != "" && (d.Old != "" || d.New != "") {
		return bad("payload.unified", "either a unified diff or old and new, not both")
	}
	return nil
}

func checkFile(f File) *Error {
	if f.Data == "" {
		return nil
	}
	data, err := base64.StdEncoding.Strict().DecodeString(f.Data)
	if err != nil {
		return bad("payload.data", "base64 with padding (RFC 4648 §4)")
	}
	if int64(len(data)) != f.Size {
		return bad("payload.size", "the number of bytes in data")
	}
	return nil
}

func checkUIOpen(o UIOpen) *Error {
	a := o.App
	if a.HTML == "" && a.CSS != "" {
		return bad("payload.app.css", "no css without html: without html the installed app is opened")
	}
	if a.HTML == "" && a.JS != "" {
		return bad("payload.app.js", "no js without html: without html the installed app is opened")
	}
	if len(a.HTML)+len(a.CSS)+len(a.JS) > MaxBundle {
		return bad("payload.app", "at most "+strconv.Itoa(MaxBundle)+" bytes of html, css and js together")
	}
	return within("payload.state", o.State, MaxState)
}

func checkUIPatch(p UIPatch) *Error {
	switch {
	case len(p.State) == 0 && len(p.JSONPatch) == 0:
		return bad("payload.state", "a merge patch, or json_patch")
	case len(p.State) != 0 && len(p.JSONPatch) != 0:
		return bad("payload.json_patch", "either state or json_patch, not both")
	case len(p.State) != 0:
		return within("payload.state", p.State, MaxState)
	}
	if err := within("payload.json_patch", p.JSONPatch, MaxState); err != nil {
		return err
	}
	var ops []map[string]json.RawMessage
	if json.Unmarshal(p.JSONPatch, &ops) != nil {
		return bad("payload.json_patch", "a list of operations (RFC 6902)")
	}
	for i, op := range ops {
		name, _ := text(op["op"])
		need := ""
		switch name {
		case "add", "replace", "test":
			need = "value"
		case "move", "copy":
			need = "from"
		}
		if _, ok := op[need]; need != "" && !ok {
			return bad(at("payload.json_patch", i)+"."+need, "present, since the operation is "+name)
		}
	}
	return nil
}

func checkUIEvent(e UIEvent) *Error {
	return within("payload.data", e.Data, MaxEventData)
}

func checkAppResult(r AppResult) *Error {
	if r.Status != "completed" && r.Error == nil {
		return bad("payload.error", "why the call did not complete")
	}
	return nil
}

// within bounds a JSON value by its size without insignificant space.
func within(path string, raw json.RawMessage, limit int) *Error {
	if len(raw) <= limit {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil || b.Len() > limit {
		return bad(path, "at most "+strconv.Itoa(limit)+" bytes of JSON")
	}
	return nil
}
