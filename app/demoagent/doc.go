// Package demoagent is the built-in demo agent: a real lineup.v1 WebSocket
// server (PROTOCOL.md §1–5) that speaks from a script. The host talks to it
// through the same code path as to any agent; it runs embedded on a loopback
// port and as `lineup demo-agent --port`.
//
// Who may call: app (wiring) and main's command. Serve returns when the port is
// open; everything after that runs in the server's goroutines until Close or
// the end of ctx. Close blocks until they have ended.
//
// Order: within a conversation messages are handled one after the other in the
// order of arrival; conversations run side by side. `cancel` alone overtakes:
// it stops the run under way and the messages waiting before it. What the agent
// sends in a conversation goes out in the order in which it was made.
//
// Exactly once: an accepted envelope is in the journal before it is acted on,
// and so is each one made before it is sent. Ids are derived from the message
// that caused them, so a run that a crash cut off is run again at the next
// start and makes the same envelopes, of which those already in the journal
// are left out. On hello everything after the host's last_id is sent again.
//
// Back-pressure: a run waits once 256 of its conversation's envelopes are
// unsent; a reader waits once 256 messages of a conversation are unhandled,
// which holds back the socket. No message is dropped; the replay log keeps the
// last 2,048 envelopes or 4 MiB of a conversation.
//
// Zero values of Options: no Token lets anybody on the loopback in who is not a web page,
// no StateFile means that the agent forgets at exit, no Logger is silent, no
// Clock is the real one.
//
// What it is not: clever. It says so to the user.
package demoagent
