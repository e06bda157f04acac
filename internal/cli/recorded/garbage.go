package recorded

import (
	"os"
	"runtime/debug"
)

// CollectLess makes the garbage collector run less often, until the returned function
// is called. The requests of a corpus leave much garbage, and little else is in memory.
// A percentage in $GOGC takes precedence.
func CollectLess() (end func()) {
	const percent = 400
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	was := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(was) }
}
