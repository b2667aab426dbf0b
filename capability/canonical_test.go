package capability

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "{}",
		"  ":                                 "{}",
		` { "b" : 1 , "a" : [ 1.0 , 2e3 ] }`: `{"a":[1.0,2e3],"b":1}`,
		`{"\u0061":"\u003c\u00e9"}`:          `{"a":"<é"}`,
		`{"z":{"y":null,"x":true},"a":{}}`:   `{"a":{},"z":{"x":true,"y":null}}`,
		`{"n":-0,"m":123456789012345678901}`: `{"m":123456789012345678901,"n":-0}`,
	} {
		if got, err := canonical(json.RawMessage(in)); err != nil || string(got) != want {
			t.Errorf("canonical(%s) = %s, %v; want %s", in, got, err, want)
		}
	}
	deep := func(n int) string { return strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1) }
	if _, err := canonical(json.RawMessage(deep(maxDepth))); err != nil {
		t.Errorf("at the depth limit: %v", err)
	}
	sized := func(n int) json.RawMessage { return json.RawMessage(`{"a":"` + strings.Repeat("x", n-8) + `"}`) }
	if _, err := canonical(sized(maxArgs)); err != nil {
		t.Errorf("at the size limit: %v", err)
	}
	for _, in := range []string{string(sized(maxArgs + 1)), deep(maxDepth + 2), `null`, `"x"`, `[]`, `1`, `{`, `}`, `{"a":1}x`, `{"a":1,"a":1}`,
		`{"a":01}`, `{"a":1e401}`, `{"a":1e-99999}`, `{"a":1e99999999999999999999}`, "{\"a\":\"\xc0\"}", `{"a":}`, `{a:1}`, `{"a":` + strings.Repeat("1", 401) + `}`} {
		if got, err := canonical(json.RawMessage(in)); err == nil {
			t.Errorf("canonical(%.60s) = %.60s; want an error", in, got)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `{"b":[1,"x",null,true],"a":{"c":1e5}}`, `{"a":"\ud800\u2028"}`, `{"a":1,"a":2}`, `[`, ``} {
		f.Add([]byte(s))
	}
	schema, err := compile(json.RawMessage(`{"properties":{"a":{"multipleOf":0.5,"maximum":10}},"required":["a"]}`))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := canonical(in)
		if err != nil {
			return
		}
		_ = validate(schema, got)
		again, err := canonical(got)
		if err != nil || !bytes.Equal(got, again) {
			t.Fatalf("%q: %q, then %q, %v", in, got, again, err)
		}
		if len(bytes.TrimSpace(in)) == 0 {
			return
		}
		var a, b any
		if err := json.Unmarshal(in, &a); err != nil {
			t.Fatalf("%q is not JSON: %v", in, err)
		}
		if err := json.Unmarshal(got, &b); err != nil || !reflect.DeepEqual(a, b) {
			t.Fatalf("%q means something else than %q", got, in)
		}
	})
}
