package vitals

import (
	"context"
	"fmt"
	"time"
)

// Drained waits until there are no more goroutines and sockets than in a
// sample, up to the bound or the end of ctx. The error then has the numbers and
// the stacks of the goroutines that were not there when the sample was taken,
// the most frequent first, cut to 8 KiB; of all goroutines if the sample is not
// from Baseline. The caller must stop its Recorders first, unless they were
// running when the sample was taken.
func Drained(ctx context.Context, baseline Sample, bound time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	const longest = 100 * time.Millisecond
	for pause := time.Millisecond; ; pause = min(2*pause, longest) {
		now := Take()
		if now.Goroutines <= baseline.Goroutines && now.Sockets <= baseline.Sockets {
			return nil
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf(
				"%d goroutines and %d sockets are left, and there were %d and %d; goroutines that were not there:\n%s",
				now.Goroutines,
				now.Sockets,
				baseline.Goroutines,
				baseline.Sockets,
				takeStacks().since(baseline.stacks),
			)
		}
	}
}
