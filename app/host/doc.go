// Package host is the desktop host without a shell: it owns the store, the
// conversations, the links to agents, the capability broker and the surfaces,
// and is the backend of the UI socket (package uiapi). The shells — the Wails
// window and the web host — only serve its page.
//
// Who may call: package app.
//
// Concurrency. Each conversation has one goroutine (conv.run) that alone
// appends to its log and applies entries to its kernel state; others hand it
// work. What it holds is read under conv.mu. Lock order: conv.mu before
// Host.mu; neither is held while a socket, the store or the broker is waited
// for, except the store by the conversation's own goroutine.
//
// Order. Everything an agent sends is committed to the store before it is
// applied, and applied before anything is done about it. Everything sent to an
// agent is committed first too: links send from the store.
//
// Back-pressure. An agent that sends faster than the host commits is held back
// at its socket (conv.inbox is bounded). A page that reads slowly gets fewer,
// newer updates. Surface events beyond the rate are dropped and counted.
// Messages are never dropped.
package host
