package main

import (
	"context"
	"runtime"
	"runtime/metrics"
	"time"
)

// peak is by how much the heap grows while a request is served.
const peak unit = "peak-B"

// peakAllowance is what a request may take beside one encoding of its object.
const peakAllowance = 4 << 20

// largePause is the delay of a webhook in rows about memory: long enough that
// all calls overlap.
const largePause = 2 * time.Millisecond

func largeRows() []row {
	return []row{
		{
			name: "B6", what: "20 validating webhooks, all called for a ConfigMap of 1 MiB", headline: bytesPerOp, together: true,
			gates: []bound{{bytesPerOp, timesBetter, 10}},
			open: func(ctx context.Context, s *settings) (*bench, error) {
				return forLargeObjects(s.large).timed(both()...)(ctx, s)
			},
		},
		{
			name: "B6/peak", what: "growth of the live heap while that request is served, with webhooks that take 2 ms", headline: peak,
			gates: []bound{{peak, neverAbove, largeSize + peakAllowance}}, open: openPeak,
		},
	}
}

func forLargeObjects(size int) *workload {
	const count = 20
	return &workload{
		webhooks: validatingWebhooks(count, 1, asking(configMapEndpoint())),
		request:  creating(newLarge(size), configMapEndpoint()), enter: validate, calls: count,
	}
}

// openPeak is a bench of the largest heap.
func openPeak(ctx context.Context, s *settings) (*bench, error) {
	w := forLargeObjects(s.large)
	w.pause = largePause
	p, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	return &bench{sides: both(), close: p.close,
		measure: func(ctx context.Context, one side) (sample, error) {
			return p.lanes[one].peak(ctx, s.span)
		}}, nil
}

// peak serves requests, one at a time, while the garbage collector runs without
// a pause, and returns the heap in use. It collects before each request:
// allocations during a collection count as in use, so that several requests in
// a row would count together.
func (l *lane) peak(ctx context.Context, span time.Duration) (sample, error) {
	operations, largest := 0, uint64(0)
	for stop := time.Now().Add(span); operations == 0 || time.Now().Before(stop); operations++ {
		grown, err := l.growth(ctx, l.work.request())
		if err != nil {
			return sample{}, err
		}
		largest = max(largest, grown)
	}
	return sample{operations, map[unit]float64{peak: float64(largest)}}, nil
}

// growth returns by how much the heap grows while a request is served.
func (l *lane) growth(ctx context.Context, r request) (uint64, error) {
	liveHeap() // moves what is pooled to where the next collection finds it
	idle := liveHeap()
	largest := idle
	served := make(chan error, 1)
	go func() { served <- l.serve(ctx, r) }()
	for {
		select {
		case err := <-served:
			runtime.KeepAlive(r)
			return largest - idle, err
		default:
			largest = max(largest, liveHeap())
		}
	}
}

// liveHeap collects garbage and returns the remaining bytes.
func liveHeap() uint64 {
	runtime.GC()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}
