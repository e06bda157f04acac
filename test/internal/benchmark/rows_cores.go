package main

import (
	"context"
	"fmt"
	"runtime"
)

// speedup is the throughput with two processors ÷ that with one.
const speedup unit = "times-faster"

// coreWorkers is how many goroutines have requests, however many run at a time.
const coreWorkers = 4

func coreRows() []row {
	compare := func(name, what string, w *workload) row {
		return row{
			name: "B8/" + name, what: "throughput of " + what + " with GOMAXPROCS=2 ÷ with 1", headline: speedup,
			gates: []bound{{speedup, atLeast, 1.3}}, goals: []bound{{speedup, atLeast, 1.8}}, open: w.onCores,
		}
	}
	return []row{
		compare("B1", "B1", forPods(validatingWebhooks(1000, elsewhereEach, elsewhere), 0)),
		compare("B2", "B2", forPods(validatingWebhooks(20, 1), 20)),
	}
}

// onCores is a bench of gatehouse on one processor and on two.
func (w *workload) onCores(ctx context.Context, s *settings) (*bench, error) {
	p, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	before := runtime.GOMAXPROCS(0)
	measure := func(ctx context.Context, one side) (sample, error) {
		defer runtime.GOMAXPROCS(before)
		made := sample{values: map[unit]float64{}}
		for _, cores := range []int{1, 2} {
			runtime.GOMAXPROCS(cores)
			runtime.GC()
			d, err := p.lanes[one].drive(ctx, coreWorkers, s.span)
			if err != nil {
				return sample{}, err
			}
			made.operations = len(d.latencies)
			made.values[unit(fmt.Sprintf("op/s-on-%d", cores))] = d.throughput()
			made.values[timePerOp] = float64(d.elapsed) / float64(len(d.latencies))
		}
		made.values[speedup] = made.values["op/s-on-2"] / made.values["op/s-on-1"]
		return made, nil
	}
	return &bench{sides: []side{gatehouse}, close: p.close, measure: measure}, nil
}
