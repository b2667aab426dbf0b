package envelope

import (
	"sort"
	"strings"
	"unicode"
)

// SecretField reports whether in asks for a password or another secret, and
// where: the path of the field, from "payload.schema" down. An input never asks
// for one (PROTOCOL.md §3): what the user types into a chat is stored and goes
// to the agent in clear.
//
// A field is secret if its format is "password", if it is writeOnly, or if its
// name or title is that of a secret, at any depth. A form that hides its
// intent behind a neutral name is not found; this is a guard against careless
// agents, and the sentence shown to the user is the one against dishonest ones.
func SecretField(in Input) (path string, secret bool) {
	if len(in.Schema) == 0 {
		return "", false
	}
	return secretIn("payload.schema", tree(in.Schema))
}

func secretIn(path string, v any) (string, bool) {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			if p, ok := secretIn(at(path, i), item); ok {
				return p, true
			}
		}
	case map[string]any:
		if secretSchema(v) {
			return path, true
		}
		for _, key := range sortedKeys(v) {
			if p, ok := secretMember(path, key, v[key]); ok {
				return p, true
			}
		}
	}
	return "", false
}

// secretSchema looks at one schema and not at those inside it.
func secretSchema(s map[string]any) bool {
	if f, _ := s["format"].(string); strings.EqualFold(f, "password") {
		return true
	}
	if w, _ := s["writeOnly"].(bool); w {
		return true
	}
	title, _ := s["title"].(string)
	_, parent := s["properties"] // the title of a form is not the name of a field
	return !parent && secretName(title, s)
}

func secretMember(path, key string, v any) (string, bool) {
	path = under(path, key)
	switch key {
	case "const", "enum", "default", "examples":
		return "", false // data, not schemas
	case "required":
		names, _ := v.([]any)
		for i, n := range names {
			// Named in properties too, its type decides there.
			if s, _ := n.(string); secretName(s, nil) && !strings.Contains(strings.ToLower(s), "token") {
				return at(path, i), true
			}
		}
		return "", false
	case "properties", "patternProperties", "dependentSchemas", "$defs", "definitions":
		props, ok := v.(map[string]any)
		if !ok {
			return "", false
		}
		for _, name := range sortedKeys(props) {
			sub, _ := props[name].(map[string]any)
			if secretName(name, sub) {
				return under(path, name), true
			}
			if p, ok := secretIn(under(path, name), props[name]); ok {
				return p, true
			}
		}
		return "", false
	}
	return secretIn(path, v)
}

// Secrets named by one word, by words that follow each other, and by a part of
// a word long enough to mean nothing else (also in scripts without spaces).
var (
	secretWords = words("password passwords passwd pwd pass passcode passphrase pin secret secrets token otp totp mfa 2fa cvv cvc cvv2 cvc2 credential credentials mnemonic ssn")
	secretPairs = words("apikey accesskey privatekey secretkey seedphrase recoveryphrase recoverycode securitycode verificationcode onetimecode")
	secretParts = []string{
		"password", "passwd", "passphrase", "passcode", "apikey", "secretkey", "privatekey", "accesstoken", "authtoken", "refreshtoken",
		"passwort", "contraseña", "motdepasse", "senha", "пароль", "パスワード", "비밀번호",
		"密码", "密碼", "口令", "验证码", "驗證碼", "校验码", "动态码", "密钥", "密鑰", "私钥", "私鑰", "助记词", "助記詞", "令牌", "安全码",
	}
)

func words(s string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// secretName judges a field by its name. A number called token is a count of
// tokens and not a token.
func secretName(name string, schema map[string]any) bool {
	parts := split(name)
	joined := strings.Join(parts, "")
	for _, p := range secretParts {
		if strings.Contains(joined, p) {
			return true
		}
	}
	for i, p := range parts {
		if p == "token" && counts(schema) {
			continue
		}
		if secretWords[p] || i > 0 && secretPairs[parts[i-1]+p] {
			return true
		}
	}
	return false
}

func counts(schema map[string]any) bool {
	t, _ := schema["type"].(string)
	return t == "integer" || t == "number" || t == "boolean"
}

// split cuts apiKey, api_key, API-Key and "api key" into the same lower-case words.
func split(name string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		if r >= 0xFF01 && r <= 0xFF5E { // full-width forms of ASCII
			r -= 0xFEE0
		}
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return out
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
