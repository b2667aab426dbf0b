// Package openurl is the capability app.open_url: it opens a web page or a mail
// draft in the user's own program.
//
// It refuses what could mean something else than it shows: other schemes than
// http, https and mailto, user names in addresses, control characters, blanks,
// back-slashes, numbers dressed up as hosts. The address that is shown and opened
// is the normalised one, in ASCII only (UX.md §3.7).
//
// Only the broker calls a Provider. Invoke blocks for the Opener. A nil Opener
// fails every call with no_opener. System is the Opener of a desktop: it starts
// the system's own opener with no shell, few variables and no inherited files.
package openurl
