package baseline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// found has three findings at two webhooks, of which one was not examined by
// C-B.
func found() *report.Report {
	return &report.Report{
		Checks: []report.Check{{ID: "C-A"}, {ID: "C-B"}},
		Results: []report.Result{
			{Check: "C-A", Webhook: "z", Verdict: report.Fail, Findings: []report.Finding{
				{Sample: "CREATE pods/b", Message: "one", Paths: []string{"spec.x"}},
			}, Rest: []report.Finding{{Sample: "CREATE pods/a", Message: "two"}, {Sample: "CREATE pods/a", Message: "three"}}},
			{Check: "C-A", Webhook: "a", Verdict: report.Pass},
			{Check: "C-B", Webhook: "z", Verdict: report.Skip},
			{Check: "C-B", Webhook: "a", Verdict: report.Fail, Findings: []report.Finding{{Message: "four"}}},
		},
	}
}

const written = head + `apiVersion: gatehouse/v1alpha1
findings:
- check: C-B
  webhook: a
- check: C-A
  sample: CREATE pods/a
  webhook: z
- check: C-A
  paths:
  - spec.x
  sample: CREATE pods/b
  webhook: z
kind: ConformanceBaseline
`

// TestFile is sorted, has nothing twice, and is read as it was written.
func TestFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "baseline.yaml")
	var none *Baseline
	b := none.Update(found())
	if err := b.Write(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if diff := cmp.Diff(written, string(text)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	read, err := Read(path)
	if diff := cmp.Diff(b, read); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestApply accepts what is known, and tells what is gone.
func TestApply(t *testing.T) {
	t.Parallel()
	gone := Finding{Check: "C-A", Webhook: "a", Sample: "CREATE pods/a"}
	b := &Baseline{Findings: []Finding{
		{Check: "C-B", Webhook: "a"}, {Check: "C-A", Webhook: "z", Sample: "CREATE pods/b"}, gone,
		{Check: "C-B", Webhook: "z"}, {Check: "C-C", Webhook: "a"}, {Check: "C-A", Webhook: "removed"},
	}}
	r := found()
	got := b.Apply(r)
	want := []Finding{{Check: "C-A", Webhook: "z", Sample: "CREATE pods/b"}, gone, {Check: "C-A", Webhook: "removed"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("gone (-want +got):\n%s", diff)
	}
	if r.Results[0].Findings[0].Accepted || !r.Results[3].Findings[0].Accepted {
		t.Error("want the finding with other paths new, and that of C-B accepted")
	}
}

// TestUpdate keeps what a run did not look for.
func TestUpdate(t *testing.T) {
	t.Parallel()
	b := &Baseline{Findings: []Finding{{Check: "C-B", Webhook: "z"}, {Check: "C-C", Webhook: "a"}, {Check: "C-A", Webhook: "a"}}}
	var got []string
	for _, f := range b.Update(found()).Findings {
		got = append(got, f.Webhook+" "+f.Check+" "+f.Sample)
	}
	want := []string{"a C-B ", "a C-C ", "z C-A CREATE pods/a", "z C-A CREATE pods/b", "z C-B "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRead rejects what is no baseline.
func TestRead(t *testing.T) {
	t.Parallel()
	const good = "apiVersion: gatehouse/v1alpha1\nkind: ConformanceBaseline\n"
	type test struct {
		row
		text, want string
	}
	testtable.Run(t, []test{
		{row{"empty", "it accepts nothing, and says so"}, "", "baseline.yaml: there is no ConformanceBaseline in it"},
		{row{"version", "it is that of a later gatehouse"}, "apiVersion: gatehouse/v2\nkind: ConformanceBaseline\n",
			"baseline.yaml: document 1 (line 2): kind: it is a ConformanceBaseline of gatehouse/v2: want a ConformanceBaseline of gatehouse/v1alpha1"},
		{row{"kind", "it is another file"}, "apiVersion: v1\nkind: Pod\n",
			"baseline.yaml: document 1 (line 2): kind: it is a Pod of v1: want a ConformanceBaseline of gatehouse/v1alpha1"},
		{row{"unknown field", "it is misspelt"}, good + "findings:\n- check: C-A\n  webhok: a\n",
			`baseline.yaml: document 1 (line 5): unknown field "findings[0].webhok"`},
		{row{"no check", "it would accept anything"}, good + "findings:\n- webhook: a\n",
			"baseline.yaml: document 1 (line 4): findings[0].check: required"},
		{row{"two", "which of them is meant?"}, good + "---\n" + good, "baseline.yaml: document 2 (line 4): a baseline is one document"},
	}, func(t *testing.T, tc test) {
		path := filepath.Join(t.TempDir(), "baseline.yaml")
		if err := os.WriteFile(path, []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(path)
		if got := strings.ReplaceAll(testtable.Text(err), filepath.Dir(path)+"/", ""); got != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.Why(), got, tc.want)
		}
	})
}
