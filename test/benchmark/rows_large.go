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

// largePause is how long a webhook takes where it is about memory: long enough
// for all of them to be at it at the same time.
const largePause = 2 * time.Millisecond

func largeRows() []row {
	return []row{
		{
			name: "B6", what: "20 validating webhooks, all called for a ConfigMap of 1 MiB", headline: bytesPerOp, together: true,
			floors: []floor{{bytesPerOp, timesBetter, 10}},
			open: func(ctx context.Context, s *settings) (*bench, error) {
				return forLargeObjects(s.large).timed(both()...)(ctx, s)
			},
		},
		{
			name: "B6/peak", what: "growth of the live heap while that request is served, with webhooks that take 2 ms", headline: peak,
			floors: []floor{{peak, neverAbove, largeSize + peakAllowance}}, open: openPeak,
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
	return &bench{sides: both(), close: p.close, measure: func(ctx context.Context, one side) (sample, error) {
		return p.lanes[one].peak(ctx, s.span)
	}}, nil
}

// peak serves requests, one at a time, while the garbage collector runs without
// a pause and says how much of the heap is in use. The requests are there before.
func (l *lane) peak(ctx context.Context, span time.Duration) (sample, error) {
	const requests = 8
	waiting := make([]request, requests)
	for i := range waiting {
		waiting[i] = l.work.request()
	}
	idle := liveHeap()
	served, stop := make(chan error, 1), time.Now().Add(span)
	operations := 0
	go func() {
		var err error
		for ; err == nil && (operations == 0 || time.Now().Before(stop)); operations++ {
			err = l.serve(ctx, waiting[operations%requests])
		}
		served <- err
	}()
	largest := idle
	for {
		select {
		case err := <-served:
			runtime.KeepAlive(waiting)
			return sample{operations, map[unit]float64{peak: float64(largest - idle)}}, err
		default:
			largest = max(largest, liveHeap())
		}
	}
}

// liveHeap collects garbage and returns what is left.
func liveHeap() uint64 {
	runtime.GC()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}
