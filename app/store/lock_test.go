package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

const lockDir = "LINEUP_TEST_LOCK_DIR"

// TestLockHolder is the other process of TestLockBetweenProcesses.
func TestLockHolder(t *testing.T) {
	dir := os.Getenv(lockDir)
	if dir == "" {
		t.Skip("runs only as the helper of TestLockBetweenProcesses")
	}
	_, err := Lock(dir)
	fmt.Println("locked:", err == nil)
	io.Copy(io.Discard, os.Stdin) // until killed
}

func TestLockBetweenProcesses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "data")
	cmd := helper(t, "TestLockHolder", lockDir+"="+dir)
	stdin, err := cmd.StdinPipe()
	must(t, err)
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	must(t, err)
	if line != "locked: true\n" {
		t.Fatalf("the other process: %q", line)
	}
	if _, err := Lock(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("err = %v, want ErrLocked", err)
	}
	must(t, cmd.Process.Kill())
	cmd.Wait()
	unlock, err := Lock(dir)
	if err != nil {
		t.Fatalf("after the other was killed: %v", err)
	}
	unlock()
}

func TestLockWithinAProcess(t *testing.T) {
	dir := t.TempDir()
	unlock, err := Lock(dir)
	must(t, err)
	if _, err := Lock(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("err = %v, want ErrLocked", err)
	}
	if other, err := Lock(t.TempDir()); err != nil {
		t.Errorf("another directory: %v", err)
	} else {
		other()
	}
	unlock()
	unlock()
	again, err := Lock(dir)
	if err != nil {
		t.Fatalf("after unlock: %v", err)
	}
	again()
}
