//go:build !unix

package artifact

import (
	"errors"
	"syscall"
)

// 112 is ERROR_DISK_FULL.
func full(err error) bool { return errors.Is(err, syscall.Errno(112)) }
