package surface

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// jsonTree is a value as a script sees it, but for what is written: leaves and
// keys are kept as text, keys in their order.
type jsonTree struct {
	kind byte // '{', '[' or 0
	keys []string
	vals []*jsonTree
	text string
}

func parseTree(raw []byte) *jsonTree {
	t := &jsonTree{}
	switch raw[0] {
	case '{':
		t.kind = '{'
		for _, p := range pairs(raw) {
			t.keys, t.vals = append(t.keys, string(p.key)), append(t.vals, parseTree(p.value))
		}
	case '[':
		t.kind = '['
		for _, e := range elements(raw) {
			t.vals = append(t.vals, parseTree(e))
		}
	default:
		t.text = string(raw)
	}
	return t
}

func (t *jsonTree) String() string {
	var b strings.Builder
	switch t.kind {
	case '{':
		for i, k := range t.keys {
			b.WriteString(map[bool]string{true: "{", false: ","}[i == 0] + k + ":" + t.vals[i].String())
		}
		return map[bool]string{true: "{}", false: b.String() + "}"}[len(t.keys) == 0]
	case '[':
		for i, v := range t.vals {
			b.WriteString(map[bool]string{true: "[", false: ","}[i == 0] + v.String())
		}
		return map[bool]string{true: "[]", false: b.String() + "]"}[len(t.vals) == 0]
	}
	return t.text
}

// scriptKey is a quoted key as a script compares it: by UTF-16 units, so that
// lone surrogates differ.
func scriptKey(quoted string) string {
	var units []uint16
	s := quoted[1 : len(quoted)-1]
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			r := []rune(s[i:])[0]
			units = utf16.AppendRune(units, r)
			i += len(string(r))
			continue
		}
		if s[i+1] == 'u' {
			n, _ := strconv.ParseUint(s[i+2:i+6], 16, 16)
			units, i = append(units, uint16(n)), i+6
			continue
		}
		units, i = append(units, uint16("\"\\/\b\f\n\r\t"[strings.IndexByte(`"\/bfnrt`, s[i+1])])), i+2
	}
	return fmt.Sprint(units)
}

// apply is what DiffMessage says, slowly.
func (t *jsonTree) apply(ops []byte) {
	for _, op := range elements(ops) {
		parts := elements(op)
		path, node := elements(parts[0]), t
		depth := len(path) - 1
		if len(parts) == 4 {
			depth++
		}
		for _, step := range path[:depth] {
			node = node.vals[node.at(step)]
		}
		switch len(parts) {
		case 1:
			i := node.at(path[depth])
			node.keys, node.vals = append(node.keys[:i:i], node.keys[i+1:]...), append(node.vals[:i:i], node.vals[i+1:]...)
		case 2:
			if i := node.at(path[depth]); i >= 0 {
				node.vals[i] = parseTree(parts[1])
			} else {
				node.keys, node.vals = append(node.keys, string(path[depth])), append(node.vals, parseTree(parts[1]))
			}
		case 4:
			start, _ := strconv.Atoi(string(parts[1]))
			gone, _ := strconv.Atoi(string(parts[2]))
			rest := append([]*jsonTree(nil), node.vals[start+gone:]...)
			node.vals = append(append(node.vals[:start:start], parseTree(parts[3]).vals...), rest...)
		}
	}
}

func (t *jsonTree) at(step []byte) int {
	if t.kind == '[' {
		i, _ := strconv.Atoi(string(step))
		return i
	}
	for i, k := range t.keys {
		if scriptKey(k) == scriptKey(string(step)) {
			return i
		}
	}
	return -1
}

// checkDiff applies the difference, if there is one, and wants exactly the new text.
func checkDiff(t *testing.T, old, new json.RawMessage) (ops json.RawMessage, ok bool) {
	t.Helper()
	was, is := string(old), string(new)
	ops, ok = Diff(old, new)
	if string(old) != was || string(new) != is {
		t.Fatal("a state changed")
	}
	if again, _ := Diff(old, new); !bytes.Equal(again, ops) {
		t.Fatalf("%s, then %s", ops, again)
	}
	if !ok {
		return nil, false
	}
	if !json.Valid(ops) || len(ops) > len(new)/2+1 {
		t.Fatalf("%s → %s: ops %s", old, new, ops)
	}
	tree := parseTree(old)
	tree.apply(ops)
	if tree.String() != is {
		t.Fatalf("%s\n%s gives\n%s, not\n%s", old, ops, tree, new)
	}
	return ops, true
}

// padded is an object of a size that is worth a difference; fields begin with a comma or are empty.
func padded(fields string) json.RawMessage {
	return json.RawMessage(`{"pad":"` + strings.Repeat("x", 5000) + `"` + fields + `}`)
}

