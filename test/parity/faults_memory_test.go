package parity

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/dispatcher/limits"
	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/parity/fault"
	"example.com/gatehouse/test/parity/world"
)

// TestMemoryOfLargeAnswers watches the heap while gatehouse reads what group D
// sends it. The server's own memory counts too.
func TestMemoryOfLargeAnswers(t *testing.T) {
	runner, err := fault.NewRunner(oracle())
	if err != nil {
		t.Fatal(err)
	}
	bounds, err := limits.Limits{}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	highest, of := uint64(0), "no row"
	rows := loadFaults(t, faultTable)
	for i := range rows {
		if !strings.HasPrefix(rows[i].ID, "D") {
			continue
		}
		for _, c := range fault.Combinations() {
			peak := heapPeak(t, func() {
				if _, _, err := runner.Run(t.Context(), &rows[i], c, world.Gatehouse, faultserver.Listen); err != nil {
					t.Error(err)
				}
			})
			if peak > highest {
				highest, of = peak, rows[i].ID
			}
		}
	}
	compared.say("heap in group D: at most %.1f MiB above what there was (%s), body limit %d MiB", float64(highest)/(1<<20), of, bounds.ResponseBody>>20)
	if allowed := 3 * bounds.ResponseBody; highest == 0 || highest > uint64(allowed) {
		t.Errorf("%s: the heap grew by %d bytes, allowed are %d", of, highest, allowed)
	}
}

// heapPeak returns by how much the objects on the heap grew at most. The garbage
// collector runs so often that little of it is garbage.
func heapPeak(t *testing.T, do func()) uint64 {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	runtime.GC()
	before := heap()
	done, peak := make(chan struct{}), make(chan uint64)
	go func() {
		highest := before
		for {
			highest = max(highest, heap())
			select {
			case <-done:
				peak <- highest - before
				return
			case <-time.After(200 * time.Microsecond):
			}
		}
	}()
	do()
	close(done)
	return <-peak
}

// heap is the size of all objects, the dead ones that are not yet swept included.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
