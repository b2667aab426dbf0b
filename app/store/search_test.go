package store

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"lineup/app/envelope"
)

func search(t testing.TB, s *Store, query string) []Hit {
	t.Helper()
	hits, err := s.Search(context.Background(), query, 20)
	if err != nil {
		t.Fatalf("search %q: %v", query, err)
	}
	return hits
}

// marked gives what a page would mark in the snippet.
func marked(h Hit) string {
	u := utf16.Encode([]rune(h.Snippet))
	if h.From < 0 || h.From > h.To || h.To > len(u) {
		return fmt.Sprintf("[%d, %d) of %d units", h.From, h.To, len(u))
	}
	return string(utf16.Decode(u[h.From:h.To]))
}

func indexed(t testing.TB) *Store {
	s := open(t)
	seed(t, s, "a", "c", "d", "gone")
	ctx := context.Background()
	must(t, s.SetTitle(ctx, "c", "Weather in Hamburg"))
	must(t, s.SetTitle(ctx, "d", "天气预报"))
	for i, text := range []string{
		"Tomorrow it will rain; take an UMBRELLA.",
		"明天会下雨，记得带伞。",
		"100% of a_b is \"quoted\" OR NOT",
		"🌧️🌧️ a storm after two clouds",
		"Größe und Straße",
		"bell\x07 and \u202eevil",
	} {
		must(t, s.IndexText(ctx, "c", fmt.Sprint("m", i), text, t0.Add(time.Duration(i)*time.Minute)))
	}
	must(t, s.IndexText(ctx, "gone", "m", "rain that is gone", t0))
	must(t, s.SetDeleted(ctx, "gone", &t0))
	return s
}

func TestSearchFindsWordsInBothLanguages(t *testing.T) {
	s := indexed(t)
	for query, want := range map[string]string{
		"umbrella":     "m0:UMBRELLA",
		"mbrel":        "m0:MBREL",
		"rain":         "m0:rain",
		"it":           "m0:it",   // two letters: no trigram
		"RAIN it":      "m0:rain", // both words, the first is marked
		"rain snow":    "",        // every word must be there
		"明天会":          "m1:明天会",
		"下雨":           "m1:下雨",
		"伞":            "m1:伞",
		"天气":           ":天气",
		"天气预报":         ":天气预报",
		"hamburg":      ":Hamburg",
		"weather in":   ":Weather",
		"storm":        "m3:storm", // after characters of two UTF-16 units
		"🌧":            "m3:🌧",
		"größe":        "m4:Größe",
		"STRASSE":      "", // ß stays ß
		"  rain\t\n":   "m0:rain",
		"bell  and":    "m5:bell",
		"evil":         "m5:evil",
		"gone":         "",
		"nothing here": "",
		"":             "",
		" \t":          "",
	} {
		var got []string
		for _, h := range search(t, s, query) {
			got = append(got, h.ItemID+":"+marked(h))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q found %q, want %q", query, got, want)
		}
	}
}

