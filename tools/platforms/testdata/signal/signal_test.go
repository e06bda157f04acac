package signal

import (
	"syscall"
	"testing"
)

func TestEnd(t *testing.T) {
	if err := syscall.Mkfifo(t.TempDir()+"/pipe", 0o600); err != nil || end == nil {
		t.Error(err)
	}
}
