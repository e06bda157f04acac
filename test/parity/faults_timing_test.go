package parity

import (
	"slices"
	"sync"
	"testing"
	"time"

	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/parity/fault"
	"example.com/gatehouse/test/parity/world"
)

// atOnce is how many runs go on at the same time: most of them wait.
const atOnce = 16

// hanging is when a run is taken for one that does not return.
const hanging = time.Second

// TestTimeoutAccuracy takes every fault through gatehouse on sockets and in real
// time, and says how far after its deadline each run returned. What it fails on is
// a run that did not return; how accurate the others are depends on the machine.
func TestTimeoutAccuracy(t *testing.T) {
	runner, err := fault.NewRunner(oracle())
	if err != nil {
		t.Fatal(err)
	}
	lateness := measure(t, runner.Blind(), loadFaults(t))
	used := slices.DeleteFunc(slices.Clone(lateness), func(late time.Duration) bool { return late < -5*time.Millisecond })
	if len(used) == 0 {
		t.Fatal("no run has used up its time")
	}
	slices.Sort(used)
	compared.say("timeout accuracy: of %d runs %d used up their time; they returned after it by p50 %s, p99 %s, p99.9 %s, at most %s",
		len(lateness), len(used), quantile(used, 0.5), quantile(used, 0.99), quantile(used, 0.999), quantile(used, 1))
	if worst := quantile(used, 1); worst > hanging {
		t.Errorf("a run returned %s after its deadline", worst)
	}
}

// measure returns by how much each run returned after its deadline.
func measure(t *testing.T, runner *fault.Runner, rows []fault.Row) []time.Duration {
	var (
		mu       sync.Mutex
		lateness []time.Duration
		running  sync.WaitGroup
		slots    = make(chan struct{}, atOnce)
	)
	for i := range rows {
		for _, c := range fault.Combinations() {
			slots <- struct{}{}
			running.Go(func() {
				defer func() { <-slots }()
				_, timing, err := runner.Run(t.Context(), &rows[i], c, world.Gatehouse, faultserver.Listen)
				mu.Lock()
				defer mu.Unlock()
				late := timing.Took - timing.Limit
				lateness = append(lateness, late)
				if err != nil || late > hanging {
					t.Errorf("%s, %s: %s after its deadline, %v", rows[i].ID, c, late, err)
				}
			})
		}
	}
	running.Wait()
	return lateness
}

// quantile returns a value of a sorted list.
func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[int(q*float64(len(sorted)-1))].Round(10 * time.Microsecond)
}
