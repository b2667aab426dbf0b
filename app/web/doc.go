// Package web is the host's loopback servers, all on 127.0.0.1:
//
//   - the host page and its UI socket (the web shell; in the desktop shell the
//     page comes from the window and only the socket is here),
//   - FrameServer, the surface origin: one-time documents for frames, and
//   - Canary, a port that nothing may reach, by which leaks are seen.
//
// The composition root starts them; no other package calls this one. Each
// server has its own port, because the port is what tells the origins apart.
// Every handler checks the Host header exactly (DNS rebinding) and the UI
// socket its Origin too; whatever is not expected gets an answer that tells
// nothing.
//
// Constructors listen before they return and stop when their context ends;
// nothing else blocks. All methods are safe for concurrent use. There are no
// useful zero values: use the constructors.
package web
