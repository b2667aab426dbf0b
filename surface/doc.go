// Package surface is one untrusted UI Surface's life as data: the bundle and
// its digest, the state and its patches, the document it is served as, and the
// messages that cross its bridge. PROTOCOL.md §4 and SANDBOX.md §1–4 are its
// specification.
//
// It is pure: no sockets, no files, no goroutines. It imports neither the host
// (app) nor the capability registry, so that nothing a surface says can reach
// an effect through this package. The host, the app centre and the command
// line tools call it.
//
// All input is hostile. Functions that take bytes from outside refuse with a
// *Refusal that names a stable code, the field and what was expected; they
// never panic, and their work is bounded by the size limits below.
//
// Nothing here blocks. Only Limiter has state; it belongs to one goroutine at a
// time. Zero values mean "refuse": an App without an id is bad_app, a Frame
// without ancestors may be framed by nobody, an empty event list of an app
// means that any well-formed event name is allowed (PROTOCOL.md §4).
package surface
