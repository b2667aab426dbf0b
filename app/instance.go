package app

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"time"
)

// A second start with the same data folder finds the first one through a
// socket in that folder: it raises the window, or gives a fresh link.

// listenControl answers "show" with what onShow returns, until ctx ends.
func listenControl(ctx context.Context, path string, onShow func() string) error {
	_ = os.Remove(path) // left by a crash; the lock says that nobody else is there
	ln, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return errors.Join(err, ln.Close())
	}
	context.AfterFunc(ctx, func() { _ = ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go answerControl(conn, onShow)
		}
	}()
	return nil
}

func answerControl(conn net.Conn, onShow func() string) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	line, err := bufio.NewReader(io.LimitReader(conn, 64)).ReadString('\n')
	if err == nil && strings.TrimSpace(line) == "show" {
		_, _ = io.WriteString(conn, onShow()+"\n")
	}
}

// askRunning asks the instance that holds the data folder.
func askRunning(path string) (string, error) {
	conn, err := net.DialTimeout("unix", path, 2*time.Second)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := io.WriteString(conn, "show\n"); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(io.LimitReader(conn, 4096)).ReadString('\n')
	return strings.TrimSpace(line), err
}
