package churn

import (
	"runtime/debug"
	"sync"
	"time"

	"example.com/gatehouse/test/soak/vitals"
)

// rests are the moments at which nothing is under way. What the process has then, after
// a garbage collection, it keeps: in between, answers of many MiB that happen to be
// read at the same time say more about chance.
type rests struct {
	began time.Time
	// gate is held for reading by requests, and guards the samples.
	gate    sync.RWMutex
	samples []vitals.Sample
}

// during takes a request through the engine, at no time of rest.
func (r *rests) during(request func()) {
	r.gate.RLock()
	defer r.gate.RUnlock()
	request()
}

// take waits until all requests under way have ended, keeps others waiting, and looks.
func (r *rests) take() {
	r.gate.Lock()
	defer r.gate.Unlock()
	debug.FreeOSMemory()
	s := vitals.Take()
	s.At = time.Since(r.began)
	r.samples = append(r.samples, s)
}

// after returns the samples that were taken so much later or more.
func (r *rests) after(d time.Duration) []vitals.Sample {
	r.gate.RLock()
	defer r.gate.RUnlock()
	return vitals.After(r.samples, d)
}
