// Package agent is the port between the host and the agents: what every kind of
// connection must do ([Link]) and what it may ask of the host ([Peer]). The
// adapters are in sub-packages, one for a protocol, and never import each other.
//
// Who calls what: the host makes a Link for each agent it wants, giving it a Peer of
// its own, and calls Run in a goroutine. The link calls the Peer; nothing else does.
//
// Order and back-pressure: Receive is called with one envelope at a time, in the
// order of arrival, and the link reads no further before it returns: a busy
// conversation holds back the socket, not the host's memory. What Next gives is
// written in that order, and Sent tells of each before Next is called again.
//
// A connection's life, as the Peer sees it: Changed(Connecting), Hello, Ready,
// Changed(Connected), then Receive and Next until it breaks,
// Changed(Reconnecting), and so on. Next, Receive and the others get a context that ends with the
// connection; they must return soon after it does.
//
// Identity comes from the connection: the Peer is whoever its Link was made
// for, and what a message says about its sender is only compared with that.
//
// Zero values: the zero State is not a state; the zero Code means that there is nothing to explain.
package agent
