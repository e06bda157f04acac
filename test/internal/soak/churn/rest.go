package churn

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	"example.com/gatehouse/test/internal/soak/backend"
	"example.com/gatehouse/test/internal/soak/vitals"
)

// collections is how many garbage collections it takes until nothing is left in
// any sync.Pool.
const collections = 3

// rests are the moments at which nothing is under way. What the process has
// then, after a garbage collection, it keeps: in between, answers of many MiB
// that happen to be read at the same time say more about chance.
type rests struct {
	began time.Time
	// sometimesLong is whether one in everyLong is longLasting.
	sometimesLong bool
	// disconnect closes the client's idle connections. How many there are
	// depends on how many webhooks happen to have been called since they were
	// written last.
	disconnect func(context.Context) error
	// gate is read-locked by requests, and guards the samples.
	gate sync.RWMutex
	// connected are samples with the idle connections, and samples those
	// without. long are those of long rests, which show memory best.
	connected, samples, long []vitals.Sample
}

// One rest in everyLong is longLasting. Before it is over, the timers with which
// net/http2 checks whether connections are alive keep what closed connections
// have used.
const (
	everyLong   = 6
	longLasting = 31 * time.Second
)

// during takes a request through the engine, at no time of rest.
func (r *rests) during(request func()) {
	r.gate.RLock()
	defer r.gate.RUnlock()
	request()
}

// take waits until all requests under way have ended, keeps others waiting, and
// looks.
func (r *rests) take(ctx context.Context) error {
	r.gate.Lock()
	defer r.gate.Unlock()
	r.connected = append(r.connected, r.sample())
	if err := r.disconnect(ctx); err != nil {
		return err
	}
	time.Sleep(backend.LetsGo) // servers have connections, too, and must have noticed
	for range collections {
		debug.FreeOSMemory()
	}
	r.samples = append(r.samples, r.sample())
	if r.sometimesLong && len(r.samples)%everyLong == 0 {
		time.Sleep(longLasting)
		debug.FreeOSMemory()
		r.long = append(r.long, r.sample())
	}
	return nil
}

func (r *rests) sample() vitals.Sample {
	s := vitals.Take()
	s.At = time.Since(r.began)
	return s
}

// taken returns the samples that were taken so far.
func (r *rests) taken() (connected, samples, long []vitals.Sample) {
	r.gate.RLock()
	defer r.gate.RUnlock()
	return r.connected, r.samples, r.long
}
