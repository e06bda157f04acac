package churn

import (
	"runtime/debug"
	"slices"
	"time"
)

// Options say how a run is to be.
type Options struct {
	// Duration is how long callers call. The default is 10 minutes.
	Duration time.Duration
	// Callers is how many there are. The default is 64, and 8 under the race
	// detector.
	Callers int
	// Cycle is how long changes go on between two silences. The default is 20
	// s, or a sixth of a shorter run.
	Cycle time.Duration
	// Seed determines the sequence of changes. Their timing relative to
	// requests is not repeatable.
	Seed uint64

	// enough ends the run before its duration is over, once it returns true. It is asked
	// before each request, by all callers at once. Nil is never enough.
	enough func(*callers, *writer) bool
	// drains is how long after it is closed an engine may still have something.
	// The default is a second.
	drains time.Duration
	// raced is whether the race detector is on.
	raced bool
}

func (o Options) withDefaults() Options {
	if o.Duration <= 0 {
		o.Duration = 10 * time.Minute
	}
	o.raced = raced()
	if o.Callers <= 0 {
		o.Callers = 64
		if o.raced {
			o.Callers = 8
		}
	}
	if o.Cycle <= 0 {
		o.Cycle = min(20*time.Second, o.Duration/6)
	}
	if o.drains <= 0 {
		o.drains = time.Second
	}
	if o.enough == nil {
		o.enough = func(*callers, *writer) bool { return false }
	}
	return o
}

// raced reports whether the program was built with the race detector.
func raced() bool {
	build, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
