package client

import "testing"

// TestMeterNeedsMetrics: a process that has registered no metrics with client-go
// measures nothing. test/internal/parity/production has one that has.
func TestMeterNeedsMetrics(t *testing.T) {
	t.Parallel()
	if newMeter("hook.example.com:443") != nil {
		t.Error("there is a meter")
	}
}
