// Package lineupws connects the host to an agent that speaks lineup.v1 over a
// WebSocket (docs/PROTOCOL.md, "Session"). It implements agent.Link over an
// agent.Peer. The host makes one Link for each agent; nothing else calls it.
//
// The host is the WebSocket client. Two goroutines serve a connection: the
// reading one decodes a frame, gives it to Peer.Receive and only then reads the
// next; the writing one takes from Peer.Next. What the link itself has to say
// (error answers, pongs) is written by the reading goroutine before it reads
// on, so a flood of bad frames costs its sender time and the host no memory.
//
// Nothing an agent sends ends the connection except a break of the WebSocket
// protocol itself, a frame of more than 64 MiB, or silence.
//
// Blocking: Run blocks until its context ends. Retry never blocks.
//
// Zero values of Config mean: no token, the real dialer, back-off of 0.5 s to
// 30 s, the default logger. URL and Peer must be set.
package lineupws
