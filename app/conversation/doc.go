// Package conversation is the kernel: a pure fold of a conversation's log to
// its state. It knows no transport, no store, no clock and no page.
//
// Apply is called with each log entry in the order of the log, first when the
// log is replayed at start, then live. It changes the State in place and
// returns what changed and what the host now owes the agent (Effects). Effects
// are never carried out here. An effect that an entry caused stays in Owed
// until an outgoing entry names that entry in reply_to, so after a crash
// between "stored" and "acted" the host finds in Owed exactly what is left to
// do.
//
// A State is not safe for concurrent use; its owner guards it. The zero Entry
// is not valid. Work per entry does not grow with the size of the state.
package conversation
