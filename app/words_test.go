package app

import (
	"fmt"
	"testing"
	"unicode"

	"lineup/app/store"
)

func TestErrorsSpeakBothLanguages(t *testing.T) {
	for _, s := range spoken {
		wrapped := fmt.Errorf("somewhere: %w", s.is)
		t.Setenv("LC_ALL", "zh_CN.UTF-8")
		if got := say(wrapped); got != s.zh || !hasHan(got) {
			t.Errorf("%v in Chinese: %q", s.is, got)
		}
		t.Setenv("LC_ALL", "en_GB.UTF-8")
		if got := say(wrapped); got != s.en || hasHan(got) {
			t.Errorf("%v in English: %q", s.is, got)
		}
	}
	t.Setenv("LC_ALL", "zh_CN.UTF-8")
	if got := say(store.ErrCorrupt); !hasHan(got) {
		t.Errorf("the store's words: %q", got)
	}
}

func hasHan(s string) bool {
	for _, r := range s {
		if unicode.Is(unicode.Han, r) {
			return true
		}
	}
	return false
}
