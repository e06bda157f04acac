package fault

import (
	"fmt"
	"time"
)

// Clock is the precision of durations.
type Clock uint8

// The clocks.
const (
	// Virtual time passes only while all goroutines wait, so that a run takes the
	// promised time, to the nanosecond.
	Virtual Clock = 1 + iota
	// Real time passes while something is computed, too, or something else has
	// the processor.
	Real
)

const (
	// hiccup is how late a run may be for which the machine had no time.
	hiccup = 500 * time.Millisecond
	// head is how much of a deadline is over before a run's time is taken.
	head = 5 * time.Millisecond
)

// Diff returns the differences: a duration that was not promised, and a return
// after the limit.
func (k Clock) Diff(promised, took, limit time.Duration) []string {
	var lines []string
	if k == Virtual && took != promised || took < promised-head {
		lines = append(lines, fmt.Sprintf("took: promised %s, observed %s", promised, took))
	}
	late := took - limit
	if k == Virtual && late > 0 || late > hiccup {
		lines = append(lines, fmt.Sprintf("returned %s after the deadline of %s", late, limit))
	}
	return lines
}
