package garbage

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

// TestDelay: the next collection ends the delay.
func TestDelay(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usual))
	delay()
	if got := percentage(); got != first {
		t.Errorf("the percentage is %d, want %d", got, first)
	}
	// The cleanup runs some time after a collection.
	for percentage() != usual && t.Context().Err() == nil {
		runtime.GC()
	}
}

// TestEnd: it leaves a percentage alone that others have set.
func TestEnd(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usual))
	for set, want := range map[int]uint64{first: usual, 400: 400, usual: usual} {
		debug.SetGCPercent(set)
		end(struct{}{})
		if got := percentage(); got != want {
			t.Errorf("%d becomes %d, want %d", set, got, want)
		}
	}
}

func percentage() uint64 {
	read := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(read)
	return read[0].Value.Uint64()
}
