package output

import (
	"errors"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

func TestReason(t *testing.T) {
	t.Parallel()
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
	again := registrationv1.IfNeededReinvocationPolicy
	type test struct {
		row
		match admission.Match
		want  string
	}
	rows := []test{
		{
			row:   row{"error", "what ended the request is the reason, wherever it happened"},
			match: admission.Match{Stage: admission.StageNamespaceSelector, Err: errors.New("not found")},
			want:  "not found",
		},
		{
			row:   row{"exempt kind", "no configuration could change it"},
			match: admission.Match{Stage: admission.StageExempt},
			want:  "requests for admission configuration itself are shown to static webhooks only",
		},
		{
			row:   row{"excluded resource", "no configuration could change it"},
			match: admission.Match{Stage: admission.StageExcluded},
			want:  "requests for this resource are never shown to webhooks",
		},
		{
			row: row{"namespaceSelector", "both sides of the comparison are shown"},
			match: admission.Match{
				Stage:   admission.StageNamespaceSelector,
				Webhook: &admission.Webhook{NamespaceSelector: selector},
				Seen:    &admission.Seen{NamespaceLabels: map[string]string{"a": "c"}},
			},
			want: "the namespace's labels {a=c} do not match a=b",
		},
		{
			row:   row{"no namespaceSelector", "an absent selector is not an empty one"},
			match: admission.Match{Stage: admission.StageNamespaceSelector, Webhook: &admission.Webhook{}},
			want:  "without a namespaceSelector no request is selected",
		},
		{
			row: row{"objectSelector", "a deleted object has old labels only"},
			match: admission.Match{
				Stage:   admission.StageObjectSelector,
				Webhook: &admission.Webhook{ObjectSelector: selector},
				Seen:    &admission.Seen{OldObjectLabels: map[string]string{"a": "c"}},
			},
			want: "the object's labels {a=c} do not match a=b",
		},
		{
			row:   row{"object without labels", "nothing seen reads as nothing, not as a crash"},
			match: admission.Match{Stage: admission.StageObjectSelector, Webhook: &admission.Webhook{ObjectSelector: selector}},
			want:  "the object's labels {} do not match a=b",
		},
		{
			row:   row{"no objectSelector", "an absent selector is not an empty one"},
			match: admission.Match{Stage: admission.StageObjectSelector, Webhook: &admission.Webhook{}},
			want:  "without an objectSelector no request is selected",
		},
		{
			row: row{"rules", "every rule had its own reason"},
			match: admission.Match{
				Stage: admission.StageRules,
				Seen:  &admission.Seen{RuleMisses: []admission.RulePart{admission.RuleOperations, admission.RuleResources}},
			},
			want: "no rule matches: rules[0] by its operations, rules[1] by its resources",
		},
		{
			row:   row{"no rules", "such a webhook is never called"},
			match: admission.Match{Stage: admission.StageRules},
			want:  "it has no rules",
		},
		{
			row: row{"false condition", "it is named, because there may be many"},
			match: admission.Match{
				Stage:      admission.StageConditions,
				Conditions: admission.Conditions{Verdict: admission.ConditionsFalse, Excluded: "c"},
			},
			want: `the condition "c" is false`,
		},
		{
			row: row{"failed conditions", "they skip a webhook only because its policy says so"},
			match: admission.Match{
				Stage:      admission.StageConditions,
				Conditions: admission.Conditions{Verdict: admission.ConditionsFailed, Err: errors.New("no such key")},
			},
			want: "the conditions cannot be evaluated, and failurePolicy is Ignore: no such key",
		},
		{
			row:   row{"called once and for all", "the policy is the reason, whatever happened to the object"},
			match: admission.Match{Stage: admission.StageReinvocation, Webhook: &admission.Webhook{}},
			want:  "its reinvocationPolicy is not IfNeeded",
		},
		{
			row:   row{"not due", "the policy would have allowed it"},
			match: admission.Match{Stage: admission.StageReinvocation, Webhook: &admission.Webhook{ReinvocationPolicy: &again}},
			want:  "nobody changed the object after it, or it was not called in the first round",
		},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		if got := Reason(&tc.match); got != tc.want {
			t.Errorf("got %q, want %q: %s", got, tc.want, tc.Why())
		}
	})
}
