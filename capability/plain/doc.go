// Package plain makes hostile text safe to read: what a person sees is all that
// is there. It is used for everything an agent says inside the host's own trust
// UI (UX.md §3.4–5): reasons, arguments, names.
//
// It is pure and never fails; anyone may call it. The result is plain text: put
// it on screen as text, never as markup. It is one-to-one: different inputs
// give different results, so an escape cannot be forged by writing one.
//
// What it is not: it does not judge right-to-left letters, which are ordinary
// text (show values in an isolated, auto-directed element), and it does not find
// letters that look like others (capability/builtin/openurl does for hosts).
package plain
