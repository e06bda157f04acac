package cli

import (
	"errors"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
)

func TestReason(t *testing.T) {
	t.Parallel()
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
	again := registrationv1.IfNeededReinvocationPolicy
	rows := []struct {
		name, why string
		match     admission.Match
		want      string
	}{
		{
			name:  "error",
			why:   "what ended the request is the reason, wherever it happened",
			match: admission.Match{Stage: admission.StageNamespaceSelector, Err: errors.New("not found")},
			want:  "not found",
		},
		{
			name:  "exempt kind",
			why:   "no configuration could change it",
			match: admission.Match{Stage: admission.StageExempt},
			want:  "requests for admission configuration itself are never shown to webhooks",
		},
		{
			name:  "excluded resource",
			why:   "no configuration could change it",
			match: admission.Match{Stage: admission.StageExcluded},
			want:  "requests for this resource are never shown to webhooks",
		},
		{
			name: "namespaceSelector",
			why:  "both sides of the comparison are shown",
			match: admission.Match{
				Stage:   admission.StageNamespaceSelector,
				Webhook: &admission.Webhook{NamespaceSelector: selector},
				Seen:    &admission.Seen{NamespaceLabels: map[string]string{"a": "c"}},
			},
			want: "the namespace's labels {a=c} do not match a=b",
		},
		{
			name:  "no namespaceSelector",
			why:   "an absent selector is not an empty one",
			match: admission.Match{Stage: admission.StageNamespaceSelector, Webhook: &admission.Webhook{}},
			want:  "without a namespaceSelector no request is selected",
		},
		{
			name: "objectSelector",
			why:  "a deleted object has old labels only",
			match: admission.Match{
				Stage:   admission.StageObjectSelector,
				Webhook: &admission.Webhook{ObjectSelector: selector},
				Seen:    &admission.Seen{OldObjectLabels: map[string]string{"a": "c"}},
			},
			want: "the object's labels {a=c} do not match a=b",
		},
		{
			name:  "object without labels",
			why:   "nothing seen reads as nothing, not as a crash",
			match: admission.Match{Stage: admission.StageObjectSelector, Webhook: &admission.Webhook{ObjectSelector: selector}},
			want:  "the object's labels {} do not match a=b",
		},
		{
			name:  "no objectSelector",
			why:   "an absent selector is not an empty one",
			match: admission.Match{Stage: admission.StageObjectSelector, Webhook: &admission.Webhook{}},
			want:  "without an objectSelector no request is selected",
		},
		{
			name: "rules",
			why:  "every rule had its own reason",
			match: admission.Match{
				Stage: admission.StageRules,
				Seen:  &admission.Seen{RuleMisses: []admission.RulePart{admission.RuleOperations, admission.RuleResources}},
			},
			want: "no rule matches: rules[0] by its operations, rules[1] by its resources",
		},
		{
			name:  "no rules",
			why:   "such a webhook is never called",
			match: admission.Match{Stage: admission.StageRules},
			want:  "it has no rules",
		},
		{
			name: "false condition",
			why:  "it is named, because there may be many",
			match: admission.Match{
				Stage:      admission.StageConditions,
				Conditions: admission.Conditions{Verdict: admission.ConditionsFalse, Excluded: "c"},
			},
			want: `the condition "c" is false`,
		},
		{
			name: "failed conditions",
			why:  "they skip a webhook only because its policy says so",
			match: admission.Match{
				Stage:      admission.StageConditions,
				Conditions: admission.Conditions{Verdict: admission.ConditionsFailed, Err: errors.New("no such key")},
			},
			want: "the conditions cannot be evaluated, and failurePolicy is Ignore: no such key",
		},
		{
			name:  "called once and for all",
			why:   "the policy is the reason, whatever happened to the object",
			match: admission.Match{Stage: admission.StageReinvocation, Webhook: &admission.Webhook{}},
			want:  "its reinvocationPolicy is not IfNeeded",
		},
		{
			name:  "not due",
			why:   "the policy would have allowed it",
			match: admission.Match{Stage: admission.StageReinvocation, Webhook: &admission.Webhook{ReinvocationPolicy: &again}},
			want:  "nobody changed the object after it, or it was not called in the first round",
		},
	}
	names := map[string]bool{}
	for _, row := range rows {
		if row.why == "" || names[row.name] {
			t.Fatalf("row %q: every row needs a unique name and a reason", row.name)
		}
		names[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := reason(&row.match); got != row.want {
				t.Errorf("got %q, want %q: %s", got, row.want, row.why)
			}
		})
	}
}
