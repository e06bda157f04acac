package check

import (
	"testing"

	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestSkip(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		see     func(*Record)
		verdict report.Verdict
		message string
	}
	testtable.Run(t, []test{
		{row{"nothing seen", "it says what Lacks would"}, func(*Record) {}, report.Skip, "the ledger 1 is gone"},
		{row{"seen", "what was good until then is no pass"}, (*Record).Checked, report.Skip, "the ledger 1 is gone"},
		{row{"found", "what is wrong stays wrong"}, func(r *Record) { r.Add(Finding{}, "no") }, report.Fail, ""},
	}, func(t *testing.T, tc test) {
		r := &Record{}
		tc.see(r)
		r.Skip("the ledger %d is gone", 1)
		if got := r.Result(&Check{}, ""); got.Verdict != tc.verdict || got.Message != tc.message {
			t.Errorf("got %s: %q, want %s: %q", got.Verdict, got.Message, tc.verdict, tc.message)
		}
	})
}