func TestDiff(t *testing.T) {
	rows := func(from, to int, change string) string {
		var list []string
		for i := from; i < to; i++ {
			list = append(list, fmt.Sprintf(`{"id":%d,"name":"row %d"}`, i, i))
		}
		return `,"rows":[` + strings.Replace(strings.Join(list, ","), `"row 50"`, change, 1) + `]`
	}
	for name, c := range map[string][3]string{
		"nothing":            {`,"a":1`, `,"a":1`, `[]`},
		"a value":            {`,"a":1`, `,"a":2`, `[[["a"],2]]`},
		"null":               {`,"a":1`, `,"a":null`, `[[["a"],null]]`},
		"a new key":          {``, `,"a":{}`, `[[["a"],{}]]`},
		"a key less":         {`,"a":1,"b":2`, `,"b":2`, `[[["a"]]]`},
		"the empty key":      {`,"":1`, `,"":{"":2}`, `[[[""],{"":2}]]`},
		"Unicode keys":       {`,"城市":{"é":1,"x":"aaaaaaaaaaaaaaaaaaaa"}`, `,"城市":{"é":2,"x":"aaaaaaaaaaaaaaaaaaaa"}`, `[[["城市","é"],2]]`},
		"another escape":     {`,"a":1,"b":2`, `,"b":2,"\u0061":1`, `[[["a"]],[["\u0061"],1]]`},
		"a number as it is":  {`,"a":1e400,"b":0`, `,"a":1e400,"b":-0`, `[[["b"],-0]]`},
		"another kind":       {`,"a":[1]`, `,"a":{"0":1}`, `[[["a"],{"0":1}]]`},
		"within":             {rows(0, 100, `"row 50"`), rows(0, 100, `"x"`), `[[["rows",50,"name"],"x"]]`},
		"append":             {rows(0, 100, `"row 50"`), rows(0, 101, `"row 50"`), `[[["rows"],100,0,[{"id":100,"name":"row 100"}]]]`},
		"truncate":           {rows(0, 100, `"row 50"`), rows(0, 98, `"row 50"`), `[[["rows"],98,2,[]]]`},
		"to nothing":         {rows(0, 100, `"row 50"`), `,"rows":[]`, `[[["rows"],[]]]`},
		"prepend":            {rows(1, 100, `"row 50"`), rows(0, 100, `"row 50"`), `[[["rows"],0,0,[{"id":0,"name":"row 0"}]]]`},
		"slide":              {rows(0, 100, `"row 50"`), rows(1, 101, `"row 50"`), `[[["rows"],0,1,[]],[["rows"],99,0,[{"id":100,"name":"row 100"}]]]`},
		"slide back":         {rows(1, 101, `"row 50"`), rows(0, 100, `"row 50"`), `[[["rows"],0,0,[{"id":0,"name":"row 0"}]],[["rows"],100,1,[]]]`},
		"an array in arrays": {`,"a":[[1,2,3,4,5,6,7,8,9],[1]]`, `,"a":[[1,2,3,4,5,6,7,8,9],[1,2]]`, `[[["a",1],[1,2]]]`},
	} {
		ops, ok := checkDiff(t, padded(c[0]), padded(c[1]))
		if !ok || string(ops) != c[2] {
			t.Errorf("%s: %s (%v), want %s", name, ops, ok, c[2])
		}
	}
	for name, c := range map[string][2]json.RawMessage{
		"small":            {json.RawMessage(`{"a":1}`), json.RawMessage(`{"a":2}`)},
		"the first":        {nil, padded("")},
		"everything":       {json.RawMessage(`{}`), padded("")},
		"in another order": {padded(`,"a":1,"b":2`), json.RawMessage(`{"b":2,` + string(padded(`,"a":1`))[1:])},
		// A long path many times over must not grow beyond all bounds.
		"many below a long key": {
			json.RawMessage(`{"` + strings.Repeat("k", 100_000) + `":[` + strings.Repeat("0,", 50_000) + `0]}`),
			json.RawMessage(`{"` + strings.Repeat("k", 100_000) + `":[` + strings.Repeat("1,", 50_000) + `1]}`),
		},
	} {
		if ops, ok := checkDiff(t, c[0], c[1]); ok {
			t.Errorf("%s: %s", name, ops)
		}
	}
}

// TestDiffIsCheap: the largest states, changed in the least favourable ways.
func TestDiffIsCheap(t *testing.T) {
	many := func(item string, n int) json.RawMessage {
		return json.RawMessage(`{"a":[` + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + `]}`)
	}
	deep := func(leaf string) json.RawMessage {
		return json.RawMessage(strings.Repeat(`{"a":`, 63) + `[` + strings.Repeat(leaf+",", 120_000) + "1]" + strings.Repeat("}", 63))
	}
	for name, c := range map[string][2]json.RawMessage{
		"all numbers": {many("1", 130_000), many("2", 130_000)},
		"one more":    {many("1", 130_000), many("1", 130_001)},
		"deep":        {deep("1"), deep("2")},
		"deep, equal": {deep("1"), append(deep("1"), 0)[:len(deep("1"))]},
	} {
		begin := time.Now()
		Diff(c[0], c[1])
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%s takes %v", name, took)
		}
	}
}

// changes makes states and their successors at random, from a seed.
type changes struct{ *rand.Rand }

