package host

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"lineup/surface"
)

// rule is a line of testdata/policy.txt: alternatives for each fact, and the outcome.
type rule struct {
	line  int
	facts [9]string
	want  string
	mark  string
	used  bool
}

// readRules reads the table. A column holds alternatives joined with "|", or "-" for any.
func readRules(t *testing.T) []*rule {
	t.Helper()
	file, err := os.Open("testdata/policy.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rules []*rule
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		cols := strings.Fields(lines.Text())
		if len(cols) == 0 || cols[0] == "#" {
			continue
		}
		r := &rule{line: n}
		if len(cols) != len(r.facts)+2 {
			t.Fatalf("line %d has %d columns", n, len(cols))
		}
		copy(r.facts[:], cols)
		r.want, r.mark = cols[len(cols)-2], cols[len(cols)-1]
		rules = append(rules, r)
	}
	return rules
}

func (r *rule) matches(facts [9]string) bool {
	for i, f := range facts {
		if r.facts[i] != "-" && !slices.Contains(strings.Split(r.facts[i], "|"), f) {
			return false
		}
	}
	return true
}

// TestPolicyTable judges every combination of facts. The first line of the
// table that matches says what is right, and each line must be right of some.
func TestPolicyTable(t *testing.T) {
	rules := readRules(t)
	yesNo := []bool{false, true}
	word := map[bool]string{false: "no", true: "yes"}
	combinations := 0
	for _, policy := range []Policy{PolicyAsk, PolicyAllowlisted, PolicyInstalledOnly, PolicyAnySandboxed, "", "anything"} {
		for _, inline := range yesNo {
			for _, integrity := range []integrityState{integrityAbsent, integrityRight, integrityWrong} {
				for _, signature := range []surface.SignatureState{surface.SignatureNone, surface.SignatureBad, surface.SignatureUnknown, surface.SignatureGood} {
					for _, installed := range []installedState{installedNone, installedSame, installedOther} {
						for bits := range 16 {
							f := bundleFacts{Policy: policy, Inline: inline, Integrity: integrity, Signature: signature, Installed: installed,
								Listed: bits&1 != 0, Demo: bits&2 != 0, Developer: bits&4 != 0, Allowed: bits&8 != 0, Signer: "K"}
							name := string(policy)
							if name == "" {
								name = "unset"
							}
							facts := [9]string{string(integrity), string(signature), map[bool]string{true: "inline", false: "reference"}[inline], string(installed),
								name, word[f.Listed], word[f.Demo], word[f.Developer], word[f.Allowed]}
							at := slices.IndexFunc(rules, func(r *rule) bool { return r.matches(facts) })
							if at < 0 {
								t.Fatalf("no line for %v", facts)
							}
							rules[at].used = true
							combinations++
							got, message := judgeBundle(f)
							if (got == verdictOpen || got == verdictAsk) != (message == "") {
								t.Errorf("%v: %q with %q", facts, got, message)
							}
							if got == verdictOpen {
								got = "open"
							}
							mark, checks := markOf(f)
							if got != rules[at].want || mark != rules[at].mark {
								t.Errorf("%v: %s %s, want %s %s (line %d)", facts, got, mark, rules[at].want, rules[at].mark, rules[at].line)
							}
							if mark == markVerified && !slices.Contains(checks, checkInstalled) && !slices.Contains(checks, checkSignedBy+"K") {
								t.Errorf("%v: %s by %v", facts, mark, checks)
							}
						}
					}
				}
			}
		}
	}
	if combinations != 6*2*3*4*3*16 {
		t.Errorf("%d combinations", combinations)
	}
	for _, r := range rules {
		if !r.used {
			t.Errorf("line %d is never right", r.line)
		}
	}
}

func TestChecks(t *testing.T) {
	base := bundleFacts{Policy: PolicyAsk, Inline: true, Integrity: integrityRight, Signature: surface.SignatureNone, Installed: installedNone}
	with := func(change func(*bundleFacts)) bundleFacts { f := base; change(&f); return f }
	for _, c := range []struct {
		facts bundleFacts
		want  string
	}{
		{base, "unverified [signature_none integrity_ok]"},
		{with(func(f *bundleFacts) { f.Allowed = true; f.Integrity = integrityAbsent }), "unverified [signature_none integrity_absent agent_allowed]"},
		{with(func(f *bundleFacts) { f.Demo = true }), "unverified [signature_none integrity_ok demo_agent]"},
		{with(func(f *bundleFacts) { f.Signature, f.Signer = surface.SignatureGood, "Acme" }), "verified [signed_by:Acme integrity_ok]"},
		{with(func(f *bundleFacts) {
			f.Signature, f.Signer, f.Integrity = surface.SignatureGood, "Acme", integrityAbsent
		}), "verified [signed_by:Acme]"},
		{with(func(f *bundleFacts) { f.Signature = surface.SignatureUnknown }), "unverified [signature_unknown_key integrity_ok]"},
		{with(func(f *bundleFacts) { f.Signature, f.Integrity = surface.SignatureBad, integrityWrong }), "unverified [signature_bad integrity_wrong]"},
		{with(func(f *bundleFacts) { f.Listed, f.Allowed = true, true }), "unverified [signature_none integrity_ok allowlisted]"},
		{with(func(f *bundleFacts) { f.Policy, f.Developer = PolicyAnySandboxed, true }), "developer [signature_none integrity_ok developer_mode]"},
		{with(func(f *bundleFacts) { f.Developer = true }), "unverified [signature_none integrity_ok]"},
		{with(func(f *bundleFacts) { f.Policy = PolicyAnySandboxed }), "unverified [signature_none integrity_ok]"},
		{with(func(f *bundleFacts) { f.Installed = installedSame }), "verified [installed signature_none integrity_ok]"},
	} {
		mark, checks := markOf(c.facts)
		if got := fmt.Sprint(mark, " ", checks); got != c.want {
			t.Errorf("%+v:\n got  %s\n want %s", c.facts, got, c.want)
		}
	}
}
