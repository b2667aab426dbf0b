//go:build unix && !darwin

package openurl

var opener = []string{"xdg-open"}
