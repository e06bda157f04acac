package main

import (
	"context"
	"fmt"
	"io"
	"slices"
)

// result is a row with all its measurements.
type result struct {
	row
	samples samples
}

// run measures rows and returns them in the order of the report.
func (s *settings) run(ctx context.Context, all []row, progress io.Writer) ([]result, error) {
	found := map[string]samples{}
	for _, g := range chosen(all, s) {
		if err := s.runGroup(ctx, g, found, progress); err != nil {
			return nil, err
		}
	}
	var results []result
	for _, r := range all {
		if measured, ok := found[r.name]; ok {
			results = append(results, result{r, measured})
		}
	}
	return results, nil
}

// runGroup opens the rows of a group and measures all of them in every round.
func (s *settings) runGroup(
	ctx context.Context, g group, found map[string]samples, progress io.Writer,
) error {
	benches := make([]*bench, len(g))
	for i, r := range g {
		b, err := r.open(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		defer b.close()
		benches[i] = b
		found[r.name] = samples{}
	}
	rounds := s.rounds
	if g[0].once {
		rounds = 1
	}
	for round := range rounds {
		for i, r := range g {
			fmt.Fprintf(progress, "round %d of %d: %s\n", round+1, rounds, r.name)
			if err := benches[i].measureRound(ctx, round, found[r.name]); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
		}
	}
	return nil
}

// measureRound measures every side once. The order alternates with the rounds.
func (b *bench) measureRound(ctx context.Context, round int, found samples) error {
	order := slices.Clone(b.sides)
	if round%2 == 1 {
		slices.Reverse(order)
	}
	for _, one := range order {
		measured, err := b.measure(ctx, one)
		if err != nil {
			return err
		}
		found[one] = append(found[one], measured)
	}
	return nil
}
