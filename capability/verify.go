package capability

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"io"
	"sort"
)

// Head is the newest entry of a chain, authenticated.
type Head struct {
	Chain AgentID
	Seq   int64
	Hash  string
	MAC   []byte
}

// HeadMAC is HMAC-SHA-256 over chain, seq and hash.
func HeadMAC(key []byte, chain AgentID, seq int64, hash string) []byte {
	m := hmac.New(sha256.New, key)
	fmt.Fprintf(m, "lineup.audit.head.v1\x00%d:%s\x00%d\x00", len(chain), chain, seq)
	io.WriteString(m, hash)
	return m.Sum(nil)
}

// Verifier checks an audit log as a fold: Add every record in the order of Row,
// then End with the heads. Its memory grows with the number of chains only.
type Verifier struct {
	key     []byte
	last    map[AgentID]Record
	opened  map[AgentID]int64 // host entry that opened the chain
	checked int64
}

// NewVerifier returns a Verifier for heads made with key.
func NewVerifier(key []byte) *Verifier {
	return &Verifier{key: key, last: map[AgentID]Record{}, opened: map[AgentID]int64{}}
}

// Checked is how many records held so far.
func (v *Verifier) Checked() int64 { return v.checked }

// Add checks that r follows what its chain had. The error is a *BadRecord.
func (v *Verifier) Add(r Record) error {
	last := v.last[r.Chain]
	switch {
	case r.Seq > last.Seq+1:
		return &BadRecord{r.Chain, last.Seq + 1, "missing"}
	case r.Seq <= last.Seq:
		return &BadRecord{r.Chain, r.Seq, "out_of_order"}
	case r.Prev != last.Hash || r.Hash != r.Sum():
		return &BadRecord{r.Chain, r.Seq, "changed"}
	}
	if r.Chain == "" && r.Event == EventChainOpened {
		v.opened[AgentID(r.Summary)] = r.Seq
	}
	r.Summary = "" // only seq and hash are needed
	v.last[r.Chain] = r
	v.checked++
	return nil
}

// End checks the chains against their heads. The error is a *BadRecord.
func (v *Verifier) End(heads []Head) error {
	byChain := map[AgentID]Head{}
	for _, h := range heads {
		byChain[h.Chain] = h
	}
	// A chain that was taken out whole shows in the host's chain; the host's
	// own in that the others exist.
	expected := map[AgentID]bool{}
	for c := range v.opened {
		expected[c] = true
	}
	for c := range v.last {
		expected[c] = true
	}
	for c := range byChain {
		expected[c] = true
	}
	if len(expected) > 0 {
		expected[""] = true
	}
	for _, c := range sorted(expected) {
		last, h := v.last[c], byChain[c]
		switch _, have := byChain[c]; {
		case !have && last.Seq == 0:
			return &BadRecord{c, 1, "chain_missing"}
		case !have:
			return &BadRecord{c, last.Seq, "head_missing"}
		case !hmac.Equal(h.MAC, HeadMAC(v.key, c, h.Seq, h.Hash)):
			return &BadRecord{c, h.Seq, "head_forged"}
		case h.Seq > last.Seq:
			return &BadRecord{c, last.Seq + 1, "cut_off"}
		case h.Seq < last.Seq:
			return &BadRecord{c, h.Seq + 1, "added"}
		case h.Hash != last.Hash:
			return &BadRecord{c, h.Seq, "changed"}
		}
		if _, ok := v.opened[c]; c != "" && !ok {
			return &BadRecord{c, 1, "chain_missing"}
		}
	}
	return nil
}

func sorted(m map[AgentID]bool) []AgentID {
	out := make([]AgentID, 0, len(m))
	for c := range m {
		out = append(out, c)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}
