package openurl

var opener = []string{"/usr/bin/open"}