func TestSearchTakesNothingAsAnOperator(t *testing.T) {
	s := indexed(t)
	for query, want := range map[string]string{
		`"quoted"`:                      "m2",
		`100%`:                          "m2",
		`a_b`:                           "m2",
		`%`:                             "m2",
		`_`:                             "m2",
		`"`:                             "m2",
		`OR NOT`:                        "m2",
		`umbrella OR quoted`:            "",
		`umbrella NOT quoted`:           "",
		`umb*`:                          "",
		`text:umbrella`:                 "",
		`NEAR(rain umbrella)`:           "",
		`^tomorrow`:                     "",
		`\`:                             "",
		`x"OR"umbrella`:                 "",
		`umb"rella`:                     "",
		`'; DROP TABLE doc;--`:          "",
		"rain\x00":                      "m0",
		"\xff\xfe":                      "",
		`""""""""""""`:                  "",
		strings.Repeat("rain ", 10_000): "m0",
		strings.Repeat("x", 1<<20):      "",
		strings.Repeat(`"`, 1<<16):      "",
	} {
		var got []string
		for _, h := range search(t, s, query) {
			got = append(got, h.ItemID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%.40q found %q, want %q", query, got, want)
		}
	}
}

func TestSearchFollowsChanges(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c")
	must(t, s.IndexText(ctx, "c", "m", "streamed so f", t0))
	must(t, s.IndexText(ctx, "c", "m", "streamed so far, all of it", t0))
	if h := search(t, s, "streamed"); len(h) != 1 || h[0].Snippet != "streamed so far, all of it" {
		t.Errorf("after a second text: %v", h)
	}
	must(t, s.SetTitle(ctx, "c", "First"))
	must(t, s.SetTitle(ctx, "c", "Second"))
	if len(search(t, s, "first")) != 0 || len(search(t, s, "second")) != 1 {
		t.Error("a title is found by its old name, or not by its new one")
	}
	must(t, s.IndexText(ctx, "c", "m", "", t0))
	if h := search(t, s, "streamed"); len(h) != 0 {
		t.Errorf("taken out, and found: %v", h)
	}
	must(t, s.SetDeleted(ctx, "c", &t0))
	if h := search(t, s, "second"); len(h) != 0 {
		t.Errorf("deleted, and found: %v", h)
	}
	must(t, s.SetDeleted(ctx, "c", nil))
	if h := search(t, s, "second"); len(h) != 1 {
		t.Errorf("brought back, and not found: %v", h)
	}
	must(t, s.Check(ctx))
}

func TestSearchOrderAndLimit(t *testing.T) {
	ctx := context.Background()
	s := open(t)
	seed(t, s, "a", "c", "d")
	for i := range 5 {
		must(t, s.IndexText(ctx, "c", fmt.Sprint(i), "about rain", t0.Add(time.Duration(i%3)*time.Hour)))
	}
	must(t, s.SetTitle(ctx, "d", "Rain"))
	must(t, s.SetPreview(ctx, "d", "", t0.Add(time.Minute)))
	var got []string
	for _, h := range search(t, s, "rain") {
		got = append(got, fmt.Sprint(h.Conversation, h.ItemID, "@", h.At.Sub(t0)))
	}
	if want := "d@1m0s c2@2h0m0s c4@1h0m0s c1@1h0m0s c3@0s c0@0s"; strings.Join(got, " ") != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for limit, want := range map[int]int{-1: 1, 0: 1, 2: 2, 1 << 40: 6} {
		if hits, err := s.Search(ctx, "rain", limit); len(hits) != want || err != nil {
			t.Errorf("limit %d: %d hits, %v", limit, len(hits), err)
		}
	}
}

func TestSnippetIsOneCleanLineAroundTheMatch(t *testing.T) {
	s := open(t)
	seed(t, s, "a", "c")
	long := strings.Repeat("前文。", 100) + "目标词\nline\u2028two\u202e\x1b[31m" + strings.Repeat(" tail", 100)
	must(t, s.IndexText(context.Background(), "c", "m", long, t0))
	h := search(t, s, "目标词")[0]
	if marked(h) != "目标词" || !strings.HasPrefix(h.Snippet, "…") || !strings.HasSuffix(h.Snippet, "…") {
		t.Errorf("snippet %q marks %q", h.Snippet, marked(h))
	}
	if strings.ContainsAny(h.Snippet, "\n\u2028\u202e\x1b") || utf8.RuneCountInString(h.Snippet) > 200 {
		t.Errorf("snippet %q", h.Snippet)
	}
}

func TestSearchFindsTheStartOfAHugeText(t *testing.T) {
	s := open(t)
	seed(t, s, "a", "c")
	text := "first " + strings.Repeat("雨", maxIndexed) + " last"
	must(t, s.IndexText(context.Background(), "c", "m", text, t0))
	if len(search(t, s, "first")) != 1 || len(search(t, s, "last")) != 0 {
		t.Error("the bound of what can be found is not where it is said to be")
	}
}

func FuzzSearch(f *testing.F) {
	for _, q := range []string{"rain", "雨", `"a" OR b*`, "%_\\", "\x00\xff", "a\u0301", "İ", "NEAR/2", strings.Repeat("x ", 300)} {
		f.Add(q, "some text with rain 下雨 in it")
		f.Add(q, q)
	}
	s := open(f)
	seed(f, s, "a", "c")
	ctx := context.Background()
	f.Fuzz(func(t *testing.T, query, text string) {
		must(t, s.IndexText(ctx, "c", "m", text, t0))
		for _, h := range search(t, s, query) {
			if h.Conversation != envelope.ConversationID("c") || h.ItemID != "m" {
				t.Errorf("found %+v", h)
			}
			if m := marked(h); strings.HasPrefix(m, "[") && !strings.Contains(text, m) || !utf8.ValidString(h.Snippet) {
				t.Errorf("snippet %q of %q for %q: %s", h.Snippet, text, query, m)
			}
		}
	})
}
