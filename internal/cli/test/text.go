package test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/report"
)

const (
	// whole is how many explanations are shown as a whole, and longest how many lines
	// of one.
	whole   = 20
	longest = 120
	// last is how many lines are shown of what commands have printed.
	last = 20
)

// text shows results as go test does:
//
//	--- FAIL: sidecar/adds the sidecar (0.001s)
//	    suites/sidecar.yaml:42: object: spec.containers[name=web].image: want "a", got "b"
//	    CREATE pods/web in shop: allowed …
//	FAIL	suites/sidecar.yaml	12 cases, 1 failed	0.031s
//	ok	suites/policy.yaml	8 cases	0.015s
//
// It has what did not pass as soon as it is known.
type text struct {
	*printer
	verbose bool
	// guard has the last word about each line.
	guard func(line string) string

	explained int
	// elapsed is the time of the suites that are over, and over is which these are.
	elapsed time.Duration
	over    []*suite.Suite
}

// see shows a case that has something to show.
func (t *text) see(r *suite.Result) { t.lines(t.caseOf(r)) }

// end shows a suite.
func (t *text) end(r *suite.SuiteResult) {
	t.elapsed, t.over = t.elapsed+r.Elapsed, append(t.over, r.Suite)
	t.lines(t.suiteOf(r))
}

// finish shows what all of it amounts to.
func (t *text) finish(results []*suite.SuiteResult) error {
	for _, r := range results {
		if !slices.Contains(t.over, r.Suite) {
			t.lines(fmt.Sprintf("skip\t%s\t%s not run\n", shown(r.Suite.File), message.Count(len(r.NotRun), "case")))
		}
	}
	t.lines(t.sum(report.Summarize(results)))
	return t.err
}

// lines prints lines.
func (t *text) lines(lines string) {
	var out bytes.Buffer
	for line := range strings.Lines(lines) {
		fmt.Fprintln(&out, t.guard(strings.TrimSuffix(line, "\n")))
	}
	t.print(out.Bytes())
}

func (t *text) caseOf(r *suite.Result) string {
	var out strings.Builder
	switch {
	case !r.Passed():
		fmt.Fprintf(&out, "--- FAIL: %s (%s)\n", caseName(r), seconds(r.Elapsed))
		for _, f := range r.Failures {
			fmt.Fprintf(&out, "    %s: %s\n", placeOf(r, f.Field), shown(f.Text))
		}
		if r.Err != nil {
			fmt.Fprintf(&out, "    %s: %s\n", place(r.Case.At("")), shown(r.Err.Error()))
		}
		out.WriteString(indented(hints(r), "    "))
		out.WriteString(indented(t.explanation(r), "    "))
	case t.verbose:
		fmt.Fprintf(&out, "--- PASS: %s (%s)\n", caseName(r), seconds(r.Elapsed))
	}
	if r.Golden != "" {
		fmt.Fprintf(&out, "wrote %s for %s\n", shown(r.Golden), caseName(r))
	}
	return out.String()
}

// hints says what may be the reason.
func hints(r *suite.Result) string {
	var out strings.Builder
	for _, hint := range r.Hints() {
		fmt.Fprintf(&out, "hint: %s\n", shown(hint))
	}
	return out.String()
}

// explanation says what happened to a request: at length for the first of them, and in
// short if there are so many that nobody would read it.
func (t *text) explanation(r *suite.Result) string {
	e := r.Explain()
	if e == nil {
		return ""
	}
	var tree strings.Builder
	_ = e.Tree(&tree, explain.TreeOptions{Short: t.explained >= whole}) // a Builder takes everything
	t.explained++
	lines := strings.SplitAfter(tree.String(), "\n")
	if rest := len(lines) - longest; rest > 0 {
		lines = append(lines[:longest], fmt.Sprintf("and %d more lines\n", rest))
	}
	return strings.Join(lines, "")
}

func (t *text) suiteOf(r *suite.SuiteResult) string {
	var out strings.Builder
	if r.Err != nil {
		fmt.Fprintf(&out, "--- FAIL: %s: its webhooks cannot be used\n", shown(r.Suite.Name))
		out.WriteString(indented(shownLines(r.Err.Error())+"\n", "    "))
	}
	if printed := strings.TrimRight(report.Printed(r), "\n"); printed != "" {
		lines := strings.Split(printed, "\n")
		fmt.Fprintf(&out, "    what its webhooks printed:\n")
		for _, line := range lines[max(0, len(lines)-last):] {
			fmt.Fprintf(&out, "    | %s\n", plain(line))
		}
	}
	word := "ok"
	if !r.Passed() {
		word = "FAIL"
	}
	fmt.Fprintf(&out, "%-4s\t%s\t%s\t%s\n", word, shown(r.Suite.File), tally(r), seconds(r.Elapsed))
	return out.String()
}

// tally is what became of the cases of a suite.
func tally(r *suite.SuiteResult) string {
	text := message.Count(len(r.Results)+len(r.NotRun), "case")
	if n := r.Failed(); n > 0 {
		text += fmt.Sprintf(", %d failed", n)
	}
	if n := len(r.NotRun); n > 0 {
		text += fmt.Sprintf(", %d not run", n)
	}
	return text
}

// sum is what became of all cases.
func (t *text) sum(n report.Summary) string {
	text := fmt.Sprintf("%s in %s: %d passed, %d failed", message.Count(n.Cases, "case"), message.Count(n.Suites, "suite"), n.Passed, n.Failed+n.Errors)
	if n.NotRun > 0 {
		text += fmt.Sprintf(", %d not run", n.NotRun)
	}
	if n.Goldens > 0 {
		text += ", " + message.Count(n.Goldens, "golden file") + " written"
	}
	return text + ", in " + seconds(t.elapsed) + "\n"
}

// placeOf says where an expectation of a case is written.
func placeOf(r *suite.Result, field string) string { return place(report.Place(r, field)) }

func indented(text, indent string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(indent + line)
	}
	return out.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3fs", d.Seconds()) }
