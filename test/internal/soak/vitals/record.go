package vitals

import (
	"sync"
	"time"
)

// maxSamples is how many samples a recording keeps. When they are full every other
// one is forgotten, and from then on half as many are taken: a recording of an
// hour and one of a week have the same size.
const maxSamples = 1024

// Recorder takes samples until it is stopped. Make one with Record.
type Recorder struct {
	stop    chan struct{}
	stopped chan struct{}
	once    sync.Once

	mu      sync.Mutex
	samples []Sample
	highest Sample
}

// Record takes a sample now and then again and again, at first every so often.
// Stop has to be called in the end.
func Record(every time.Duration) *Recorder {
	r := &Recorder{stop: make(chan struct{}), stopped: make(chan struct{}),
		samples: make([]Sample, 0, maxSamples)}
	go r.run(max(every, time.Millisecond))
	return r
}

// Stop takes a last sample and ends the recording. It may be called again.
func (r *Recorder) Stop() {
	r.once.Do(func() { close(r.stop) })
	<-r.stopped
}

// Samples returns those that are kept, in order. They belong to the caller.
func (r *Recorder) Samples() []Sample {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Sample(nil), r.samples...)
}

// Highest returns the highest of each number that was seen, also in samples
// that are no longer kept. At is the last sample's.
func (r *Recorder) Highest() Sample {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.highest
}

func (r *Recorder) run(every time.Duration) {
	defer close(r.stopped)
	start := time.Now()
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		s := Take()
		s.At = time.Since(start)
		if r.add(s) {
			every *= 2
			ticker.Reset(every)
		}
		select {
		case <-ticker.C:
		case <-r.stop:
			s := Take()
			s.At = time.Since(start)
			r.add(s)
			return
		}
	}
}

// add keeps a sample, and reports whether there are to be fewer from now on.
func (r *Recorder) add(s Sample) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.highest = Highest([]Sample{r.highest, s})
	full := len(r.samples) == maxSamples
	if full {
		half := r.samples[:0]
		for i := 0; i < maxSamples; i += 2 {
			half = append(half, r.samples[i])
		}
		r.samples = half
	}
	r.samples = append(r.samples, s)
	return full
}
