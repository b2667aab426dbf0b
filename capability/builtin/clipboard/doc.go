// Package clipboard is the capability clipboard.write: it puts text on the
// user's clipboard.
//
// Only the broker calls a Provider. Invoke blocks for the Clipboard. A nil
// Clipboard fails every call with no_clipboard. The text is never put in the
// audit log; its length is.
package clipboard
