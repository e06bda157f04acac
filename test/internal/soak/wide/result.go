package wide

import (
	"fmt"
	"io"
	"time"

	"example.com/gatehouse/test/internal/soak/vitals"
)

// Result is the result of a run.
type Result struct {
	// Requests is how many were sent, each through both phases.
	Requests int
	// Calls is how many calls webhooks received.
	Calls int
	// Connections is how many connections were opened for them.
	Connections int
	// Took is from the first request to the end of the last.
	Took time.Duration
	// P50, P99, P999 and Longest are how long requests took.
	P50, P99, P999, Longest time.Duration
	// Unexpected is how many outcomes were not what they had to be, and what
	// else was wrong.
	Unexpected int
	// Before, Highest and After are statistics of the process: before the
	// start, the maxima, and after the end.
	Before, Highest, After vitals.Sample
	// Peak is the most memory that the process had since it began, in bytes; 0
	// if that is unknown.
	Peak int64

	texts   []string
	callers int
	each    int
}

func (s *soak) result(took time.Duration, before, highest vitals.Sample) *Result {
	d := &s.latency
	return &Result{
		Requests:    d.Count(),
		Calls:       int(s.server.calls.Load()),
		Connections: int(s.server.accepted.Load()),
		Took:        took,
		P50:         d.Quantile(0.5),
		P99:         d.Quantile(0.99),
		P999:        d.Quantile(0.999),
		Longest:     d.Longest(),
		Unexpected:  s.found.Count(),
		texts:       s.found.Texts(),
		Before:      before,
		Highest:     highest,
		After:       vitals.Take(),
		Peak:        vitals.PeakResident(),
		callers:     s.Callers,
		each:        s.Webhooks,
	}
}

// Violations are the first unexpected outcomes and how many more there were,
// with what was left after everything had been closed.
func (r *Result) Violations() []string { return r.texts }

// Print writes the figures.
func (r *Result) Print(w io.Writer) {
	rate := func(n int) float64 { return float64(n) / max(r.Took.Seconds(), 1e-9) }
	ms := func(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
	fmt.Fprintf(w, "%d callers, %d mutating and %d validating webhooks, %s\n", r.callers, r.each,
		r.each, ms(r.Took))
	fmt.Fprintf(w, "requests     %d, %.0f per second\n", r.Requests, rate(r.Requests))
	fmt.Fprintf(w, "calls        %d, %.0f per second, over %d connections\n", r.Calls,
		rate(r.Calls), r.Connections)
	fmt.Fprintf(w, "latency      p50 %s, p99 %s, p99.9 %s, at most %s\n", ms(r.P50), ms(r.P99),
		ms(r.P999), ms(r.Longest))
	fmt.Fprintf(w, "unexpected   %d\n", r.Unexpected)
	fmt.Fprintf(w, "before       %s\n", r.Before)
	fmt.Fprintf(w, "at most      %s; peak %s\n", r.Highest, vitals.MiB(r.Peak))
	fmt.Fprintf(w, "after Close  %s\n", r.After)
}
