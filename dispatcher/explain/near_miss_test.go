package explain

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestNearMiss asks about a CREATE of pods.
func TestNearMiss(t *testing.T) {
	t.Parallel()
	rule := func(operation registrationv1.OperationType, group, version, resource string) []registrationv1.RuleWithOperations {
		return []registrationv1.RuleWithOperations{{
			Operations: []registrationv1.OperationType{operation},
			Rule:       registrationv1.Rule{APIGroups: []string{group}, APIVersions: []string{version}, Resources: []string{resource}},
		}}
	}
	skipped := func(stage string, rules []registrationv1.RuleWithOperations, conditions ...bool) Webhook {
		w := Webhook{Stage: stage, Spec: Spec{Rules: rules}}
		for i := range conditions {
			w.Match.Conditions = append(w.Match.Conditions, Condition{Value: &conditions[i]})
		}
		return w
	}
	type test struct {
		row
		webhook Webhook
		near    bool
	}
	pods := rule("CREATE", "", "v1", "pods")
	testtable.Run(t, []test{
		{row{"namespace", "the rule matches"}, skipped(stageNamespaceSelector, pods), true},
		{row{"object", "the rule matches"}, skipped(stageObjectSelector, pods), true},
		{row{"selector and rule", "two things are missing"}, skipped(stageObjectSelector, rule("CREATE", "", "v1", "secrets")), false},
		{row{"selector without a rule", "it is for nothing"}, skipped(stageObjectSelector, nil), false},
		{row{"operation", "the resource is right"}, skipped(stageRules, rule("DELETE", "", "v1", "pods")), true},
		{row{"version", "the resource is right"}, skipped(stageRules, rule("CREATE", "", "v1beta1", "pods")), true},
		{row{"group", "it is written as a group often is"}, skipped(stageRules, rule("CREATE", "core", "v1", "pods")), true},
		{row{"all of another group", "it is for something else"}, skipped(stageRules, rule("CREATE", "apps", "v1", "*")), false},
		{row{"another resource", "it is for something else"}, skipped(stageRules, rule("CREATE", "", "v1", "secrets")), false},
		{row{"kind for a resource", "pods were meant"}, skipped(stageRules, rule("CREATE", "", "v1", "Pod")), true},
		{row{"subresource", "pods were meant"}, skipped(stageRules, rule("CREATE", "", "v1", "pods/exec")), true},
		{row{"two parts", "two things are missing"}, skipped(stageRules, rule("DELETE", "", "v1beta1", "pods")), false},
		{row{"one condition", "the others are true"}, skipped(stageConditions, pods, true, false), true},
		{row{"two conditions", "two things are missing"}, skipped(stageConditions, pods, false, true, false), false},
		{row{"reinvocation", "everything else matches"}, skipped(stageReinvocation, pods), true},
		{row{"exempt", "no webhook is called for these"}, skipped(stageExempt, pods), false},
	}, func(t *testing.T, tc test) {
		e := &Explanation{Request: requestOfAnn(nil), Rounds: []Round{{Phase: validating, Webhooks: []Webhook{tc.webhook}}}}
		if got := newAnalyzer(e).nearMiss(&e.Rounds[0].Webhooks[0]); got != tc.near {
			t.Errorf("got %t", got)
		}
	})
}
