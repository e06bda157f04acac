package test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/report"
)

const (
	// fullExplanations is the number of explanations in full, and
	// maxExplanationLines the number of lines of one.
	fullExplanations    = 20
	maxExplanationLines = 120
	// maxFailedListed is the number of failed cases in the list at the end.
	maxFailedListed = 50
	// maxOutputLines is the number of lines of a command's output.
	maxOutputLines = 20
)

// text prints results as go test does:
//
//	--- FAIL: sidecar/adds the sidecar (0.001s)
//	    suites/sidecar.yaml:42: object: spec.containers[name=web].image: want "a", got "b"
//	    CREATE pods/web in shop: allowed …
//	FAIL	suites/sidecar.yaml	12 cases, 1 failed	0.031s
//	ok	suites/policy.yaml	8 cases	0.015s
//
// It prints failures at once, and lists them at the end if there are several.
type text struct {
	*printer
	verbose bool
	// explain is the value of --explain.
	explain string
	// guard filters each line.
	guard  func(line string) string
	colors command.Palette

	explained int
	// elapsed is the total time of the finished suites, which over lists.
	elapsed time.Duration
	over    []*suite.Suite
}

// see prints a case.
func (t *text) see(r *suite.Result) { t.lines(t.caseOf(r)) }

// end prints a suite.
func (t *text) end(r *suite.SuiteResult) {
	t.elapsed, t.over = t.elapsed+r.Elapsed, append(t.over, r.Suite)
	t.lines(t.suiteOf(r))
}

// finish prints the suites that did not run, and the summary.
func (t *text) finish(results []*suite.SuiteResult) error {
	for _, r := range results {
		if !slices.Contains(t.over, r.Suite) {
			t.lines(fmt.Sprintf("skip\t%s\t%s not run\n", shown(r.Suite.File),
				message.Count(len(r.NotRun), "case")))
		}
	}
	t.lines(listFailed(results))
	t.lines(t.sum(report.Summarize(results)))
	return t.err
}

// listFailed lists the failed cases, if there are several.
func listFailed(results []*suite.SuiteResult) string {
	var lines []string
	for _, s := range results {
		for _, r := range s.Results {
			if !r.Passed() {
				lines = append(lines, fmt.Sprintf("    %s  %s\n", position(r.Case.At("")), caseName(r)))
			}
		}
	}
	switch rest := len(lines) - maxFailedListed; {
	case len(lines) < 2:
		return ""
	case rest > 0:
		lines = append(lines[:maxFailedListed], fmt.Sprintf("    and %d more\n", rest))
	}
	return "failed cases:\n" + strings.Join(lines, "")
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
		word := t.colors.Bad("FAIL")
		if r.NotReached() {
			word = t.colors.Notable("NOT REACHED")
		}
		fmt.Fprintf(&out, "--- %s: %s (%s)\n", word, caseName(r), seconds(r.Elapsed))
		for _, f := range r.Failures {
			fmt.Fprintf(&out, "    %s: %s\n", positionOf(r, f.Field), shown(f.Text))
		}
		if r.Err != nil {
			fmt.Fprintf(&out, "    %s: %s\n", position(r.Case.At("")), shown(r.Err.Error()))
		}
		out.WriteString(indented(hints(r), "    "))
		out.WriteString(indented(t.explanation(r), "    "))
	case t.verbose:
		fmt.Fprintf(&out, "--- %s: %s (%s)\n", t.colors.Good("PASS"), caseName(r), seconds(r.Elapsed))
	}
	if r.Golden != "" {
		fmt.Fprintf(&out, "wrote %s for %s\n", shown(r.Golden), caseName(r))
	}
	return out.String()
}

// hints returns possible reasons for a failure.
func hints(r *suite.Result) string {
	var out strings.Builder
	for _, hint := range r.Hints {
		fmt.Fprintf(&out, "hint: %s\n", shown(hint))
	}
	return out.String()
}

// explanation explains a request as --explain says. After many in full it goes
// on in short.
func (t *text) explanation(r *suite.Result) string {
	e := r.Explain()
	if e == nil || t.explain == explainNone {
		return ""
	}
	var tree strings.Builder
	short := t.explain == explainShort || t.explained >= fullExplanations
	// a Builder takes everything
	_ = e.Tree(&tree, explain.TreeOptions{Short: short, Hints: !short})
	t.explained++
	lines := strings.SplitAfter(tree.String(), "\n")
	if rest := len(lines) - maxExplanationLines; rest > 0 {
		lines = append(lines[:maxExplanationLines], fmt.Sprintf("and %d more lines\n", rest))
	}
	return strings.Join(lines, "")
}

func (t *text) suiteOf(r *suite.SuiteResult) string {
	var out strings.Builder
	if r.Err != nil {
		fmt.Fprintf(&out, "--- %s: %s: its webhooks cannot be used\n", t.colors.Bad("FAIL"), shown(r.Suite.Name))
		out.WriteString(indented(shownLines(r.Err.Error())+"\n", "    "))
	}
	if printed := strings.TrimRight(report.Printed(r), "\n"); printed != "" {
		lines := strings.Split(printed, "\n")
		fmt.Fprintf(&out, "    what its webhooks printed:\n")
		for _, line := range lines[max(0, len(lines)-maxOutputLines):] {
			fmt.Fprintf(&out, "    | %s\n", plain(line))
		}
	}
	word := t.colors.Bad("FAIL")
	switch {
	case r.Passed():
		word = t.colors.Good("ok  ")
	case r.Err == nil && r.Failed() == 0 && r.NotReached() > 0:
		word = t.colors.Notable("not reached")
	}
	fmt.Fprintf(&out, "%s\t%s\t%s\t%s\n", word, shown(r.Suite.File), tally(r), seconds(r.Elapsed))
	return out.String()
}

// tally counts the results of a suite.
func tally(r *suite.SuiteResult) string {
	text := message.Count(len(r.Results)+len(r.NotRun), "case")
	if n := r.Failed(); n > 0 {
		text += fmt.Sprintf(", %d failed", n)
	}
	if n := r.NotReached(); n > 0 {
		text += fmt.Sprintf(", %d not reached", n)
	}
	if n := len(r.NotRun); n > 0 {
		text += fmt.Sprintf(", %d not run", n)
	}
	return text
}

// sum summarizes all results.
func (t *text) sum(n report.Summary) string {
	text := fmt.Sprintf("%s in %s: %d passed, %d failed", message.Count(n.Cases, "case"),
		message.Count(n.Suites, "suite"), n.Passed, n.Failed+n.Errors)
	if n.NotReached > 0 {
		text += fmt.Sprintf(", %d not reached", n.NotReached)
	}
	if n.NotRun > 0 {
		text += fmt.Sprintf(", %d not run", n.NotRun)
	}
	if n.Goldens > 0 {
		text += ", " + message.Count(n.Goldens, "golden file") + " written"
	}
	return text + ", in " + seconds(t.elapsed) + "\n"
}

// positionOf returns the position of an expectation of a case.
func positionOf(
	r *suite.Result,
	field string,
) string {
	return position(report.PositionOf(r, field))
}

func indented(text, indent string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(indent + line)
	}
	return out.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3fs", d.Seconds()) }
