// Package artifact is the capability artifact.save: it writes a new file into
// one folder of the user's, usually the downloads.
//
// It never replaces a file, never leaves half of one under its final name, and
// never writes anywhere else. Names are made such that every operating system
// takes them as plain names: reserved names, hidden files, streams and odd
// endings are changed, and the prompt shows the name as changed. The agent
// learns the name and size, never the folder.
//
// Only the broker calls a Provider. Invoke blocks for the disk. The zero Limit
// is 16 MiB.
package artifact
