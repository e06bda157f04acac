package parity

import (
	"runtime/metrics"
	"strings"
	"testing"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/parity/fault"
	"example.com/gatehouse/test/internal/parity/harness"
)

// TestMemoryOfLargeAnswers adds up all that is allocated while gatehouse reads
// what group D sends it, by the fault server too. The heap grows by no more
// than that, whenever garbage is collected.
func TestMemoryOfLargeAnswers(t *testing.T) {
	runner, err := fault.NewRunner(oracle())
	if err != nil {
		t.Fatal(err)
	}
	bounds, err := limits.Limits{}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	run := func(row *fault.Row, c fault.Combination) {
		if _, _, err := runner.Run(t.Context(), row, c, harness.Gatehouse, faultserver.Listen); err != nil {
			t.Error(err)
		}
	}
	highest, of := uint64(0), "no row"
	rows := loadFaults(t, faultTable)
	run(&rows[0], fault.Combinations()[0]) // for what is made once
	for i := range rows {
		if !strings.HasPrefix(rows[i].ID, "D") {
			continue
		}
		for _, c := range fault.Combinations() {
			if n := allocated(func() { run(&rows[i], c) }); n > highest {
				highest, of = n, rows[i].ID
			}
		}
	}
	compared.say("allocated in group D: at most %.1f MiB for a call (%s), body limit %d MiB", float64(highest)/(1<<20), of, bounds.ResponseBody>>20)
	if allowed := 4 * bounds.ResponseBody; highest < uint64(bounds.ResponseBody) || highest > uint64(allowed) {
		t.Errorf("%s: %d bytes were allocated, allowed are %d", of, highest, allowed)
	}
}

// allocated returns how many bytes were allocated while do ran.
func allocated(do func()) uint64 {
	before := allocations()
	do()
	return allocations() - before
}

// allocations is the size of all objects that the process has ever made.
func allocations() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
