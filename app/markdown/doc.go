// Package markdown turns an agent's Markdown (GFM) into sanitised HTML, block
// by block and while it is still arriving (UX.md §4).
//
// The kernel and the UI API call it; it knows neither. Nothing of a message is
// ever HTML: tags an agent writes are shown as text, images are placeholders
// that load nothing, links go to http, https and mailto only and say where
// they go when their text names another place. Every block also passes an
// allow-list of elements and attributes, so a mistake in the rendering above it is
// not yet a hole.
//
// A Doc is one message. Append takes what arrived, End closes it. Blocks are the
// top-level blocks; finished ones never change again, except that a link
// reference defined later completes links in them. While streaming, the last
// block is shown as if what is open in it were closed, and what cannot be
// judged yet (a table's first line, half a fence, a lone asterisk at the end) is
// held back. After End the blocks are those of one-shot Render.
//
// The work of an update grows with the last block, not with the message: an
// open fence is extended without reading it again, and any other block
// beyond 8 KiB is rendered again when it grew by a thirty-second, or when eight
// times as long went by as it took the last time. So a message costs time linear in
// its length, and what is shown of it is behind by no more than that. Text made
// to be slow (deep nesting, thousands of marks in one paragraph, code that
// lexers choke on) is shown without its marks or colours: guard.go, highlight.go.
//
// A Doc belongs to one goroutine at a time and blocks on nothing. The zero Doc is not
// usable: New makes one. Text beyond MaxText is dropped (Truncated tells).
package markdown
