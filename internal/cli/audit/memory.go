package audit

import (
	"math"
	"runtime/debug"
)

// memoryLimit is what the report of a log of any size has room in, without the program itself.
const memoryLimit = 192 << 20

// limitMemory has garbage collected earlier as the memory approaches the limit: without it the
// heap grows to twice what is kept, and more on a busy machine. GOMEMLIMIT has precedence.
func limitMemory() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(memoryLimit)
	}
}
