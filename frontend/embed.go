package frontend

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// FS returns the built page, rooted where index.html is. False means that only
// the placeholder is there: the page was not built before the program was, and
// the file system then holds placeholder.html alone.
func FS() (fs.FS, bool) {
	page, err := fs.Sub(dist, "dist")
	if err != nil { // not possible: the directory is embedded under this name
		return dist, false
	}
	_, err = fs.Stat(page, "index.html")
	return page, err == nil
}
