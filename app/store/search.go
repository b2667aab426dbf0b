package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"lineup/app/envelope"
)

// Hit is one match of a search.
type Hit struct {
	Conversation envelope.ConversationID
	ItemID       string    // "": the title matched
	Title        string    // of the conversation
	Snippet      string    // plain text, one line
	From, To     int       // the match in Snippet, in UTF-16 units
	At           time.Time // of the item, or when the conversation last changed
}

const (
	maxQuery   = 200     // runes; the rest of a longer query is ignored
	maxTerms   = 8       // further words are ignored
	maxIndexed = 1 << 18 // bytes of a text that can be found; an index of trigrams is several times its text
	trigram    = 3       // runes; shorter words cannot use the index
)

// IndexText makes the text of an item findable, in place of what it was. Empty
// text takes the item out. Of a very long text the first 256 KiB can be found.
func (s *Store) IndexText(ctx context.Context, conv envelope.ConversationID, itemID, text string, at time.Time) error {
	if itemID == "" {
		return invalid("item id", "a non-empty id")
	}
	return s.tx(ctx, func(t *sql.Tx) error {
		known, err := exists(ctx, t, `SELECT 1 FROM conversation WHERE id = ?`, conv)
		if err != nil {
			return err
		}
		if !known {
			return fmt.Errorf("%w: conversation", ErrNotFound)
		}
		return index(ctx, t, conv, itemID, text, toDB(at))
	})
}

// indexTitle keeps titles as item "".
func indexTitle(ctx context.Context, t *sql.Tx, conv envelope.ConversationID, title string) error {
	return index(ctx, t, conv, "", title, 0)
}

func index(ctx context.Context, t *sql.Tx, conv envelope.ConversationID, itemID, text string, at int64) error {
	text = plain(cut(text, maxIndexed))
	var err error
	if text == "" {
		_, err = t.ExecContext(ctx, `DELETE FROM doc WHERE conv = ? AND item_id = ?`, conv, itemID)
	} else {
		// Titles have ids below zero, so that they can be asked for alone.
		_, err = t.ExecContext(ctx, `INSERT INTO doc(id, conv, item_id, text, at)
			VALUES(iif(?2 = '', min((SELECT coalesce(min(id), 0) FROM doc), 0) - 1, max((SELECT coalesce(max(id), 0) FROM doc), 0) + 1),
				?1, ?2, ?3, ?4)
			ON CONFLICT(conv, item_id) DO UPDATE SET text = excluded.text, at = excluded.at`, conv, itemID, text, at)
	}
	if err != nil {
		return fmt.Errorf("store: index: %w", err)
	}
	return nil
}

// Search finds titles and texts that contain every word of query, in any case,
// also inside words; "" finds nothing. Titles come first; of more texts than limit
// (1…1000) it is those indexed last, the newest first. Nothing in a query is an
// operator.
func (s *Store) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	want := terms(query)
	if len(want) == 0 {
		return nil, nil
	}
	limit = bound(limit)
	hits, err := s.find(ctx, want, `d.id < 0 ORDER BY c.updated_at DESC`, limit)
	if err != nil || len(hits) == limit {
		return hits, err
	}
	// By id and not by time: the index gives ids in order, so a word that is
	// everywhere costs what is shown.
	texts, err := s.find(ctx, want, `d.id > 0 ORDER BY d.id DESC`, limit-len(hits))
	slices.SortStableFunc(texts, func(a, b Hit) int { return b.At.Compare(a.At) })
	return append(hits, texts...), err
}

// find gives what has all of the words, from the part of doc and in the order
// that part says.
func (s *Store) find(ctx context.Context, words []string, part string, limit int) ([]Hit, error) {
	var match []string // the index finds these; the others are looked for
	from, where := `doc d`, ``
	var args []any
	for _, w := range words {
		if utf8.RuneCountInString(w) >= trigram {
			match = append(match, `"`+strings.ReplaceAll(w, `"`, `""`)+`"`)
		} else {
			where += ` AND d.text LIKE ? ESCAPE '\'`
			args = append(args, "%"+likeEscape.Replace(w)+"%")
		}
	}
	if len(match) > 0 {
		from = `search CROSS JOIN doc d ON d.id = search.rowid`
		where += ` AND search MATCH ?`
		args = append(args, strings.Join(match, " AND "))
		part = strings.ReplaceAll(part, "d.id", "search.rowid")
	}
	rows, err := s.read.QueryContext(ctx, `SELECT d.conv, d.item_id, c.title, d.text, iif(d.id < 0, c.updated_at, d.at)
		FROM `+from+` CROSS JOIN conversation c ON c.id = d.conv
		WHERE c.deleted_at IS NULL`+where+` AND `+part+` LIMIT ?`, append(args, limit)...)
	return collect(rows, err, "search", func(r scanner) (h Hit, err error) {
		var text string
		var at int64
		err = r.Scan(&h.Conversation, &h.ItemID, &h.Title, &text, &at)
		h.At = fromDB(at)
		h.Snippet, h.From, h.To = snippet(text, words)
		return h, err
	})
}

var likeEscape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// terms splits a query and bounds it.
func terms(query string) []string {
	query = plain(query)
	if utf8.RuneCountInString(query) > maxQuery {
		query = string([]rune(query)[:maxQuery])
	}
	f := strings.Fields(query)
	return f[:min(len(f), maxTerms)]
}

// plain makes one line of clean text: invalid UTF-8, control and direction
// characters (which could make a snippet read as something else) become spaces.
func plain(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s))
}

// cut shortens s to at most n bytes, between runes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
