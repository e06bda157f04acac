package main

import (
	"context"
	"runtime"
	"time"
)

const (
	// maxBatch keeps the requests that wait within some ten megabytes.
	maxBatch = 2048
	// minTries and the trial's share of a measurement are enough to know how
	// long a request takes, and to have everything warm.
	minTries, trialShare = 3, 10
)

// meter measures lanes in batches of requests. All sides have the same size of
// batch, so that waiting requests cost each side's garbage collector the same; the
// faster side runs more batches.
type meter struct {
	span  time.Duration
	batch int
}

// newMeter tries the lanes out.
func newMeter(
	ctx context.Context, span time.Duration, lanes map[side]*lane, sides []side,
) (meter, error) {
	m := meter{span: span}
	slowest := time.Nanosecond
	for _, s := range sides {
		took, err := try(ctx, span/trialShare, lanes[s])
		if err != nil {
			return m, err
		}
		slowest = max(slowest, took)
	}
	m.batch = min(max(int(span/slowest), 1), maxBatch)
	return m, nil
}

// try returns about how long a request takes.
func try(ctx context.Context, span time.Duration, l *lane) (time.Duration, error) {
	var total batch
	for total.operations < minTries || total.elapsed < span {
		b, err := l.run(ctx, minTries)
		if err != nil {
			return 0, err
		}
		total.add(b)
	}
	return total.elapsed / time.Duration(total.operations), nil
}

// measure runs batches until the span is over, or a multiple of it including
// what is not measured. The garbage collector runs at any time, so that each side
// pays for it in proportion to its allocations.
func (m meter) measure(ctx context.Context, l *lane) (sample, error) {
	const patience = 3
	runtime.GC()
	began := time.Now()
	var total batch
	for total.elapsed < m.span && time.Since(began) < patience*m.span {
		b, err := l.run(ctx, m.batch)
		if err != nil {
			return sample{}, err
		}
		total.add(b)
	}
	return total.sample(), nil
}

// batch is what some requests cost.
type batch struct {
	operations    int
	elapsed       time.Duration
	bytes, allocs uint64
}

// run makes requests, and then takes the time that they need.
func (l *lane) run(ctx context.Context, n int) (batch, error) {
	requests := make([]request, n)
	for i := range requests {
		requests[i] = l.work.request()
	}
	b, err := timedStep(func() error { return l.serveAll(ctx, requests) })
	b.operations = n
	return b, err
}

// serveAll drops each request after its end, as a server does. Profiles start
// at this function.
func (l *lane) serveAll(ctx context.Context, requests []request) error {
	for i := range requests {
		if err := l.serve(ctx, requests[i]); err != nil {
			return err
		}
		requests[i] = request{}
	}
	return nil
}

func (b *batch) add(other batch) {
	b.operations += other.operations
	b.elapsed += other.elapsed
	b.bytes += other.bytes
	b.allocs += other.allocs
}

func (b *batch) sample() sample {
	n := float64(b.operations)
	return sample{
		b.operations,
		map[unit]float64{
			timePerOp: float64(
				b.elapsed,
			) / n,
			bytesPerOp:  float64(b.bytes) / n,
			allocsPerOp: float64(b.allocs) / n,
		},
	}
}

// timedStep measures one thing.
func timedStep(step func() error) (batch, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	err := step()
	elapsed := time.Since(start)
	runtime.ReadMemStats(&after)
	return batch{1, elapsed, after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs}, err
}
