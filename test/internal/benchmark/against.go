package main

import (
	"context"
	"errors"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/plugin"
)

// against is a bench that measures sides on this workload and on another one in
// turns: the result is how many times longer the other one takes.
func (w *workload) against(
	other *workload, sides ...side,
) func(context.Context, *settings) (*bench, error) {
	return func(ctx context.Context, s *settings) (*bench, error) {
		base, err := w.timed(sides...)(ctx, s)
		if err != nil {
			return nil, err
		}
		grown, err := other.timed(sides...)(ctx, s)
		if err != nil {
			base.close()
			return nil, err
		}
		measure := func(ctx context.Context, one side) (sample, error) {
			before, beforeErr := base.measure(ctx, one)
			after, err := grown.measure(ctx, one)
			if err := errors.Join(beforeErr, err); err != nil {
				return sample{}, err
			}
			after.values[scale] = after.values[timePerOp] / before.values[timePerOp]
			return after, nil
		}
		return &bench{
			sides:   sides,
			measure: measure,
			close:   func() { base.close(); grown.close() },
		}, nil
	}
}

// tracedRow measures the cost of traces.
func tracedRow(name string, make func() *workload) row {
	return row{
		name: name + "/traced", what: "time with an observer and traces ÷ time without", headline: scale,
		gates: []bound{{scale, atMost, 1.15}},
		open: func(ctx context.Context, s *settings) (*bench, error) {
			traced := make()
			traced.options = []plugin.Option{plugin.WithObserver(deaf{}), plugin.WithTrace()}
			return make().against(traced, gatehouse)(ctx, s)
		},
	}
}

// deaf is an observer that only listens.
type deaf struct{}

// RecordMatch implements dispatcher.Recorder.
func (deaf) RecordMatch(context.Context, *admission.Match) {}

// RecordCall implements dispatcher.Recorder.
func (deaf) RecordCall(context.Context, *admission.Call) {}
