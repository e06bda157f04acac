package punctual

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// Result is what was measured.
type Result struct {
	// Rows are those that were measured, in the order of the faults.
	Rows []Row
	// Unmeasured are the faults of which the measurement did not come to the
	// end.
	Unmeasured []string
	// Took is how long everything took.
	Took time.Duration
	// Left is the error about goroutines or sockets that remained when
	// everything had been closed; nil if none did.
	Left error

	options Options
}

// Row is what was measured of one fault.
type Row struct {
	// Fault is its name.
	Fault string
	// Together is true if the row was measured at the same time as others.
	Together bool
	// Calls is how many were made.
	Calls int
	// Expired is how many of them used up their time.
	Expired int
	// Hanging is how many did not return at all.
	Hanging int
	// Allowed, Denied and Failed is how many ended so.
	Allowed, Denied, Failed int
	// P50, P999 and Most are by how much calls were beyond the timeout; those
	// that were not count as 0.
	P50, P999, Most time.Duration
	// Left is the error about goroutines or sockets that remained when the row
	// had been closed; nil if none did. For rows that were measured together
	// see Result.
	Left error
	// TimerP999 and TimerMost are by how much a bare timer was late at the same
	// load.
	TimerP999, TimerMost time.Duration
}

func newResult(rows []*row, o Options, took time.Duration) *Result {
	result := &Result{Took: took, options: o}
	for _, r := range rows {
		figures := r.figures()
		if figures.Calls < o.Calls {
			result.Unmeasured = append(result.Unmeasured, r.name)
		}
		if figures.Calls > 0 {
			result.Rows = append(result.Rows, figures)
		}
	}
	return result
}

// nearlyAll is the quantile that is compared with the limit.
const nearlyAll = 0.999

// figures is called when no call is under way any more, but for those that
// hang.
func (r *row) figures() Row {
	figures := Row{
		Fault:    r.name,
		Together: r.waits,
		Calls:    min(int(r.begun.Load()), r.Options.Calls),
		Expired:  int(r.expired.Load()),
		Hanging:  int(r.hanging.Load()),
		Allowed: int(
			r.classes[allowed].Load(),
		),
		Denied: int(r.classes[denied].Load()),
		Failed: int(r.classes[failed].Load()),
		P50: r.beyond.Quantile(
			0.5,
		),
		P999: r.beyond.Quantile(nearlyAll),
		Most: r.beyond.Longest(),
		Left: r.left,
	}
	if r.control != nil {
		figures.TimerP999, figures.TimerMost = r.control.late.Quantile(
			nearlyAll,
		), r.control.late.Longest()
	}
	return figures
}

// Violations returns the rows that were late or did not return, and the
// resources that were not released.
func (r *Result) Violations() []string {
	var all []string
	for _, row := range r.Rows {
		if row.Left != nil {
			all = append(all, fmt.Sprintf("%s: when it was closed, %v", row.Fault, row.Left))
		}
		switch {
		case row.Hanging > 0:
			all = append(
				all,
				fmt.Sprintf(
					"%s: %d of %d calls did not return within %s",
					row.Fault,
					row.Hanging,
					row.Calls,
					r.options.hangs,
				),
			)
		case row.P999 > r.options.Within:
			all = append(
				all,
				fmt.Sprintf(
					"%s: p99.9 of %d calls returned %s after the timeout, allowed are %s (a bare timer at the same load: %s)",
					row.Fault,
					row.Calls,
					short(row.P999),
					r.options.Within,
					short(row.TimerP999),
				),
			)
		}
	}
	if r.Left != nil {
		all = append(all, fmt.Sprintf("when all rows were closed, %v", r.Left))
	}
	return all
}

// Print writes the figures.
func (r *Result) Print(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(
		t, "fault\tcalls\tallowed\tdenied\tfailed\texpired\tp50\tp99.9\tmost\ttimer p99.9\tmost\t")
	for _, row := range r.Rows {
		fmt.Fprintf(
			t,
			"%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t\n",
			row.Fault,
			row.Calls,
			row.Allowed,
			row.Denied,
			row.Failed,
			row.Expired,
			short(row.P50),
			short(row.P999),
			short(row.Most),
			short(row.TimerP999),
			short(row.TimerMost),
		)
	}
	// A writer that fails fails for all that follows, too.
	_ = t.Flush()
	fmt.Fprintf(w, "%d rows in %s; times are those beyond the timeout of %s\n", len(r.Rows),
		r.Took.Round(time.Second), timeout)
	if n := r.unpunctual(); n > 0 {
		fmt.Fprintf(
			w,
			"beside %d rows, a bare timer was late by more than %s at p99.9: this machine could not have done better there\n",
			n,
			r.options.Within,
		)
	}
	if len(r.Unmeasured) > 0 {
		fmt.Fprintf(w, "not measured to the end: %v\n", r.Unmeasured)
	}
}

// unpunctual is beside how many rows the machine itself was later than a row
// may be.
func (r *Result) unpunctual() int {
	n := 0
	for _, row := range r.Rows {
		if row.TimerP999 > r.options.Within {
			n++
		}
	}
	return n
}

// short formats a duration with the precision that the table needs.
func short(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2fms", float64(d)/float64(time.Millisecond))
}
