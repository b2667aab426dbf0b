package envelope

import (
	"encoding/json"
	"strconv"
)

// tooLong finds a list longer than its schema allows before the validator looks
// at any item of it: the validator collects an error for each, and a 1 MiB
// envelope has room for half a million.
func tooLong(schema, doc any, path string) *Error {
	s, _ := schema.(map[string]any)
	switch d := doc.(type) {
	case map[string]any:
		props, _ := s["properties"].(map[string]any)
		for _, name := range sortedKeys(props) {
			if v, ok := d[name]; ok {
				if err := tooLong(props[name], v, under(path, name)); err != nil {
					return err
				}
			}
		}
	case []any:
		if n, ok := s["maxItems"].(json.Number); ok {
			if limit, _ := strconv.Atoi(n.String()); len(d) > limit {
				return bad(path, "at most "+n.String()+" items")
			}
		}
		items, _ := s["items"].(map[string]any)
		if items["items"] == nil && items["properties"] == nil {
			return nil // nothing inside an item can be too long
		}
		for i, item := range d {
			if err := tooLong(items, item, at(path, i)); err != nil {
				return err
			}
		}
	}
	return nil
}
