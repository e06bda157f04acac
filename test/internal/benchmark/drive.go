package main

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"
)

// requestsEach is how many requests each worker has, over and over: validating
// webhooks leave them as they are.
const requestsEach = 16

// driven is the result of a load.
type driven struct {
	elapsed   time.Duration
	latencies []time.Duration // of all workers, sorted
}

func (d *driven) throughput() float64 { return float64(len(d.latencies)) / d.elapsed.Seconds() }

// percentile returns the latency that p of 100 requests do not exceed.
func (d *driven) percentile(p int) time.Duration {
	return d.latencies[min(len(d.latencies)*p/100, len(d.latencies)-1)]
}

// drive has workers do something, each of them again and again, until the
// window is over. What a worker does is counted from 0.
func drive(workers int, window time.Duration, do func(worker, i int) error) (*driven, error) {
	var wg sync.WaitGroup
	latencies, errs := make([][]time.Duration, workers), make([]error, workers)
	start := time.Now()
	for w := range workers {
		wg.Go(func() {
			latencies[w], errs[w] = work(start.Add(window), func(i int) error { return do(w, i) })
		})
	}
	wg.Wait()
	d := &driven{elapsed: time.Since(start), latencies: slices.Concat(latencies...)}
	slices.Sort(d.latencies)
	return d, errors.Join(errs...)
}

func work(until time.Time, do func(i int) error) ([]time.Duration, error) {
	latencies := make([]time.Duration, 0, 1<<12)
	began := time.Now()
	for i := 0; began.Before(until) || i == 0; i++ {
		if err := do(i); err != nil {
			return latencies, err
		}
		ended := time.Now()
		latencies = append(latencies, ended.Sub(began))
		began = ended
	}
	return latencies, nil
}

// drive has workers put requests through the lane.
func (l *lane) drive(ctx context.Context, workers int, window time.Duration) (*driven, error) {
	requests := make([][]request, workers)
	for w := range requests {
		for range requestsEach {
			requests[w] = append(requests[w], l.work.request())
		}
	}
	return drive(workers, window, func(worker, i int) error {
		return l.serve(ctx, requests[worker][i%requestsEach])
	})
}

// pace calls do at a fixed rate, whether or not earlier calls have returned,
// and measures latencies from the due time, so that a delay counts for all
// delayed calls. It spins between calls to be exact.
func pace(window, every time.Duration, do func(i int) error) (*driven, error) {
	latencies := make([]time.Duration, 0, max(window/every, 1))
	start := time.Now()
	for i := range cap(latencies) {
		due := start.Add(time.Duration(i) * every)
		for time.Now().Before(due) {
			runtime.Gosched()
		}
		if err := do(i); err != nil {
			return nil, err
		}
		latencies = append(latencies, time.Since(due))
	}
	slices.Sort(latencies)
	return &driven{time.Since(start), latencies}, nil
}

// pace puts requests through the lane at a steady pace.
func (l *lane) pace(ctx context.Context, window, every time.Duration) (*driven, error) {
	requests := make([]request, requestsEach)
	for i := range requests {
		requests[i] = l.work.request()
	}
	runtime.GC()
	return pace(window, every, func(i int) error { return l.serve(ctx, requests[i%requestsEach]) })
}
