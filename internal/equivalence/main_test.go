package equivalence_test

import (
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// Most of what the tests allocate is garbage at once.
	debug.SetGCPercent(400)
	goleak.VerifyTestMain(m)
}
