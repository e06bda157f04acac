package findings

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/gatehouse/internal/conformance/report"
)

// words are what the page says of a verdict.
var words = map[report.Verdict]string{report.Pass: "passes", report.Fail: "fails"}

// mayFail is what the page says of a check whose verdict depends on the moment.
const mayFail = "may fail"

// ending is what the page says of a check of a process.
type ending struct{ check, flags, word string }

// Live has the command start the webhooks of a project, with these arguments, and
// fails the test if a check of their process ends otherwise than the page says in
// that column.
func Live(t *testing.T, column string, args ...string) {
	t.Helper()
	said := endings(read(t, repository, "docs", "conformance-findings.md"), column)
	if len(said) == 0 {
		t.Fatalf("the page has no table with the column %q", column)
	}
	for _, flags := range flagsOf(said) {
		other := func(e ending) bool { return e.flags != flags }
		of := slices.DeleteFunc(slices.Clone(said), other)
		all := append(slices.Clone(args), strings.Fields(flags)...)
		for _, e := range of {
			all = append(all, "--only", e.check)
		}
		for _, wrong := range differences(run(t, all), of) {
			t.Error(wrong)
		}
	}
}

// flagsOf returns the flags that checks are run with.
func flagsOf(said []ending) []string {
	var all []string
	for _, e := range said {
		all = append(all, e.flags)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// differences says what is otherwise in a report than in the page.
func differences(r *report.Report, said []ending) []string {
	var wrong []string
	for _, w := range r.Problems() {
		wrong = append(wrong, w.Name+": "+w.Problem)
	}
	for _, e := range said {
		got, hasVerdict := words[r.VerdictOf(e.check)]
		if got != e.word && (e.word != mayFail || !hasVerdict) {
			wrong = append(wrong, fmt.Sprintf("%s %s, and the page says that it %s: %s",
				strings.TrimSpace(e.check+" "+e.flags), got, e.word, r.Text(e.check)))
		}
	}
	return wrong
}

// endings returns what a column of the table of processes says. A row is about a
// check, which may have flags: "C-ROLL with `--pre-stop 5s`". A cell begins with
// the verdict.
func endings(page, column string) []ending {
	_, table, found := strings.Cut(page, "\n| check |")
	if !found {
		return nil
	}
	table, _, _ = strings.Cut(table, "\n\n")
	head, rows, _ := strings.Cut(table, "\n")
	at := slices.Index(cells(head), column)
	if at < 0 {
		return nil
	}
	var said []ending
	for _, match := range regexp.MustCompile("(?m)^\\| (C-[A-Z]+)(?: with `([^`]+)`)? \\|(.*)$").
		FindAllStringSubmatch(rows, -1) {
		word, _, _ := strings.Cut(strings.ReplaceAll(cells(match[3])[at], ",", ":"), ":")
		said = append(said, ending{match[1], match[2], word})
	}
	return said
}

// cells returns the cells of a row after the first one.
func cells(row string) []string {
	all := strings.Split(strings.Trim(row, "|"), "|")
	for i, cell := range all {
		all[i] = strings.TrimSpace(cell)
	}
	return all
}

// Build builds a command of the project, such as ../../cmd/webhooks, and returns
// its path.
func Build(t *testing.T, command string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "webhooks")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", file, command)
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", command, err, text)
	}
	return file
}
