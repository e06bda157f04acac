package leaktest

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestFind waits for a goroutine for which goleak does not wait.
func TestFind(t *testing.T) {
	before, end := goleak.IgnoreCurrent(), make(chan struct{})
	go func() { <-end }()
	if goleak.Find(before) == nil {
		t.Fatal("goleak has not found the goroutine")
	}
	time.AfterFunc(time.Second, func() { close(end) })
	if err := Find(before); err != nil {
		t.Error(err)
	}
}
