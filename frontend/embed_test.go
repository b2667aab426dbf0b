package frontend

import (
	"io/fs"
	"testing"
)

func TestFSSaysWhetherThePageIsThere(t *testing.T) {
	page, built := FS()
	_, err := fs.Stat(page, "index.html")
	if built != (err == nil) {
		t.Fatalf("FS says built=%v, but opening index.html gives %v", built, err)
	}
	if !built {
		if _, err := fs.Stat(page, "placeholder.html"); err != nil {
			t.Fatalf("neither the page nor the placeholder is embedded: %v", err)
		}
	}
}
