package matching_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// when adds conditions, named c0, c1 and so on.
func when(expressions ...string) func(*admission.Webhook) {
	return func(w *admission.Webhook) {
		for _, e := range expressions {
			name := fmt.Sprintf("c%d", len(w.MatchConditions))
			w.MatchConditions = append(w.MatchConditions, registrationv1.MatchCondition{Name: name, Expression: e})
		}
	}
}

func failurePolicy(p registrationv1.FailurePolicyType) func(*admission.Webhook) {
	return func(w *admission.Webhook) { w.FailurePolicy = &p }
}

func ignoring(w *admission.Webhook) { failurePolicy(registrationv1.Ignore)(w) }

// conditionCase is a list of conditions and its verdict.
type conditionCase struct {
	row
	webhook *admission.Webhook
	ask     testRequest
	input   func(*input)
	want    conditionResult
}

// conditionResult is what a webhook's conditions gave. Err is their own error, while
// the verdict has what became of it.
type conditionResult struct {
	verdict
	Verdict  admission.Verdict
	Excluded string
	Errors   int
	Why      string
}

func runConditions(t *testing.T, cases []conditionCase) {
	t.Helper()
	testtable.Run(t, cases, func(t *testing.T, tc conditionCase) {
		edits := []func(*input){}
		if tc.input != nil {
			edits = append(edits, tc.input)
		}
		m := match(t.Context(), compile(tc.webhook), request(tc.ask, edits...))
		if diff := cmp.Diff(tc.want, conditionResultOf(t, &m), cmp.AllowUnexported(conditionResult{})); diff != "" {
			t.Errorf("conditions (-want +got):\n%s", diff)
		}
	})
}

func conditionResultOf(t *testing.T, m *admission.Match) conditionResult {
	t.Helper()
	j := conditionResult{
		verdict:  verdictOf(t, m),
		Verdict:  m.Conditions.Verdict,
		Excluded: m.Conditions.Excluded,
		Errors:   m.Conditions.Errors,
	}
	if m.Conditions.Err != nil {
		j.Why = m.Conditions.Err.Error()
	}
	return j
}

var (
	conditionsTrue  = conditionResult{verdict: passed, Verdict: admission.ConditionsTrue}
	conditionsFalse = conditionResult{verdict: stoppedAt(admission.StageConditions), Verdict: admission.ConditionsFalse, Excluded: "c0"}
)

// forbidden is the error of a request for the pod "n" whose conditions failed
// under the policy Fail.
func forbidden(v admission.Verdict, errors int, why string) conditionResult {
	return conditionResult{
		verdict: verdict{admission.StageConditions, 403, `pods "n" is forbidden: ` + why},
		Verdict: v,
		Errors:  errors,
		Why:     why,
	}
}
