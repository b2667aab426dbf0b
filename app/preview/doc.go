// Package preview is what `lineup preview` shows instead of an agent: a real
// lineup.v1 WebSocket peer that opens a bundle from a folder or a file, or
// plays recorded envelopes, and follows the files as they are saved.
//
// Who may call: app (wiring). The host knows it as host.Preview and knows
// nothing of files. Serve returns when the port is open; Close, or the end of
// its context, ends the server, the watcher and the player, and waits for them.
//
// Order: what the agent sends in a conversation goes out in the order in which
// it was made; a save is read again 80 ms after the last change of the folder
// (500 ms at the latest), one reading at a time. A save that the validator
// refuses changes nothing that is shown; its findings are in the view.
//
// Bounds: the log keeps the last 500 entries, a recording has at most 10,000
// envelopes and 32 MiB, a session's unsent envelopes are those of its
// conversation. All methods are safe for concurrent use and do not block on
// the host or the page.
//
// Zero values of Options: Speed 0 sends a recording as fast as possible, no
// Logger is silent, no Now is the real time.
package preview
