package harness

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// tick is what a review takes on the clock of latency trackers.
const tick = time.Second

// ticking is a clock on which nothing takes time but reviews that arrive: a
// tick each. What is measured takes a nanosecond more, so that a tracker that
// sums also counts, and what is over at once is not nothing.
//
// Validating webhooks are asked at the same time. From abreast on all of them
// begin at the same moment, so that the one that ends last took as long as all
// reviews together, whichever it is.
type ticking struct {
	clock.RealClock
	mu    sync.Mutex
	now   time.Time
	began *time.Time
}

func (c *ticking) advance() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(tick)
}

func (c *ticking) abreast() {
	c.mu.Lock()
	defer c.mu.Unlock()
	began := c.now
	c.began = &began
}

// Now implements clock.PassiveClock.
func (c *ticking) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.began != nil {
		return *c.began
	}
	return c.now
}

// Since implements clock.PassiveClock.
func (c *ticking) Since(t time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now.Sub(t) + 1
}
