package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// example has a check of every kind, at two webhooks.
func example() *Report {
	return &Report{
		Webhooks: []Webhook{{Name: "a"}, {Name: "b"}},
		Checks: []Check{
			{ID: "C-PASS", Level: Must}, {ID: "C-FAIL", Level: Must}, {ID: "C-WARN", Level: Should}, {ID: "C-SKIP", Level: Should}, {ID: "C-NONE", Level: Must},
		},
		Results: []Result{
			{Check: "C-PASS", Webhook: "a", Verdict: Skip, Message: "nothing was seen"},
			{Check: "C-PASS", Webhook: "b", Verdict: Pass, Message: "p99 1ms"},
			{Check: "C-FAIL", Webhook: "a", Verdict: Pass},
			{Check: "C-FAIL", Webhook: "b", Verdict: Fail, Findings: []Finding{{Sample: "CREATE pods/a", Message: "no"}, {Message: "no, again"}}},
			{Check: "C-WARN", Verdict: Fail, Findings: []Finding{{Message: "they fight"}}},
			{Check: "C-SKIP", Webhook: "a", Verdict: Skip}, {Check: "C-SKIP", Webhook: "b", Verdict: Skip},
		},
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	r := example()
	got := map[string]Verdict{}
	for _, c := range r.Checks {
		got[c.ID] = r.VerdictOf(c.ID)
	}
	want := map[string]Verdict{"C-PASS": Pass, "C-FAIL": Fail, "C-WARN": Fail, "C-SKIP": Skip, "C-NONE": Skip}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Tally{Passed: 1, Failed: 1, Warnings: 1, Skipped: 2}, r.Tally()); diff != "" {
		t.Errorf("tally (-want +got):\n%s", diff)
	}
	if must, should := r.Failed(Must), r.Failed(Should); len(must) != 1 || must[0].ID != "C-FAIL" || len(should) != 1 || should[0].ID != "C-WARN" {
		t.Errorf("failed: %v and %v", must, should)
	}
	if diff := cmp.Diff(r.Results[3:4], r.ResultsOf("C-FAIL", Fail), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

// TestConforms is what the exit status depends on.
func TestConforms(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		change func(*Report)
		want   bool
	}
	testtable.Run(t, []test{
		{row{"failed", "a must is one"}, func(*Report) {}, false},
		{row{"warned", "a should is none"}, func(r *Report) { r.Results[3].Verdict = Pass }, true},
		{row{"lowered", "a finding may weigh less than its check"}, func(r *Report) {
			r.Results[3].Findings[0].Level, r.Results[3].Findings[1].Level = Should, Should
		}, true},
		{row{"partly lowered", "the other finding weighs as much as ever"}, func(r *Report) { r.Results[3].Findings[0].Level = Should }, false},
		{row{"accepted", "the baseline has both"}, func(r *Report) {
			r.Results[3].Findings[0].Accepted, r.Results[3].Findings[1].Accepted = true, true
		}, true},
		{row{"more", "there is a new one among those without evidence"}, func(r *Report) {
			r.Results[3].Findings[0].Accepted, r.Results[3].Findings[1].Accepted = true, true
			r.Results[3].Rest = []Finding{{Message: "no, too"}}
		}, false},
		{row{"problem", "who was not looked at has not passed"}, func(r *Report) {
			r.Results[3].Verdict = Pass
			r.Webhooks[1].Problem = "it cannot be reached"
		}, false},
	}, func(t *testing.T, tc test) {
		r := example()
		tc.change(r)
		if got := r.Conforms(); got != tc.want {
			t.Errorf("%s: got %t", tc.Why(), got)
		}
		if tc.Name() == "problem" && (len(r.Problems()) != 1 || r.Problems()[0].Name != "b") {
			t.Errorf("problems: %v", r.Problems())
		}
	})
}

// TestTally counts accepted and lowered findings apart.
func TestTally(t *testing.T) {
	t.Parallel()
	r := example()
	r.Results[3].Findings[0].Level, r.Results[3].Findings[1].Accepted = Should, true
	r.Results[4].Findings[0].Accepted = true
	if diff := cmp.Diff(Tally{Passed: 1, Warnings: 1, Accepted: 1, Skipped: 2}, r.Tally()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMerged has one finding where one server says the same for several
// webhooks.
func TestMerged(t *testing.T) {
	t.Parallel()
	found := func(webhook, sample, message string) Result {
		return Result{Check: "C", Webhook: webhook, Verdict: Fail, Findings: []Finding{{Sample: sample, Message: message}}}
	}
	const one, other = "not 0b9a4e6e-6d5c-4a0a-9f6b-2f1f3c8f7a11", "not 7d0f1c52-88d1-4a0c-8a5e-5f2f1c7b9c3d"
	type test struct {
		row
		results []Result
		want    []string
	}
	testtable.Run(t, []test{
		{row{"same", "samples and uids differ anyway"}, []Result{found("a", "CREATE pods/a", one), found("b", "CREATE pods/b", other)}, []string{"a: CREATE pods/a, b"}},
		{row{"other message", "it is another finding"}, []Result{found("a", "", "no"), found("b", "", "no!")}, []string{"a: ", "b: "}},
		{row{"other server", "two servers have to be mended"}, []Result{found("a", "", "no"), found("x", "", "no")}, []string{"a: ", "x: "}},
		{row{"together", "it is about all webhooks as it is"}, []Result{found("", "", "no"), found("", "", "no")}, []string{": ", ": "}},
		{row{"passed", "there is nothing to share"}, []Result{{Check: "C", Webhook: "a", Verdict: Pass}, {Check: "C", Webhook: "b", Verdict: Pass}}, []string{"a", "b"}},
	}, func(t *testing.T, tc test) {
		r := &Report{Results: tc.results, Webhooks: []Webhook{
			{Name: "a", URL: "https://hooks.shop.svc:443/a"}, {Name: "b", URL: "https://hooks.shop.svc:443/b"}, {Name: "x", URL: "https://x.shop.svc:443/a"},
		}}
		var got []string
		for _, result := range r.Merged().Results {
			line := result.Webhook
			for _, f := range result.Findings {
				line += ": " + f.Sample
			}
			for _, name := range result.Also {
				line += ", " + name
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

func TestText(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		check, want string
	}
	testtable.Run(t, []test{
		{row{"notes", "they are of some webhook"}, "C-PASS", "a: nothing was seen\nb: p99 1ms\n"},
		{row{"findings", "each is a line, with its sample"}, "C-FAIL", "b: CREATE pods/a: no\nb: no, again\n"},
		{row{"together", "no webhook is to blame alone"}, "C-WARN", "they fight\n"},
		{row{"nothing", "there is nothing to say"}, "C-SKIP", ""},
	}, func(t *testing.T, tc test) {
		if diff := cmp.Diff(tc.want, example().Text(tc.check)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}
