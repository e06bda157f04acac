package parity

import (
	"flag"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/parity/fault"
	"example.com/gatehouse/test/internal/parity/harness"
)

// punctual is for a machine that does nothing else: on a busy one deadlines are
// late for other reasons.
var punctual = flag.Bool("punctual", false, "fail if the deadlines of faults are not kept to 50 ms")

const (
	// atOnce is how many runs go on at the same time: most of them wait.
	atOnce = 16
	// accurate is by how much runs may return after their time, at p99.9.
	accurate = 50 * time.Millisecond
	// measurements is how often runs are measured until they are accurate: a
	// machine has hiccups, but not one each time.
	measurements = 3
	// hanging is when a run is taken for one that does not return.
	hanging = 20 * time.Second
)

// TestTimeoutAccuracy sends every fault through gatehouse in both modes, on
// sockets and in real time, and prints how late each run returned after its
// deadline. It fails if a run does not return, and with -punctual if they are
// not accurate.
func TestTimeoutAccuracy(t *testing.T) {
	runner, err := fault.NewRunner(oracle())
	if err != nil {
		t.Fatal(err)
	}
	rows := loadFaults(t, faultTable)
	for n := range measurements {
		lateness := measure(t, runner.Blind(), rows, combinations())
		used := slices.DeleteFunc(slices.Clone(lateness), func(late time.Duration) bool { return late < -5*time.Millisecond })
		if len(used) == 0 {
			t.Fatal("no run has used up its time")
		}
		slices.Sort(used)
		found := quantile(used, 0.999)
		late := *punctual && found >= accurate
		if late && n+1 < measurements && !t.Failed() {
			t.Logf("p99.9 is %s; measuring again", found)
			continue
		}
		compared.say("timeout accuracy: of %d runs %d used up their time; they returned after it by p50 %s, p99 %s, p99.9 %s, at most %s",
			len(lateness), len(used), quantile(used, 0.5), quantile(used, 0.99), found, quantile(used, 1))
		if late {
			t.Errorf("p99.9 is %s, allowed is less than %s", found, accurate)
		}
		return
	}
}

// combinations are those that are measured: all of them, and where nothing
// depends on how punctual they are only the first, which is enough to see that
// every fault ends.
func combinations() []fault.Combination {
	all := fault.Combinations()
	if *punctual {
		return all
	}
	return all[:1]
}

// measure returns by how much each run returned after its deadline.
func measure(t *testing.T, runner *fault.Runner, rows []fault.Row, combinations []fault.Combination) []time.Duration {
	var (
		mu       sync.Mutex
		lateness []time.Duration
		running  sync.WaitGroup
		slots    = make(chan struct{}, atOnce)
	)
	one := func(row *fault.Row, c fault.Combination, side harness.Side) {
		observed, limit, err := runner.Run(t.Context(), row, c, side, faultserver.Listen)
		late := observed.Took - limit
		if err != nil || late > hanging {
			t.Errorf("%s, %s, %s: %s after its deadline, %v", row.ID, c, side, late, err)
		}
		mu.Lock()
		defer mu.Unlock()
		lateness = append(lateness, late)
	}
	for i := range rows {
		for _, c := range combinations {
			for _, side := range []harness.Side{harness.Gatehouse, harness.Exact} {
				slots <- struct{}{}
				running.Go(func() {
					defer func() { <-slots }()
					one(&rows[i], c, side)
				})
			}
		}
	}
	running.Wait()
	return lateness
}

// quantile returns the smallest value of a sorted list that at least the share
// q of all values do not exceed.
func quantile(sorted []time.Duration, q float64) time.Duration {
	rank := int(math.Ceil(q * float64(len(sorted))))
	return sorted[max(1, rank)-1].Round(10 * time.Microsecond)
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(i+1) * time.Millisecond
	}
	for q, want := range map[float64]time.Duration{0: 1, 0.5: 50, 0.99: 99, 0.999: 100, 1: 100} {
		if got := quantile(hundred, q); got != want*time.Millisecond {
			t.Errorf("quantile %v of 1 to 100 ms: want %d ms, got %s", q, want, got)
		}
	}
}
