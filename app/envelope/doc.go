// Package envelope is the wire form of lineup.v1: the envelope, the payload of
// every message type, strict decoding, and the JSON Schemas that are the
// executable form of docs/PROTOCOL.md.
//
// Who may call: everything in app and below it that speaks to an agent. The
// package knows no transport, no store and no UI, and does no I/O.
//
// What comes in: [Decode] takes bytes from anyone. It never panics, its work is
// bounded by [MaxSize] and [MaxDepth], and what it refuses it names: an [Error]
// has a stable code, the path of the field and what was expected there. What it
// accepts is safe to hand on: ids match their alphabet, no object at any depth
// has two members of one name (so no two readers can see two different
// messages), and the payload of a known type decodes with [Payload].
//
// What goes out: [New] checks the payload against the same schema, so the host
// cannot send what it would itself refuse; [Envelope.Encode] writes it.
//
// Nothing blocks, except that the first use of a type compiles its schema
// (about 3 ms, once a process). Everything may be called from many goroutines.
//
// Aliasing: the Payload and Extra of a decoded envelope point into the bytes
// given to Decode, which must not be changed afterwards.
//
// Zero values: the zero Envelope is not valid and Encode refuses it. A nil
// *Error means accepted.
package envelope