func (c changes) pick(list ...string) string { return list[c.IntN(len(list))] }

func (c changes) key() string {
	return c.pick(`"a"`, `"b"`, `"c"`, `""`, `"城"`, `"\u0061x"`, `"ax"`, `"0"`, `"10"`, `"2"`, `"toString"`, `"valueOf"`, `"\ud800"`, `"a\"b\\"`)
}

func (c changes) value(depth int) *jsonTree {
	n := c.IntN(6)
	switch {
	case depth > 0 && c.IntN(3) > 0:
		t := &jsonTree{kind: '['}
		for range n {
			t.vals = append(t.vals, c.value(depth-1))
		}
		return t
	case depth > 0:
		t := &jsonTree{kind: '{'}
		for range n {
			c.add(t, c.key(), c.value(depth-1))
		}
		return t
	}
	return &jsonTree{text: c.pick("0", "-0", "1.0", "1e400", "-1e-7", "true", "null", `""`, `"<é\u2028\ud83d\ude00>"`, `"a longer text than a path is"`)}
}

func (c changes) add(t *jsonTree, key string, v *jsonTree) {
	for _, k := range t.keys {
		if scriptKey(k) == scriptKey(key) {
			return
		}
	}
	t.keys, t.vals = append(t.keys, key), append(t.vals, v)
}

// change makes one change somewhere below t.
func (c changes) change(t *jsonTree) {
	if t.kind == 0 || c.IntN(4) == 0 && t.kind == '[' {
		if t.kind == '[' && len(t.vals) > 0 {
			t.vals = append(t.vals[1:], c.value(1)) // a list that slides
		} else {
			*t = *c.value(1)
		}
		return
	}
	i := 0
	if len(t.vals) > 0 {
		i = c.IntN(len(t.vals))
	}
	switch c.IntN(6) {
	case 0:
		if len(t.vals) > 0 {
			t.vals = append(t.vals[:i:i], t.vals[i+1:]...)
			if t.kind == '{' {
				t.keys = append(t.keys[:i:i], t.keys[i+1:]...)
			}
		}
	case 1:
		if t.kind == '{' {
			c.add(t, c.key(), c.value(2))
		} else {
			t.vals = append(t.vals[:i:i], append([]*jsonTree{c.value(1)}, t.vals[i:]...)...)
		}
	default:
		if len(t.vals) > 0 {
			c.change(t.vals[i])
		}
	}
}

// next gives a state and one that came from it by a few changes.
func (c changes) next() (old, new json.RawMessage) {
	t := c.value(5)
	if t.kind != '{' {
		t = &jsonTree{kind: '{', keys: []string{`"list"`}, vals: []*jsonTree{t}}
	}
	c.add(t, `"pad"`, &jsonTree{text: `"` + strings.Repeat("x", minDiffState) + `"`})
	old = json.RawMessage(t.String())
	for range 1 + c.IntN(4) {
		c.change(t)
	}
	if t.kind != '{' {
		return c.next()
	}
	return old, json.RawMessage(t.String())
}

// TestDiffAgreesWithTheGuest: the ops give the new state in Go and, by the guest's own
// code, in a script; and what a surface does to its copy is not seen in the tree.
func TestDiffAgreesWithTheGuest(t *testing.T) {
	c := changes{rand.New(rand.NewPCG(1, 2))}
	var cases bytes.Buffer
	n := 0
	for n < 2000 {
		old, new := c.next()
		for _, s := range []json.RawMessage{old, new} {
			if checked, err := CheckState(s); err != nil || !bytes.Equal(checked, s) {
				t.Fatalf("%s is no state: %v", s, err)
			}
		}
		if ops, ok := checkDiff(t, old, new); ok {
			fmt.Fprintf(&cases, "{\"old\":%s,\"new\":%s,\"ops\":%s}\n", old, new, ops)
			n++
		}
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on this system: the guest's side is not compared")
	}
	file := filepath.Join(t.TempDir(), "cases")
	if err := os.WriteFile(file, cases.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, "testdata/tree_check.mjs", "guest/tree.js", file).CombinedOutput()
	if err != nil || string(out) != fmt.Sprintf("%d agree\n", n) {
		t.Errorf("%v: %s", err, out)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add(`{"a":[1,2,3],"b":{"c":null}}`, `{"a":[2,3,4],"b":{"c":0,"":[]}}`)
	f.Add(`{"a":1,"b":2}`, `{"b":1,"\u0061":2}`)
	f.Add(`{"\ud800":1}`, `{"\udfff":1}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		// Each stands beside a text, so that it is large enough.
		old, err := CheckState(json.RawMessage(`{"x":` + a + `,"pad":"` + strings.Repeat("x", minDiffState) + `"}`))
		if err != nil {
			return
		}
		new, err := CheckState(json.RawMessage(`{"x":` + b + `,"pad":"` + strings.Repeat("x", minDiffState) + `"}`))
		if err != nil {
			return
		}
		checkDiff(t, old, new)
	})
}
