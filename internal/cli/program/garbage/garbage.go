package garbage

import (
	"os"
	"runtime"
	"runtime/debug"
)

const (
	// first is the percentage until the first collection: 4 MB become 32 MB.
	first = 800
	// usual is Go's default.
	usual = 100
)

func init() {
	if os.Getenv("GOGC") == "" {
		delay()
	}
}

// delay delays the next collection, which ends the delay.
func delay() {
	debug.SetGCPercent(first)
	runtime.AddCleanup(new([1]*byte), end, struct{}{})
}

// end restores the usual percentage, unless another one was set in the meantime.
func end(struct{}) {
	if set := debug.SetGCPercent(usual); set != first {
		debug.SetGCPercent(set)
	}
}
