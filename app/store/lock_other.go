//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package store

import (
	"errors"
	"os"
)

// Without a lock that dies with its process two hosts could share a file; better
// not to start.
func lockFile(*os.File) error { return errors.ErrUnsupported }
