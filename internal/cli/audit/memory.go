package audit

import (
	"math"
	"runtime/debug"
)

// memoryLimit is what the report of a log of any size has room in, without the program itself.
const memoryLimit = 192 << 20

// limitMemory has garbage collected earlier as the memory approaches the limit, until the
// returned function is called: without it the heap grows to twice what is kept, and more on a
// busy machine. GOMEMLIMIT has precedence.
func limitMemory() (end func()) {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return func() {}
	}
	was := debug.SetMemoryLimit(memoryLimit)
	return func() { debug.SetMemoryLimit(was) }
}
