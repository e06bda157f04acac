package main

import (
	"context"
	"math"
)

// exponent is how time grows: as n to the power of exponent. 1 is linear.
const exponent unit = "exponent"

// linear is the exponent up to which growth counts as linear. In the chains of
// B4 and B5 each webhook makes the pod larger: upstream's exponent is 1.13.
const linear = 1.2

// growthRows are about large objects and long chains.
func growthRows() []row {
	const small = 10 // parts of a large object, and of a long chain
	pods := func(size, count int) *workload {
		return forLabelled(newLargePod(size), podEndpoint(), count)
	}
	return []row{
		sizedRow("B4/large", "B4 with pods of 1 MiB", func(s *settings) (*workload, error) {
			return pods(s.large, chainLength), nil
		}),
		sizedRow("B4/100", "B4 with 100 webhooks", func(s *settings) (*workload, error) {
			return pods(0, s.long), nil
		}),
		sizedRow("B4/custom/large", "B4 with custom resources of 100 kB", customs(1)),
		sizedRow("B5/50", "B5 with 50 webhooks", func(s *settings) (*workload, error) {
			return forReinvoked(s.long / 2), nil
		}),
		growthRow("B2/growth", "from 10 to 100 webhooks", small, func(s *settings, part int) (*workload, error) {
			n := s.long / part
			return forPods(validatingWebhooks(n, 1), n), nil
		}),
		growthRow("B4/growth", "from 10 to 100 webhooks", small, func(s *settings, part int) (*workload, error) {
			return pods(0, s.long/part), nil
		}),
		growthRow("B4/growth/large", "from pods of 100 KiB to pods of 1 MiB", small,
			func(s *settings, part int) (*workload, error) { return pods(s.large/part, chainLength), nil }),
		growthRow("B4/growth/custom", "from custom resources of 10 kB to those of 100 kB", small,
			func(s *settings, part int) (*workload, error) { return customs(part)(s) }),
		growthRow("B5/growth", "from 5 to 50 webhooks", small, func(s *settings, part int) (*workload, error) {
			return forReinvoked(s.long / 2 / part), nil
		}),
		growthRow("B6/growth", "from ConfigMaps of 100 KiB to those of 1 MiB", small,
			func(s *settings, part int) (*workload, error) { return forLargeObjects(s.large / part), nil }),
	}
}

// customs returns a workload of custom resources of a tenth of a large object's
// size, divided by part.
func customs(part int) func(*settings) (*workload, error) {
	return func(s *settings) (*workload, error) {
		object, err := newCustom(newLargePod(s.large / 10 / part))
		if err != nil {
			return nil, err
		}
		return forLabelled(object, customEndpoint(), chainLength), nil
	}
}

// sizedRow measures a workload that depends on the settings.
func sizedRow(name, what string, make func(*settings) (*workload, error)) row {
	return row{name: name, what: what, together: true, gates: []bound{{timePerOp, timesBetter, 1.8}},
		open: func(ctx context.Context, s *settings) (*bench, error) {
			w, err := make(s)
			if err != nil {
				return nil, err
			}
			return w.timed(both()...)(ctx, s)
		}}
}

// growthRow measures how the time of both sides grows from a part of a workload
// to the whole.
func growthRow(name, what string, part int, make func(s *settings, part int) (*workload, error)) row {
	return row{
		name: name, what: "growth of the time " + what, headline: exponent,
		gates: []bound{{exponent, atMost, linear}},
		open: func(ctx context.Context, s *settings) (*bench, error) {
			little, err := make(s, part)
			if err != nil {
				return nil, err
			}
			whole, err := make(s, 1)
			if err != nil {
				return nil, err
			}
			b, err := little.against(whole, both()...)(ctx, s)
			if err != nil {
				return nil, err
			}
			return b.exponential(part), nil
		},
	}
}

// exponential returns the bench with the exponent in the place of how many
// times longer a workload of so many times the size takes.
func (b *bench) exponential(times int) *bench {
	return &bench{sides: b.sides, close: b.close,
		measure: func(ctx context.Context, one side) (sample, error) {
			s, err := b.measure(ctx, one)
			if err == nil {
				s.values[exponent] = math.Log(s.values[scale]) / math.Log(float64(times))
				delete(s.values, scale)
			}
			return s, err
		}}
}
