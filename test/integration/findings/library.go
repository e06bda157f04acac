package findings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/gatehouse/internal/conformance/report"
)

// Library is what webhooks are written with, and what is known about it.
type Library struct {
	// Module is its path, as go.mod has it.
	Module string
	// Findings has the musts first, each level in the order of the checks.
	Findings []Finding
}

// Finding is a check that fails, and why that is so. All fields are required.
type Finding struct {
	// Check is the ID of the check.
	Check string
	// Where is the place in the source of the library.
	Where string
	// Why says what is done there.
	Why string
}

// Look has the command look at webhooks, with these arguments besides the form
// of output, and fails the test if what it finds is not what the table and the
// page have.
func (l *Library) Look(t *testing.T, args ...string) {
	t.Helper()
	for _, wrong := range l.compare(run(t, args), l.section(t)) {
		t.Error(wrong)
	}
}

// Tell fails the test if the page does not tell of what is in the table, in
// that order, or of more.
func (l *Library) Tell(t *testing.T) {
	t.Helper()
	for _, wrong := range l.mistakes(l.section(t)) {
		t.Error(wrong)
	}
}

// compare says what is otherwise in a report than in the table and in the
// section.
func (l *Library) compare(r *report.Report, section string) []string {
	var wrong []string
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for _, w := range r.Problems() {
		say("%s: %s", w.Name, w.Problem)
	}
	for _, f := range l.Findings {
		if verdict := r.VerdictOf(f.Check); verdict != report.Fail {
			say("%s is no finding any more: %s. The row said: %s", f.Check, verdict, f.Why)
		}
		if !recognized(r, f.Check) {
			say("%s is not recognized as known of a library", f.Check)
		}
	}
	for _, c := range slices.Concat(r.Failed(report.Must), r.Failed(report.Should)) {
		if !slices.Contains(l.checks(), c.ID) {
			say("%s (%s) fails, which is new: %s\n%s", c.ID, c.Level, c.Title, r.Text(c.ID))
		} else if !strings.Contains(section, heading(c)) {
			say("the page does not say that %s is a %s", c.ID, c.Level)
		}
	}
	if text := summary(r); !strings.Contains(section, text) {
		say("the page does not say of %s: %s", l.Module, text)
	}
	return wrong
}

// recognized reports whether every finding of a check in a report is known.
func recognized(r *report.Report, check string) bool {
	for _, result := range r.ResultsOf(check, report.Fail) {
		for _, found := range result.Findings {
			if found.Known == "" {
				return false
			}
		}
	}
	return true
}

// mistakes says what is wrong with the table, or otherwise in the section.
func (l *Library) mistakes(section string) []string {
	var wrong, seen []string
	for _, f := range l.Findings {
		if f.Check == "" || f.Where == "" || f.Why == "" || slices.Contains(seen, f.Check) {
			wrong = append(wrong, fmt.Sprintf("%+v: a row has a check that no other has, and says where and why", f))
		}
		seen = append(seen, f.Check)
	}
	if told := told(section); !slices.Equal(told, seen) {
		wrong = append(wrong, fmt.Sprintf("the page tells about %v, and the table has %v", told, seen))
	}
	return wrong
}

func (l *Library) checks() []string {
	ids := make([]string, len(l.Findings))
	for i, f := range l.Findings {
		ids[i] = f.Check
	}
	return ids
}
