package demoagent

import (
	"strings"
	"unicode"
)

// lang is the language of an answer; the zero value is English.
type lang string

const (
	english lang = "en"
	chinese lang = "zh"
)

// pick chooses between the English and the Chinese words.
func pick(l lang, en, zh string) string {
	if l == chinese {
		return zh
	}
	return en
}

// textLang is Chinese if text holds a Han character.
func textLang(text string) lang {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return chinese
	}
	return english
}

// localeLang reads a BCP 47 tag such as "zh-CN".
func localeLang(tag string) lang {
	if primary, _, _ := strings.Cut(strings.ToLower(tag), "-"); primary == "zh" {
		return chinese
	}
	return english
}

// lang of the code that an id carries.
func codeLang(code string) lang {
	if code == string(chinese) {
		return chinese
	}
	return english
}
