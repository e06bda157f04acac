package conformance

import (
	"fmt"
	"strings"
	"testing"

	"example.com/gatehouse/internal/conformance/report"
)

// Test checks the webhooks of a Subject in a Go test. Each check is a subtest,
// named by its ID. A failed Must fails the subtest, a failed Should is logged,
// and a skipped check is a skipped subtest. For a failed check, Test prints the
// title and level, the effect, how to correct the webhook, and a link. If the
// Subject is invalid, Test ends the test. If a webhook cannot be checked, the
// test fails.
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
	r = r.Merged()
	for _, c := range r.Checks {
		t.Run(c.ID, func(t *testing.T) { reportCheck(t, r, c) })
	}
}

// reportCheck logs the result of one check. For a failed check, it adds how to
// correct the webhook.
func reportCheck(t *testing.T, r *report.Report, c report.Check) {
	t.Helper()
	text := strings.TrimSpace(r.Text(c.ID))
	verdict, severity := r.VerdictOf(c.ID), r.Severity(&c)
	if verdict == report.Fail {
		text = fmt.Sprintf("%s (%s): %s\n%s\nwhy: %s\nfix: %s\nsee: %s",
			c.ID, severity, c.Title, text, c.Why, c.Fix, c.Link)
	}
	switch {
	case verdict == report.Skip:
		t.Skip(text)
	case severity == report.Must:
		t.Error(text)
	case text != "":
		t.Log(text)
	}
}
