// Package frontend carries the host's page: the files that Vite builds into
// dist/, embedded in the program.
//
// app/web serves them to a browser and app/desktop to the window; nothing else
// may call it. Nothing here blocks, and the file system is read-only and safe
// for use by several goroutines. A program that was built without Node has a
// placeholder instead of the page, and FS says so with false.
package frontend
