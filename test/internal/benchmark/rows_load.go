package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"example.com/gatehouse/internal/testutil/cputime"
)

// The units of load. Processor time is that of this process, dispatcher and
// requests, without the webhooks.
const (
	cpuPerOp    unit = "cpu-ns"
	median50    unit = "p50-ns"
	median99    unit = "p99-ns"
	connections unit = "conns/worker"
)

func loadRows() []row {
	var all []row
	for _, workers := range []int{1, 8, 64} {
		all = append(all, row{
			name: fmt.Sprintf("B7/fan/%d", workers), headline: cpuPerOp,
			what: fmt.Sprintf(
				"20 validating webhooks on loopback, over TLS; requests from %d clients", workers),
			gates: []bound{
				{cpuPerOp, timesBetter, 2}, {median50, timesBetter, 1}, {median99, timesBetter, 1},
			},
			open: loaded(20, workers),
		})
	}
	for _, workers := range []int{1, 10, 100, 400, 1000} {
		all = append(all, row{
			name: fmt.Sprintf("B7/%d", workers), headline: throughput,
			what: fmt.Sprintf(
				"1 validating webhook on loopback, over TLS; requests from %d clients", workers),
			gates: []bound{
				{throughput, timesBetter, 1.2}, {median99, timesBetter, 1}, {connections, neverAbove, 2},
			},
			goals: []bound{{throughput, timesBetter, 3}},
			open:  loaded(1, workers),
		})
	}
	return append(all, bareRow())
}

// loaded is a bench of webhooks in another process.
func loaded(webhooks, workers int) func(context.Context, *settings) (*bench, error) {
	return func(ctx context.Context, s *settings) (*bench, error) {
		backend, err := startProcess(ctx)
		if err != nil {
			return nil, err
		}
		w := forPods(validatingWebhooks(webhooks, 1, inService(backend.Bundle)), webhooks)
		p, err := w.openWith(
			ctx,
			func() (route, bodyRecorder) { return route{address: backend.Address}, backend },
		)
		if err != nil {
			backend.close()
			return nil, err
		}
		measure := func(ctx context.Context, one side) (sample, error) {
			return backend.load(ctx, p.lanes[one], workers, s.window)
		}
		return &bench{sides: both(), measure: measure, close: func() { p.close(); backend.close() }}, nil
	}
}

// settling is how long connections of the measurement before have to close.
const settling = 100 * time.Millisecond

// load measures a lane under load.
func (p *process) load(
	ctx context.Context, l *lane, workers int, window time.Duration,
) (sample, error) {
	runtime.GC()
	time.Sleep(settling)
	before, err := p.connections()
	if err != nil {
		return sample{}, err
	}
	cpu := cpuTime()
	d, err := l.drive(ctx, workers, window)
	cpu = cpuTime() - cpu
	if err != nil {
		return sample{}, err
	}
	after, err := p.connections()
	n := len(d.latencies)
	return sample{n, map[unit]float64{
		timePerOp: float64(d.elapsed) / float64(n), throughput: d.throughput(),
		cpuPerOp: float64(cpu) / float64(n), connections: float64(after-before) / float64(workers),
		median50: float64(d.percentile(50)), median99: float64(d.percentile(99)),
	}}, err
}

// cpuTime is what this process has used.
func cpuTime() time.Duration {
	used, err := cputime.Used()
	if err != nil {
		return 0 // which cannot be, and would show as a ratio that is none
	}
	return used
}
