package surface

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func refusedOrNil(t *testing.T, err error) {
	t.Helper()
	var r *Refusal
	if err != nil && (!errors.As(err, &r) || r.Code == "" || r.Expected == "") {
		t.Errorf("not a proper refusal: %v", err)
	}
}

func FuzzDecodeUplink(f *testing.F) {
	for _, s := range []string{
		`{"namespace":"lineup.surface.v1","type":"ready"}`,
		`{"namespace":"lineup.surface.v1","type":"event","event":"refresh","data":{"unit":"c"}}`,
		`{"namespace":"lineup.surface.v1","type":"resize","height":12.5}`,
		`{"namespace":"lineup.surface.v1","type":"pong","n":9007199254740991}`,
		`{"namespace":"lineup.surface.v1","type":"error","kind":"script","message":"x\ud800"}`,
		`{"namespace":"lineup.surface.v1","type":"event","event":"close","data":{}}`,
		`{"a":{"b":[1,"\"",{}]},"a":1}`, `[`, `"\u`, "\xff", `{"":{"":""}}`, "nul", ` { } `,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := DecodeUplink(raw)
		refusedOrNil(t, err)
		if err != nil {
			if !reflect.DeepEqual(u, Uplink{}) {
				t.Errorf("refused, but gives %+v", u)
			}
			return
		}
		if u.Type == UplinkEvent {
			var obj map[string]any
			if !ValidEvent(u.Event) || len(u.Data) > MaxEventData || json.Unmarshal(u.Data, &obj) != nil {
				t.Errorf("let through %+v", u)
			}
		}
		if u.N < 0 || u.N >= 1<<53 || u.Height < 0 || u.Height > MaxHeight || len(u.Message) > maxErrorMessage {
			t.Errorf("let through %+v", u)
		}
	})
}

func FuzzProbeReport(f *testing.F) {
	f.Add(report("0123456789abcdef", nil))
	f.Add(`{"namespace":"lineup.probe.v1","nonce":"0123456789abcdef","attempts":[{"name":null}]}`)
	f.Add(`{"attempts":{}}`)
	f.Fuzz(func(t *testing.T, raw string) {
		r, err := DecodeProbeReport(raw)
		refusedOrNil(t, err)
		if err == nil && len(r.Attempts) != len(ProbeAttempts()) {
			t.Errorf("let through %+v", r)
		}
	})
}

// mergeSlow is RFC 7396 §2 word for word.
func mergeSlow(target, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	t, ok := target.(map[string]any)
	if !ok {
		t = map[string]any{}
	}
	for name, value := range p {
		if value == nil {
			delete(t, name)
		} else {
			t[name] = mergeSlow(t[name], value)
		}
	}
	return t
}

func FuzzMergePatch(f *testing.F) {
	for _, s := range [][2]string{
		{`{"a":1}`, `{"a":null}`}, {`{"a":{"b":[1,{"c":null}]}}`, `{"a":{"b":[{"x":null}],"d":{"e":null}}}`},
		{`{"\u0061":"\"}"}`, `{"a":{}}`}, {`{"a":-1.5e3,"b":true}`, `{"b":{"c":"x"}}`}, {`{}`, `[]`}, {`{"":""}`, `{"":null}`},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, state, patch string) {
		checked, err := CheckState(json.RawMessage(state))
		if err != nil {
			return
		}
		before := string(checked)
		out, err := MergePatch(checked, json.RawMessage(patch))
		refusedOrNil(t, err)
		if string(checked) != before {
			t.Fatal("the old state changed")
		}
		if err != nil {
			return
		}
		if again, err := CheckState(out); err != nil || string(again) != string(out) {
			t.Fatalf("%s + %s = %s, which is no state: %v", state, patch, out, err)
		}
		var a, b, got any
		if json.Unmarshal(checked, &a) != nil || json.Unmarshal([]byte(patch), &b) != nil || json.Unmarshal(out, &got) != nil {
			return // a number too large for a float
		}
		if want := mergeSlow(a, b); !reflect.DeepEqual(got, want) {
			t.Errorf("%s + %s = %s, want %v", state, patch, out, want)
		}
	})
}

func FuzzJSONPatch(f *testing.F) {
	for _, s := range [][2]string{
		{`{"a":[1,2]}`, `[{"op":"add","path":"/a/-","value":3}]`}, {`{"a":{}}`, `[{"op":"move","from":"/a","path":"/a/b"}]`},
		{`{"a":1}`, `[{"op":"copy","from":"","path":"/b"}]`}, {`{"a~b":1,"c/d":2}`, `[{"op":"remove","path":"/a~0b"},{"op":"test","path":"/c~1d","value":2}]`},
		{`{"a":null}`, `[{"op":"add","path":"/a/b","value":1}]`}, {`{}`, `[{"op":"replace","path":"","value":null}]`},
		{`{"a":[[]]}`, `[{"op":"add","path":"/a/0/0","value":1},{"op":"remove","path":"/a/0/01"}]`}, {`{}`, `[{"op":"add","path":"/","value":[]}]`},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, state, ops string) {
		checked, err := CheckState(json.RawMessage(state))
		if err != nil {
			return
		}
		before := string(checked)
		out, err := JSONPatch(checked, json.RawMessage(ops))
		refusedOrNil(t, err)
		if string(checked) != before {
			t.Fatal("the old state changed")
		}
		if err == nil {
			if again, err := CheckState(out); err != nil || string(again) != string(out) {
				t.Errorf("%s + %s = %s, which is no state: %v", state, ops, out, err)
			}
		}
	})
}

// TestHostilePatchesAreCheap: what is within the limits must not take the
// conversation's goroutine away for good. The slowest takes about a second; the bound only tells that from a hang.
func TestHostilePatchesAreCheap(t *testing.T) {
	var keys, nulls strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&keys, `,"%05d":1`, i)
		fmt.Fprintf(&nulls, `,"%05d":null`, i)
	}
	object := func(b *strings.Builder) json.RawMessage { return json.RawMessage("{" + b.String()[1:] + "}") }
	list := json.RawMessage(`{"a":[` + strings.Repeat("1,", 120_000) + `1]}`)
	ops := func(op string) json.RawMessage {
		return json.RawMessage("[" + strings.TrimSuffix(strings.Repeat(op+",", MaxOps), ",") + "]")
	}
	for name, run := range map[string]func() error{
		"remove all":    func() error { _, err := MergePatch(object(&keys), object(&nulls)); return err },
		"insert first":  func() error { _, err := JSONPatch(list, ops(`{"op":"add","path":"/a/0","value":1}`)); return err },
		"remove first":  func() error { _, err := JSONPatch(list, ops(`{"op":"remove","path":"/a/0"}`)); return err },
		"copy and drop": func() error { _, err := JSONPatch(list, ops(`{"op":"copy","from":"/a","path":"/b"}`)); return err },
		"move about":    func() error { _, err := JSONPatch(list, ops(`{"op":"move","from":"/a","path":"/a"}`)); return err },
		"set in many": func() error {
			_, err := JSONPatch(object(&keys), ops(`{"op":"replace","path":"/19999","value":2}`))
			return err
		},
		"test the whole": func() error { _, err := JSONPatch(list, ops(`{"op":"test","path":"/a/119999","value":1}`)); return err },
	} {
		begin := time.Now()
		err := run()
		if took := time.Since(begin); took > 60*time.Second {
			t.Errorf("%s took %v (%v)", name, took, err)
		} else {
			t.Logf("%s: %v (%v)", name, took, err)
		}
	}
}
