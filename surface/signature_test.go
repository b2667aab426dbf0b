package surface

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"
)

// The files of testdata/signature were made by the minisign program (0.11):
//
//	minisign -G -W -p key.pub -s key.sec
//	minisign -Sm statement.txt -s key.sec            # statement.txt.minisig
//	minisign -Slm statement.txt -s key.sec -x legacy.minisig
//	minisign -Sm other.txt -s key.sec                # the same app as version 1.0.1
func vector(t testing.TB, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata/signature", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func signed() App {
	a := weather()
	a.Events = []string{"refresh", "copy"}
	a.HostStyles = true
	return a
}

func publicKey(t testing.TB, text string) PublicKey {
	t.Helper()
	k, err := ParsePublicKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestStatement(t *testing.T) {
	got, err := Statement(signed())
	if err != nil {
		t.Fatal(err)
	}
	if want := vector(t, "statement.txt"); string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	plain := weather()
	if got, err := Statement(plain); err != nil || !strings.Contains(string(got), "\nevents: *\nhost_styles: false\n") {
		t.Errorf("%s %v", got, err)
	}
	for name, a := range map[string]App{
		"no name":             {ID: "a.b", Version: "1.0.0", HTML: "x"},
		"no bundle":           {ID: "a.b", Version: "1.0.0", Name: "n"},
		"line end in a name":  {ID: "a.b", Version: "1.0.0", HTML: "x", Name: "n\nevents: *"},
		"wrong digest given":  {ID: "a.b", Version: "1.0.0", HTML: "x", Name: "n", Integrity: Digest("y", "", "")},
		"line end in a event": {ID: "a.b", Version: "1.0.0", HTML: "x", Name: "n", Events: []string{"a\nb"}},
	} {
		if text, err := Statement(a); err == nil {
			t.Errorf("%s: %q", name, text)
		}
	}
}

func TestSignaturesOfMinisign(t *testing.T) {
	a := signed()
	a.Signature = vector(t, "statement.txt.minisig")
	key := publicKey(t, vector(t, "key.pub"))
	if state, by := CheckSignature(a, []PublicKey{{}, key}); state != SignatureGood || by != 1 {
		t.Errorf("minisign's own: %s by %d", state, by)
	}
	if state, by := CheckSignature(a, nil); state != SignatureUnknown || by != -1 {
		t.Errorf("without keys: %s by %d", state, by)
	}
	a.Signature = vector(t, "legacy.minisig")
	if state, _ := CheckSignature(a, []PublicKey{key}); state != SignatureBad {
		t.Errorf("not prehashed: %s", state)
	}
	a.Signature = vector(t, "other.txt.minisig")
	if state, _ := CheckSignature(a, []PublicKey{key}); state != SignatureBad {
		t.Errorf("of another version: %s", state)
	}
	a.Version = "1.0.1"
	if state, _ := CheckSignature(a, []PublicKey{key}); state != SignatureGood {
		t.Errorf("of this version: %s", state)
	}
}

// TestSignatureBinds: whatever of an app is changed, the signature is no longer its own.
func TestSignatureBinds(t *testing.T) {
	key := publicKey(t, vector(t, "key.pub"))
	a := signed()
	a.Signature = vector(t, "statement.txt.minisig")
	for name, change := range map[string]func(*App){
		"id":              func(a *App) { a.ID = "com.example.evil" },
		"version":         func(a *App) { a.Version = "2.0.0" },
		"name":            func(a *App) { a.Name = "Your bank" },
		"no name":         func(a *App) { a.Name = "" },
		"more events":     func(a *App) { a.Events = append(a.Events, "pay") },
		"any event":       func(a *App) { a.Events = nil },
		"order of events": func(a *App) { a.Events = []string{"copy", "refresh"} },
		"host styles":     func(a *App) { a.HostStyles = false },
		"html":            func(a *App) { a.HTML += " " },
		"css":             func(a *App) { a.CSS = "" },
		"js":              func(a *App) { a.JS = "alert(1)" },
		"a moved byte":    func(a *App) { a.CSS, a.JS = a.CSS+a.JS[:1], a.JS[1:] },
		"comment":         func(a *App) { a.Signature = strings.Replace(a.Signature, "timestamp:", "timestamp:9", 1) },
		"cut":             func(a *App) { a.Signature = a.Signature[:len(a.Signature)/2] },
		"not one":         func(a *App) { a.Signature = "trust me" },
	} {
		x := a
		change(&x)
		if state, by := CheckSignature(x, []PublicKey{key}); state != SignatureBad || by != -1 {
			t.Errorf("%s: %s by %d", name, state, by)
		}
	}
	// Unsigned words around it may differ.
	a.Signature = strings.Replace(a.Signature, "untrusted comment: ", "untrusted comment: x", 1)
	if state, _ := CheckSignature(a, []PublicKey{key}); state != SignatureGood {
		t.Errorf("the untrusted comment: %s", state)
	}
}

func TestSign(t *testing.T) {
	pub, priv, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	a := signed()
	if a.Signature, err = Sign(a, priv, time.Unix(1700000000, 0)); err != nil {
		t.Fatal(err)
	}
	key := publicKey(t, pub.String())
	if state, by := CheckSignature(a, []PublicKey{key}); state != SignatureGood || by != 0 {
		t.Errorf("%s by %d", state, by)
	}
	if err := Check(a); err != nil {
		t.Error(err)
	}
	if got := SignatureKeyID(a.Signature); got != key.ID() || len(got) != 16 {
		t.Errorf("key id %q, want %q", got, key.ID())
	}
	// Another key with the same id, which anyone can make, verifies nothing and hides nothing.
	twin := twinOf(t, pub)
	if state, by := CheckSignature(a, []PublicKey{twin, key}); state != SignatureGood || by != 1 {
		t.Errorf("beside a twin: %s by %d", state, by)
	}
	if state, _ := CheckSignature(a, []PublicKey{twin}); state != SignatureBad {
		t.Errorf("a twin alone: %s", state)
	}
}

// twinOf is another key with the id of pub.
func twinOf(t *testing.T, pub minisign.PublicKey) PublicKey {
	t.Helper()
	other, _, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	// Of the 42 bytes the id is up to the tenth. 14 characters of base64 hold
	// those ten and four bits of the key, which then are pub's.
	return publicKey(t, pub.String()[:14]+other.String()[14:])
}

func TestParsePublicKey(t *testing.T) {
	file := vector(t, "key.pub")
	line := strings.Split(file, "\n")[1]
	for name, text := range map[string]string{"file": file, "line": line, "blanks": " \n" + line + "\r\n\n", "file with CRLF": strings.ReplaceAll(file, "\n", "\r\n")} {
		k, err := ParsePublicKey(text)
		if err != nil || k.String() != line || k.ID() != "FF5DB91A17C99EA1" {
			t.Errorf("%s: %v %v", name, k, err)
		}
	}
	for name, text := range map[string]string{"nothing": "", "words": "my key", "cut": line[:50], "private": vector(t, "key.sec"),
		"signature": vector(t, "statement.txt.minisig"), "long": "untrusted comment: " + strings.Repeat("x", 2000) + "\n" + line, "two": line + line} {
		if _, err := ParsePublicKey(text); code(err) != CodeBadKey {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzCheckSignature(f *testing.F) {
	f.Add(vector(f, "statement.txt.minisig"), "name")
	f.Add(vector(f, "legacy.minisig"), "天气面板")
	f.Add("untrusted comment: \n\ntrusted comment: \n", "")
	key := publicKey(f, vector(f, "key.pub"))
	good := vector(f, "statement.txt.minisig")
	f.Fuzz(func(t *testing.T, signature, name string) {
		a := signed()
		a.Name, a.Signature = name, signature
		state, by := CheckSignature(a, []PublicKey{key})
		if (state == SignatureGood) != (by == 0) {
			t.Errorf("%s by %d", state, by)
		}
		// Nobody can make a good one without the key; only the comment and blanks may differ.
		if state == SignatureGood && !strings.Contains(signature, strings.Split(good, "\n")[3]) {
			t.Errorf("forged: %q", signature)
		}
		SignatureKeyID(signature)
	})
}

func FuzzParsePublicKey(f *testing.F) {
	f.Add(vector(f, "key.pub"))
	f.Add("RW")
	f.Fuzz(func(t *testing.T, text string) {
		k, err := ParsePublicKey(text)
		refusedOrNil(t, err)
		if err != nil {
			return
		}
		if again, err := ParsePublicKey(k.String()); err != nil || again.String() != k.String() {
			t.Errorf("%v %v", again, err)
		}
	})
}
