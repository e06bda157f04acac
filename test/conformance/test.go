package conformance

import (
	"strings"
	"testing"

	"example.com/gatehouse/internal/conformance/report"
)

// Test looks at the webhooks of a Subject in a Go test. Each check is a subtest, named by
// its ID. It fails if it is a Must; a Should that fails is logged. Checks that had nothing
// to look at are skipped. The test ends if there is a mistake in the Subject, or if a
// webhook cannot be looked at.
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
		t.Run(c.ID, func(t *testing.T) { judge(t, r, c) })
	}
}

// judge makes the verdict of one check that of a test.
func judge(t *testing.T, r *report.Report, c report.Check) {
	t.Helper()
	text := strings.TrimSpace(r.Text(c.ID))
	switch {
	case r.Of(c.ID) == report.Skip:
		t.Skip(text)
	case r.Of(c.ID) == report.Fail && c.Level == report.Must:
		t.Error(text)
	case text != "":
		t.Log(text)
	}
}
