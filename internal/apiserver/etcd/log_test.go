package etcd

import (
	"errors"
	"syscall"
	"testing"

	"go.uber.org/zap"
)

// TestLog: what etcd says before it panics during the start is kept.
func TestLog(t *testing.T) {
	t.Parallel()
	l := newLog("data")
	func() {
		defer func() { _ = recover() }()
		l.logger().Warn("nothing of interest", zap.Error(errors.New("late")))
		l.logger().Panic("failed to create", zap.String("path", "a"), zap.Error(syscall.ENOSPC))
		t.Error("the logger has not panicked")
	}()
	err := l.end()
	if !errors.Is(err, syscall.ENOSPC) || err.Error() != "failed to create: no space left on device" {
		t.Errorf("got %v", err)
	}
}
