package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/expect"
	"example.com/gatehouse/internal/suite/process"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

const file = `apiVersion: gatehouse/v1alpha1
kind: AdmissionTest
configurations:
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingWebhookConfiguration
  metadata: {name: policy}
  webhooks:
  - name: policy.example.com
    clientConfig: {url: "https://127.0.0.1:1/"}
    rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}]
    sideEffects: None
    admissionReviewVersions: [v1]
cases:
- name: one
  request: {object: {apiVersion: v1, kind: Namespace, metadata: {name: a}}}
  expect:
    called: []
`

func loaded(t *testing.T) *suite.Suite {
	t.Helper()
	path := filepath.Join(t.TempDir(), "some.yaml")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	suites, err := suite.Load([]string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return suites[0]
}

func TestOf(t *testing.T) {
	t.Parallel()
	s := loaded(t)
	results := []*suite.SuiteResult{{
		Suite: s, Elapsed: 2 * time.Second, NotRun: make([]*suite.Case, 3), Printed: "no\n",
		Results: []*suite.Result{
			{Suite: s, Case: s.Cases[0], Elapsed: time.Second, Golden: "a.yaml"},
			{Suite: s, Case: s.Cases[0], Failures: []expect.Failure{
				{Field: "called", Want: "a", Got: "b", Text: "called: c"}, {Field: "golden", Path: "spec", Text: "golden: d"},
			}},
			{Suite: s, Case: s.Cases[0], Err: errors.New("cannot"), Failures: []expect.Failure{{Field: "called", Text: "called: c"}}},
		},
	}, {Suite: s, NotRun: make([]*suite.Case, 1), Err: errors.New("died")}}
	got := New(results)
	want := []Suite{{
		Name: "some", File: s.File, Seconds: 2, Printed: "no\n", NotRun: 3, Cases: []Case{
			{Name: "one", Line: 14, Status: Passed, Seconds: 1, Golden: "a.yaml"},
			{Name: "one", Line: 14, Status: Failed, Failures: []Failure{
				{Field: "called", Line: 17, Want: "a", Got: "b", Text: "called: c"}, {Field: "golden", Line: 16, Path: "spec", Text: "golden: d"},
			}},
			{Name: "one", Line: 14, Status: Error, Error: "cannot", Failures: []Failure{{Field: "called", Line: 17, Text: "called: c"}}},
		},
	}, {Name: "some", File: s.File, NotRun: 1, Error: "died", Cases: []Case{}}}
	if diff := cmp.Diff(want, got.Suites); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	sum := Summary{Suites: 2, Cases: 7, Passed: 1, Failed: 1, Errors: 1, NotRun: 4, Goldens: 1}
	if diff := cmp.Diff(sum, got.Summary); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.APIVersion != APIVersion || got.Kind != Kind {
		t.Errorf("it is a %s %s", got.APIVersion, got.Kind)
	}
}

// TestExplanation: what passed needs none.
func TestExplanation(t *testing.T) {
	t.Parallel()
	s := loaded(t)
	results, err := suite.Run(t.Context(), []*suite.Suite{s}, suite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := New(results).Suites[0].Cases[0]; c.Status != Passed || c.Explanation != nil {
		t.Errorf("got %+v", c)
	}
	results[0].Results[0].Failures = []expect.Failure{{Field: "called"}}
	if c := New(results).Suites[0].Cases[0]; c.Status != Failed || c.Explanation == nil || c.Explanation.Request.Name != "a" {
		t.Errorf("got %+v", c)
	}
}

func TestPrinted(t *testing.T) {
	t.Parallel()
	said := func(text string) error {
		return fmt.Errorf("webhooks[0].exec: %w", &process.Error{Err: errors.New("it ended"), Printed: text})
	}
	type test struct {
		row
		result suite.SuiteResult
		want   string
	}
	testtable.Run(t, []test{
		{row{"passed", "the output does not matter"}, suite.SuiteResult{Printed: "a\n"}, ""},
		{row{"failed", "it may be the reason"}, suite.SuiteResult{Printed: "a\n", NotRun: make([]*suite.Case, 1)}, "a\n"},
		{row{"not started", "the error alone has it"}, suite.SuiteResult{Err: said("a\n")}, "a\n"},
		{row{"several not started", "all of it counts"}, suite.SuiteResult{Err: errors.Join(errors.Join(said("a\n"), said("b\n")), errors.New("x"))}, "a\nb\n"},
		{row{"did not last", "it is not said twice"}, suite.SuiteResult{Err: said("a\n"), Printed: "a\n"}, "a\n"},
		{row{"another error", "nothing was printed"}, suite.SuiteResult{Err: errors.New("x")}, ""},
	}, func(t *testing.T, tc test) {
		if got := Printed(&tc.result); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.Why(), got, tc.want)
		}
	})
}
