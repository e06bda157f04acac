package explain

import (
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	// Most of what the tests allocate is garbage at once.
	debug.SetGCPercent(400)
	m.Run()
}
