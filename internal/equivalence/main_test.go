package equivalence_test

import (
	"runtime/debug"
	"testing"

	"example.com/gatehouse/internal/testutil/leaktest"
)

func TestMain(m *testing.M) {
	// Most of what the tests allocate is garbage at once.
	debug.SetGCPercent(400)
	leaktest.Main(m)
}
