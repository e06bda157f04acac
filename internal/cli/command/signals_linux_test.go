package command

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

// TestStopCatching: a signal that was received before StopCatching is not lost, however
// shortly before.
func TestStopCatching(t *testing.T) {
	if err := StopCatching(t.Context()); err != nil {
		t.Errorf("without CatchSignals: %v", err)
	}
	if err := StopCatching(CatchSignals(t.Context(), syscall.SIGUSR1)); err != nil {
		t.Errorf("without a signal: %v", err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range 200 {
		ctx := CatchSignals(t.Context(), syscall.SIGUSR1)
		// A signal for this thread is received before the call returns.
		if err := syscall.Tgkill(os.Getpid(), syscall.Gettid(), syscall.SIGUSR1); err != nil {
			t.Fatal(err)
		}
		if err := StopCatching(ctx); err == nil {
			t.Fatal("the signal is lost")
		}
	}
}
