package churn

import (
	"fmt"
	"io"
	"time"

	"example.com/gatehouse/test/internal/soak/model"
	"example.com/gatehouse/test/internal/soak/tally"
	"example.com/gatehouse/test/internal/soak/vitals"
)

// Result is what a run has shown.
type Result struct {
	options  Options
	world    *world
	findings tally.Findings
	took     time.Duration

	requests, certain, lost   int64
	changes, silences, events int64
	// faulty are the mutating calls of webhooks with a fault.
	faulty int64

	shares  []share
	highest vitals.Sample
	slopes  []slope
	growths []growth
	// left is the error about goroutines and sockets that remain after Close.
	left error
}

// Violations returns what was not as it should be: nothing if all promises were
// kept.
func (r *Result) Violations() []string {
	texts := r.findings.Texts()
	if r.left != nil {
		texts = append(texts, fmt.Sprintf("%v after Close %v", r.options.drains, r.left))
	}
	return texts
}

// Print writes the figures.
func (r *Result) Print(w io.Writer) {
	var calls model.Counts
	for _, k := range r.world.kinds() {
		calls.Add(k.calls.counts)
	}
	line := func(name, format string, arguments ...any) {
		_, _ = fmt.Fprintf(w, "%-16s %s\n", name, fmt.Sprintf(format, arguments...))
	}
	line("duration", "%v, %d callers, seed %d", r.took.Round(time.Second),
		r.options.Callers, r.options.Seed)
	line("requests", "%d, %.0f a second; in %d phases only one state was allowed", r.requests,
		float64(r.requests)/r.took.Seconds(), r.certain)
	line("calls", "%d: %d denied, %d failed closed, %d failed open, %d internal errors",
		calls.Calls, calls.Denied, calls.FailedClosed, calls.FailedOpen, calls.Internal)
	line("faults", "%d calls were of webhooks with a fault", calls.Faulty)
	for _, s := range r.shares {
		line("kind", "%-24s %9d, %5.2f %%", s.name, s.met, 100*float64(s.met)/float64(max(r.requests, 1)))
	}
	line("lost", "%d calls, because the process did not run for two seconds", r.lost)
	line("changes", "%d; %d events, %d silences", r.changes, r.events, r.silences)
	line("peak", "%v", r.highest)
	for _, s := range r.slopes {
		line("slope at rest", "%s %+.2f %s a minute (at most %+.2f), between %.0f and %.0f", s.name,
			s.perMinute, s.unit, s.most, s.low, s.high)
	}
	for _, g := range r.growths {
		line("growth at rest", "%s from %d to %d (at most +%d)", g.name, g.first, g.last, most)
	}
	if len(r.slopes) == 0 {
		line("slope", "not judged: a run of less than %v says nothing about it", judged)
	}
	if r.left == nil {
		line("after Close", "no goroutine and no connection was left after %v", r.options.drains)
	}
	line("violations", "%d", len(r.Violations()))
}
