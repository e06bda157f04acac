package engine

import "time"

// Returns does something on a goroutine of its own and reports whether it has
// returned within a bound. What has not is left behind: a request that hangs must
// not be able to keep a soak from saying so. Nobody may touch what it works on then.
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
