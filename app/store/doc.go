// Package store keeps everything the host must find again after a restart, in
// one SQLite file: agents, conversations, the log of envelopes, what was sent,
// settings, inventory revisions, the search index and artifacts. It is the only
// package that speaks SQL, and it is the truth: an envelope is committed here
// before anyone acts on it (ARCHITECTURE §4).
//
// # Who may call
//
// The composition root and what it hands a Store to. Every method is safe for
// many goroutines. One process owns a data directory: take [Lock] before [Open].
//
// # What blocks
//
// Writes go through one connection, one after the other, and return when the
// data is on disk (WAL, synchronous=FULL); a write waits for the writes ahead of
// it. Reads have their own pool, never wait for a write and see every write that
// returned before they began. A cancelled context ends a call; a write that
// returns a context error may or may not be stored (repeat it: Append knows what
// it has). No connection is held while a callback runs, so callbacks may call
// the Store.
//
// # What order holds
//
// [Entry].Seq grows over all conversations, in commit order, and is never reused,
// also not after a purge. Within a batch it follows the slice.
//
// # What nil and zero mean
//
// A zero time is stored and returned as a zero time ("unset"). Times come back in
// UTC, cut to microseconds; Append returns them cut the same way, so a live fold
// and a replayed one see the same instant. A "bool" result of false with a nil
// error means "there is none"; changing something that is not there is [ErrNotFound].
//
// # Migrations
//
// Files migrations/NNNN_name.sql, numbered from 0001 without gaps, each run once
// in a transaction of its own and recorded in schema_version. A file that has been
// released is never edited. A table that refers to conversation must do so with
// ON DELETE CASCADE or not by foreign key at all, else purging fails.
package store
