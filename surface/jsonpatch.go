package surface

import (
	"encoding/json"
	"errors"
	"fmt"

	jsonpatch "github.com/evanphx/json-patch/v5"
)

// MaxOps is how many operations a JSON Patch may have.
const MaxOps = 1000

// JSONPatch applies an RFC 6902 patch to a state that CheckState passed. It is
// atomic: on a *Refusal the old state stands. At most MaxOps operations and
// MaxState bytes of patch; copies may add MaxState bytes at most, and the result
// is checked like any state.
func JSONPatch(state, ops json.RawMessage) (result json.RawMessage, err error) {
	// The library has panicked on odd input before; a panic here would take the
	// host down with every conversation in it.
	defer func() {
		if recover() != nil {
			result, err = nil, refuse(CodeBadPatch, "json_patch", "operations that can be applied")
		}
	}()
	if len(ops) > MaxState {
		return nil, refuse(CodeTooLarge, "json_patch", tooLargeState)
	}
	list, err := decodeOps(ops)
	if err != nil {
		return nil, err
	}
	if len(state) == 0 {
		state = json.RawMessage("{}")
	}
	out, err := list.ApplyWithOptions(state, &jsonpatch.ApplyOptions{
		SupportNegativeIndices:   false, // not in RFC 6901
		AccumulatedCopySizeLimit: MaxState,
		EscapeHTML:               false, // a state must not grow because it says "<"
	})
	var tooBig *jsonpatch.AccumulatedCopySizeError
	switch {
	case errors.As(err, &tooBig):
		return nil, refuse(CodeTooLarge, "json_patch", "copies of "+tooLargeState)
	case errors.Is(err, jsonpatch.ErrTestFailed):
		return nil, refuse(CodeBadPatch, "json_patch", "test operations that hold")
	case err != nil:
		return nil, refuse(CodeBadPatch, "json_patch", "paths that exist and values that fit")
	}
	return CheckState(out)
}

// decodeOps checks each operation's shape itself, so that the refusal names it.
func decodeOps(raw json.RawMessage) (jsonpatch.Patch, error) {
	// Three levels more than a state: the list, the operation, and its value.
	if p := scan(raw, MaxDepth+2); p != "" {
		return nil, refuse(CodeBadPatch, "json_patch", string(p))
	}
	var ops jsonpatch.Patch
	if err := json.Unmarshal(raw, &ops); err != nil || ops == nil {
		return nil, refuse(CodeBadPatch, "json_patch", "an array of operations")
	}
	if len(ops) > MaxOps {
		return nil, refuse(CodeTooLarge, "json_patch", fmt.Sprintf("at most %d operations", MaxOps))
	}
	for i, op := range ops {
		if need := checkOp(op); need != "" {
			return nil, refuse(CodeBadPatch, fmt.Sprintf("json_patch[%d]", i), need)
		}
	}
	return ops, nil
}

func checkOp(op jsonpatch.Operation) (need string) {
	text := func(name string) (string, bool) {
		var s *string
		v, ok := op[name]
		if !ok || v == nil || json.Unmarshal(*v, &s) != nil || s == nil {
			return "", false
		}
		return *s, true
	}
	kind, _ := text("op")
	path, ok := text("path")
	if !ok || (path != "" && path[0] != '/') {
		return "path to be a JSON Pointer"
	}
	switch kind {
	case "add", "replace", "test":
		if _, ok := op["value"]; !ok {
			return "a value"
		}
	case "move", "copy":
		if from, ok := text("from"); !ok || (from != "" && from[0] != '/') {
			return "from to be a JSON Pointer"
		}
	case "remove":
		if path == "" {
			return "a path below the state itself"
		}
	default:
		return "op to be add, remove, replace, move, copy or test"
	}
	return ""
}
