package conformance

import (
	"strings"
	"testing"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/conformance/baseline"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestNewFinding: all formats show the only new finding, also if it comes after more
// accepted ones than a report shows.
func TestNewFinding(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		write func(*report.Report) ([]byte, error)
	}
	testtable.Run(t, []test{
		{row{"text", "a user reads it in a terminal"},
			func(r *report.Report) ([]byte, error) { return textOf(r, false, command.Palette{}), nil }},
		{row{"json", "a script looks for it"}, jsonOf},
		{row{"sarif", "a code host shows it"}, func(r *report.Report) ([]byte, error) { return sarifOf(r, nil) }},
		{row{"junit", "a build server shows it"}, junitOf},
	}, func(t *testing.T, tc test) {
		r := &report.Report{
			Checks:   []report.Check{{ID: "C-A", Level: report.Must}},
			Webhooks: []report.Webhook{{Name: "w"}},
			Results: []report.Result{{
				Check: "C-A", Webhook: "w", Verdict: report.Fail, More: 2,
				Findings: []report.Finding{{Sample: "a", Message: "old"}, {Sample: "b", Message: "old"}},
				Rest:     []report.Finding{{Sample: "c", Message: "old"}, {Sample: "d", Message: "the new one"}},
			}},
		}
		known := &baseline.Baseline{}
		for _, sample := range []string{"a", "b", "c"} {
			known.Findings = append(known.Findings, baseline.Finding{Check: "C-A", Webhook: "w", Sample: sample})
		}
		if gone := known.Apply(r); gone != nil {
			t.Fatalf("got %v, which are not gone", gone)
		}
		out, err := tc.write(r)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(out), "the new one") {
			t.Errorf("%s: the new finding is not in\n%s", tc.Why(), out)
		}
	})
}
