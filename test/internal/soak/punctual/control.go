package punctual

import (
	"time"

	"example.com/gatehouse/test/internal/soak/tally"
)

// tick is how long the control's timer takes. How late it is does not depend on
// that, and a short one is there more often.
const tick = 5 * time.Millisecond

// control measures a bare timer. Calls cannot end more punctually than the timer
// does.
type control struct {
	late    tally.Durations
	stop    chan struct{}
	stopped chan struct{}
}

// beside starts a control. end has to be called.
func beside() *control {
	c := &control{stop: make(chan struct{}), stopped: make(chan struct{})}
	go func() {
		defer close(c.stopped)
		for {
			start := time.Now()
			timer := time.NewTimer(tick)
			select {
			case <-timer.C:
				c.late.Add(time.Since(start) - tick)
			case <-c.stop:
				timer.Stop()
				return
			}
		}
	}()
	return c
}

func (c *control) end() {
	close(c.stop)
	<-c.stopped
}
