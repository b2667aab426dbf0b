package openurl

import (
	"os/exec"
	"syscall"
)

var opener = []string{"rundll32.exe", "url.dll,FileProtocolHandler"}

func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
