package conformance

import (
	"strings"
	"testing"

	"example.com/gatehouse/internal/conformance/report"
)

// Test checks the webhooks of a Subject in a Go test. Each check is a subtest,
// named by its ID. A failed Must fails the subtest, a failed Should is logged,
// and a skipped check is a skipped subtest. A mistake in the Subject ends the
// test; a webhook that cannot be checked fails it.
func Test(t *testing.T, s Subject) {
	t.Helper()
	if s.Log == nil {
		s.Log = t.Output()
	}
	r, err := Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range r.Problems() {
		t.Errorf("%s: %s", w.Name, w.Problem)
	}
	for _, c := range r.Checks {
		t.Run(c.ID, func(t *testing.T) { reportCheck(t, r, c) })
	}
}

// reportCheck logs the result of one check.
func reportCheck(t *testing.T, r *report.Report, c report.Check) {
	t.Helper()
	text := strings.TrimSpace(r.Text(c.ID))
	switch {
	case r.VerdictOf(c.ID) == report.Skip:
		t.Skip(text)
	case r.VerdictOf(c.ID) == report.Fail && c.Level == report.Must:
		t.Error(text)
	case text != "":
		t.Log(text)
	}
}
