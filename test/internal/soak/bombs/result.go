package bombs

import (
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"text/tabwriter"
	"time"

	"example.com/gatehouse/test/internal/soak/vitals"
)

// Result is the result of a run.
type Result struct {
	// Bombs are the figures of each.
	Bombs []Bomb
	// Took is from the first request to the end of the last.
	Took time.Duration
	// Limit is the process's memory limit (GOMEMLIMIT) in bytes; 0 if there is
	// none, which makes the run meaningless.
	Limit int64
	// Highest is how the process was at its worst, as far as was looked.
	Highest vitals.Sample
	// Peak is the most memory that the process had since it began, in bytes; 0
	// if that is unknown.
	Peak int64
	// ServerPeak is the same for the process with the fault servers.
	ServerPeak int64
	// Unexpected is how many calls did not end as they had to, or too late, and
	// what else was wrong.
	Unexpected int

	texts   []string
	callers int
}

// Bomb is the result of one bomb.
type Bomb struct {
	// Fault is its name.
	Fault string
	// Calls is how many were made.
	Calls int
	// Own, Budget, Expired and Unexpected are the numbers of calls that ended
	// with the bomb's error, because of the budget, because of the timeout, or
	// otherwise.
	Own, Budget, Expired, Unexpected int
	// P50, P99 and Longest are how long requests took.
	P50, P99, Longest time.Duration
}

func (s *soak) result(took time.Duration, highest vitals.Sample, serverPeak int64) *Result {
	result := &Result{
		Took: took, Highest: highest, Peak: vitals.PeakResident(), ServerPeak: serverPeak,
		Unexpected: s.found.Count(), texts: s.found.Texts(), callers: s.Callers,
	}
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		result.Limit = limit
	}
	for _, r := range s.rows {
		result.Bombs = append(result.Bombs, Bomb{
			Fault: r.fault, Calls: r.took.Count(),
			Own: int(r.ends[own].Load()), Budget: int(r.ends[budget].Load()),
			Expired: int(r.ends[expired].Load()), Unexpected: int(r.ends[unexpected].Load()),
			P50: r.took.Quantile(0.5), P99: r.took.Quantile(0.99), Longest: r.took.Longest(),
		})
	}
	return result
}

// Violations are the first unexpected ends and how many more there were, with
// what was left after everything had been closed.
func (r *Result) Violations() []string { return r.texts }

// Print writes the figures.
func (r *Result) Print(w io.Writer) {
	ms := func(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "fault\tcalls\town end\tbudget\texpired\tunexpected\tp50\tp99\tmost\t")
	for _, b := range r.Bombs {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t\n",
			b.Fault, b.Calls, b.Own, b.Budget, b.Expired, b.Unexpected, ms(b.P50), ms(b.P99), ms(b.Longest))
	}
	// A writer that fails fails for all that follows, too.
	_ = t.Flush()
	limit := "none: start it with GOMEMLIMIT=256MiB"
	if r.Limit > 0 {
		limit = vitals.MiB(r.Limit)
	}
	fmt.Fprintf(w, "callers       %d, for %s\n", r.callers, ms(r.Took))
	fmt.Fprintf(w, "memory limit  %s\n", limit)
	fmt.Fprintf(w, "at most       %s; peak %s\n", r.Highest, vitals.MiB(r.Peak))
	fmt.Fprintf(w, "servers       peak %s\n", vitals.MiB(r.ServerPeak))
	fmt.Fprintf(w, "unexpected    %d\n", r.Unexpected)
}
