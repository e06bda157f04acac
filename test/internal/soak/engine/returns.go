package engine

import "time"

// Returns runs do on a new goroutine and reports whether it returned within the
// bound. If not, the goroutine is left running, so that a request that hangs
// cannot keep the soak from reporting it; the caller must then not use the data
// that do works on.
func Returns(bound time.Duration, do func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	timer := time.NewTimer(bound)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
