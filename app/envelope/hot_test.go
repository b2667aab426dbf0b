package envelope

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// The short way of checking deltas and patches says what the schema and the
// typed decoding say, for thousands of right and wrong payloads.
func TestHotPathAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := []string{`"a"`, `""`, `"a/b"`, `"` + strings.Repeat("x", 129) + `"`, `null`, `1`, `true`, `[]`, `{}`, `{"a":{"b":null}}`, `[1]`, `"\u0061"`, `"é"`}
	names := []string{"message_id", "delta", "instance_id", "state", "json_patch", "html", "css", "js", "app", "Delta", "STATE", "x", `st\u0061te`}
	patch := []string{`[{"op":"remove","path":"/a"}]`, `[{"op":"add","path":"/a"}]`}
	accepted, refused := map[Type]int{}, map[Type]int{}
	for range 20_000 {
		for _, typ := range []Type{TypeMessageDelta, TypeUIPatch} {
			var parts []string
			used := map[string]bool{}
			add := func(name, value string) {
				key := strings.ReplaceAll(name, `\u0061`, "a")
				if !used[key] {
					used[key] = true
					parts = append(parts, `"`+name+`":`+value)
				}
			}
			if r.IntN(4) > 0 { // mostly near to right
				if typ == TypeMessageDelta {
					add("message_id", `"s1"`)
					add("delta", values[r.IntN(3)])
				} else {
					add("instance_id", `"w"`)
					add([]string{"state", `st\u0061te`}[r.IntN(2)], values[8+r.IntN(2)])
				}
			}
			for range r.IntN(3) {
				add(names[r.IntN(len(names))], append(values, patch...)[r.IntN(len(values)+len(patch))])
			}
			r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			raw := json.RawMessage("{" + strings.Join(parts, ",") + "}")
			if _, err := scan(raw, MaxDepth); err != nil {
				t.Fatal(err)
			}
			k := kinds[typ]
			short, handled := k.hot(raw)
			long := k.full(raw)
			if handled && (short == nil) != (long == nil) {
				t.Fatalf("%s %s: short %v, long %v", typ, raw, short, long)
			}
			if long == nil {
				accepted[typ]++
			} else {
				refused[typ]++
			}
		}
	}
	for _, typ := range []Type{TypeMessageDelta, TypeUIPatch} {
		if accepted[typ] < 1000 || refused[typ] < 1000 {
			t.Errorf("%s: %d accepted, %d refused prove nothing", typ, accepted[typ], refused[typ])
		}
	}
	big := json.RawMessage(`{"instance_id":"w","state":{"k":"` + strings.Repeat("x", MaxState) + `"}}`)
	if short, _ := kinds[TypeUIPatch].hot(big); short == nil || kinds[TypeUIPatch].full(big) == nil {
		t.Error("a large state is accepted")
	}
}

func BenchmarkDecode(b *testing.B) {
	for name, text := range map[string]string{
		"delta":  wrap(TypeMessageDelta, valid[TypeMessageDelta]),
		"patch":  wrap(TypeUIPatch, valid[TypeUIPatch]),
		"choice": wrap(TypeChoice, valid[TypeChoice]),
		"open":   wrap(TypeUIOpen, valid[TypeUIOpen]),
		"1MiB":   wrap(TypeMessage, `{"text":"`+strings.Repeat("x", MaxSize-300)+`"}`),
		"zeros":  wrap(TypeChoice, `{"prompt":"?","options":[`+repeat("{}", 300_000, ",")+`]}`),
	} {
		b.Run(name, func(b *testing.B) {
			data := []byte(text)
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				_, _ = Decode(data)
			}
		})
	}
}
