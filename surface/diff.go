package surface

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// minDiffState is the size in bytes below which a state is sent whole: reading it
// costs a frame less than applying a difference and copying the result.
const minDiffState = 4 << 10

// Diff is how the state new comes from the state old, for DiffMessage; both as
// CheckState returned them. ok is false when new is better sent whole: it is
// small, or the difference is more than half of it.
//
// ops is a JSON array. Each op names a place by its keys and indices:
//
//	[path]                        that key is gone
//	[path, value]                 that place holds value
//	[path, start, removed, items] a splice of the array at path
//
// Applied in order they give exactly new, the order of keys included. The work
// is in proportion to the two texts; what is equal is compared, not read.
func Diff(old, new json.RawMessage) (ops json.RawMessage, ok bool) {
	if len(new) < minDiffState || len(old) == 0 || old[0] != '{' || new[0] != '{' {
		return nil, false
	}
	d := differ{ops: []byte{'['}}
	if !d.object(old, new, len(new)/2) || len(d.ops) > len(new)/2 {
		return nil, false
	}
	return append(d.ops, ']'), true
}

// differ collects ops. path is the place that is being compared, as JSON without brackets.
type differ struct {
	ops, path []byte
}

// op adds an op at the present path; the rest of it is JSON, or empty.
func (d *differ) op(rest ...[]byte) {
	if len(d.ops) > 1 {
		d.ops = append(d.ops, ',')
	}
	d.ops = append(append(append(d.ops, '[', '['), d.path...), ']')
	for _, r := range rest {
		d.ops = append(append(d.ops, ','), r...)
	}
	d.ops = append(d.ops, ']')
}

// within runs do at the place that step (a quoted key or an index) leads to.
func (d *differ) within(step []byte, do func()) {
	n := len(d.path)
	if n > 0 {
		d.path = append(d.path, ',')
	}
	d.path = append(d.path, step...)
	do()
	d.path = d.path[:n]
}

// value says how old became new, which differ, at the present path. Where the parts differ so much
// that naming them costs more than the whole, the whole is set.
func (d *differ) value(old, new []byte) {
	begin, whole := len(d.ops), len(d.path)+len(new)
	ok := false
	switch {
	case old[0] == '{' && new[0] == '{':
		ok = d.object(old, new, whole)
	case old[0] == '[' && new[0] == '[':
		ok = d.array(old, new, whole)
	}
	if ok && len(d.ops)-begin <= whole {
		return
	}
	d.ops = d.ops[:begin]
	d.op(new)
}

// object reports false when ops cannot say it, or not in most bytes (about). A key that is
// set stays where it was among the others and a new one comes last, so ops can
// say it when the old keys that are left come first, in their order. Keys are
// compared as written: when the same one is escaped in another way, it goes and comes anew.
func (d *differ) object(old, new []byte, most int) bool {
	most += len(d.ops)
	was, is := pairs(old), pairs(new)
	i, kept := 0, 0
	var index map[string]int
	for ; kept < len(is); kept++ {
		at := i
		if i >= len(was) || !bytes.Equal(was[i].key, is[kept].key) {
			if index == nil {
				index = make(map[string]int, len(was)-i)
				for j := i; j < len(was); j++ {
					index[string(was[j].key)] = j
				}
			}
			var known bool
			if at, known = index[string(is[kept].key)]; !known {
				break // new ones from here on
			}
			if at < i {
				return false
			}
		}
		for ; i < at; i++ {
			d.within(was[i].key, func() { d.op() })
		}
		i = at + 1
		if bytes.Equal(was[at].value, is[kept].value) {
			continue
		}
		d.within(is[kept].key, func() { d.value(was[at].value, is[kept].value) })
		if len(d.ops) > most {
			return false
		}
	}
	for ; i < len(was); i++ {
		d.within(was[i].key, func() { d.op() })
	}
	for _, f := range is[kept:] {
		if index != nil {
			if _, known := index[string(f.key)]; known {
				return false
			}
		}
		d.within(f.key, func() { d.op(f.value) })
		if len(d.ops) > most {
			return false
		}
	}
	return len(d.ops) <= most
}

// array leaves out the elements that are equal at both ends. What is between is
// a splice, except where elements correspond: the same number changed in place, or the
// list moved on (some gone at one end, some new at the other).
func (d *differ) array(old, new []byte, most int) bool {
	most += len(d.ops)
	was, is := elements(old), elements(new)
	first := 0
	for first < len(was) && first < len(is) && bytes.Equal(was[first], is[first]) {
		first++
	}
	was, is = was[first:], is[first:]
	for len(was) > 0 && len(is) > 0 && bytes.Equal(was[len(was)-1], is[len(is)-1]) {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	if gone, came, same := moved(was, is); same > 0 {
		d.splice(first, gone, is[:came])
		d.splice(first+came+same, len(was)-gone-same, is[came+same:])
		return len(d.ops) <= most
	}
	if len(was) != len(is) {
		d.splice(first, len(was), is)
		return len(d.ops) <= most
	}
	for i := range is {
		if bytes.Equal(was[i], is[i]) {
			continue
		}
		d.within(strconv.AppendInt(nil, int64(first+i), 10), func() { d.value(was[i], is[i]) })
		if len(d.ops) > most {
			return false
		}
	}
	return true
}

func (d *differ) splice(start, removed int, items [][]byte) {
	if removed == 0 && len(items) == 0 {
		return
	}
	list := append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
	d.op(strconv.AppendInt(nil, int64(start), 10), strconv.AppendInt(nil, int64(removed), 10), list)
}

// moved finds a run of elements that both share after gone of was and came of is, one of which
// is 0. It is worth something when it is at least half of the shorter list.
func moved(was, is [][]byte) (gone, came, same int) {
	if len(was) == 0 || len(is) == 0 {
		return 0, 0, 0
	}
	run := func(a, b [][]byte) int {
		n := 0
		for n < len(a) && n < len(b) && bytes.Equal(a[n], b[n]) {
			n++
		}
		return n
	}
	least := (min(len(was), len(is)) + 1) / 2
	find := func(in [][]byte, what []byte) int {
		for i, e := range in {
			if bytes.Equal(e, what) {
				return i
			}
		}
		return -1
	}
	if i := find(was, is[0]); i > 0 {
		if n := run(was[i:], is); n >= least {
			return i, 0, n
		}
	}
	if i := find(is, was[0]); i > 0 {
		if n := run(was, is[i:]); n >= least {
			return 0, i, n
		}
	}
	return 0, 0, 0
}

// pair is a key as written, with its quotes, and its value; both are parts of the text.
type pair struct{ key, value []byte }

// pairs splits a compact, valid JSON object without descending into it.
func pairs(obj []byte) []pair {
	var list []pair
	for i := 1; obj[i] != '}'; {
		if obj[i] == ',' {
			i++
		}
		colon := skipString(obj, i)
		end := skipValue(obj, colon+1)
		list = append(list, pair{obj[i:colon], obj[colon+1 : end]})
		i = end
	}
	return list
}

// elements splits a compact, valid JSON array without descending into it.
func elements(array []byte) [][]byte {
	var list [][]byte
	for i := 1; array[i] != ']'; {
		if array[i] == ',' {
			i++
		}
		end := skipValue(array, i)
		list = append(list, array[i:end])
		i = end
	}
	return list
}
