//go:build unix

package artifact

import (
	"errors"
	"syscall"
)

func full(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
