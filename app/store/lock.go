package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// lockName is the file in the data directory that carries the lock. It is never
// removed: removing it would let two processes lock two files of the same name.
const lockName = "lineup.lock"

// Lock takes the data directory for this process, making it (0700) if it is
// missing. ErrLocked: another process, or another Lock in this one, has it. It does
// not wait. The operating system lets go of the lock when the process ends, however
// it ends. unlock may be called more than once.
func Lock(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("store: lock: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("store: lock: %w", err)
	}
	if err := lockFile(f); err != nil {
		f.Close()
		if errors.Is(err, ErrLocked) {
			return nil, fmt.Errorf("%w: %s", ErrLocked, dir)
		}
		return nil, fmt.Errorf("store: lock: %w", err)
	}
	return sync.OnceFunc(func() { f.Close() }), nil
}
