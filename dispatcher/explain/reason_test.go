package explain

import (
	"fmt"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// reasonRow has a webhook of a mutating round.
type reasonRow struct {
	row
	webhook Webhook
	request Request
	// round is the webhook's round; others are the other webhooks of both
	// rounds.
	round  int
	others []Webhook
	want   string
}

func TestReason(t *testing.T) {
	t.Parallel()
	testtable.Run(t, append(stageReasons(), conditionReasons()...), func(t *testing.T, tc reasonRow) {
		e := &Explanation{Request: tc.request, Rounds: []Round{
			{Phase: mutating, Webhooks: tc.others}, {Phase: mutating, Round: 1, Webhooks: append([]Webhook{tc.webhook}, tc.others...)},
		}}
		if got := newAnalyzer(e).reason(&e.Rounds[tc.round], &tc.webhook); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	})
}

func stageReasons() []reasonRow {
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
	again := string(registrationv1.IfNeededReinvocationPolicy)
	byObject := func(now, old map[string]string) Webhook {
		return Webhook{Stage: stageObjectSelector, Spec: Spec{ObjectSelector: selector}, Match: Match{ObjectLabels: now, OldObjectLabels: old}}
	}
	c, d := map[string]string{"a": "c"}, map[string]string{"a": "d"}
	return []reasonRow{
		{row: row{"called", "there is no reason for it"}, webhook: Webhook{Called: true, Stage: stageMatched}},
		{row: row{"error", "what ended the request is the reason, wherever it happened"}, webhook: Webhook{Stage: stageNamespaceSelector, Error: "not found"}, want: "not found"},
		{row: row{"exempt kind", "no configuration could change it"}, webhook: Webhook{Stage: stageExempt},
			want: "only static webhooks receive requests for admission configuration"},
		{row: row{"excluded resource", "no configuration could change it"}, webhook: Webhook{Stage: stageExcluded},
			want: "webhooks never receive requests for this resource"},
		{row: row{"namespaceSelector", "the reason shows labels and selector"},
			webhook: Webhook{Stage: stageNamespaceSelector, Spec: Spec{NamespaceSelector: selector}, Match: Match{NamespaceLabels: c}},
			want:    "the namespace's labels {a=c} do not match a=b"},
		{row: row{"no namespaceSelector", "an absent selector is not an empty one"}, webhook: Webhook{Stage: stageNamespaceSelector},
			want: "without a namespaceSelector no request is selected"},
		{row: row{"objectSelector", "the reason shows labels and selector"}, webhook: byObject(c, nil), want: "the object's labels {a=c} do not match a=b"},
		{row: row{"deleted object", "only the stored object has labels"}, webhook: byObject(nil, c), want: "the object's labels {a=c} do not match a=b"},
		{row: row{"updated object", "either object may match, so the reason shows both"}, webhook: byObject(c, d),
			want: "neither the object's labels {a=c} nor those of the stored one {a=d} match a=b"},
		{row: row{"object without labels", "absent labels are shown as {}"}, webhook: byObject(nil, nil), want: "the object's labels {} do not match a=b"},
		{row: row{"options", "options have no labels"}, webhook: byObject(nil, nil),
			request: Request{Operation: opConnect, Resource: metav1.GroupVersionResource{Resource: "pods"}, Subresource: "exec"},
			want:    "pods/exec has no labels, and the objectSelector wants a=b"},
		{row: row{"no objectSelector", "an absent selector is not an empty one"}, webhook: Webhook{Stage: stageObjectSelector},
			want: "without an objectSelector no request is selected"},
		{row: row{"rules", "the reason covers every rule"}, webhook: Webhook{Stage: stageRules, Match: Match{RuleMisses: []string{"operations", "resources"}}},
			want: "no rule matches: rules[0] by its operations, rules[1] by its resources"},
		{row: row{"rules without evidence", "the reason contains only what was recorded"}, webhook: Webhook{Stage: stageRules, Spec: Spec{Rules: make([]registrationv1.RuleWithOperations, 1)}},
			want: "no rule matches"},
		{row: row{"no rules", "such a webhook is never called"}, webhook: Webhook{Stage: stageRules}, want: "it has no rules"},
		{row: row{"not reinvocable", "the policy alone excludes it"}, webhook: Webhook{Stage: stageReinvocation},
			want: "its reinvocationPolicy is not IfNeeded"},
		{row: row{"not called before", "S-165: round 1 calls only webhooks of round 0"}, round: 1,
			webhook: Webhook{UID: "w", Stage: stageReinvocation, Spec: Spec{ReinvocationPolicy: again}}, others: []Webhook{{UID: "w"}},
			want: "it was not called in round 0, so never in round 1"},
		{row: row{"not due", "S-166: it received the current object"}, round: 1,
			webhook: Webhook{UID: "w", Stage: stageReinvocation, Spec: Spec{ReinvocationPolicy: again}}, others: []Webhook{{UID: "w", Called: true}},
			want: "nothing changed the object after it"},
		{row: row{"matched before an error", "S-190: the error of another webhook ends the request"}, round: 1, webhook: Webhook{Stage: stageMatched}, others: []Webhook{{Name: "other", Error: "broken"}},
			want: "it matched, but the request ended when other was matched"},
		{row: row{"matched too late", "the request's deadline may have passed"}, webhook: Webhook{Stage: stageMatched},
			want: "it matched, but the request ended before it could be called"},
		{row: row{"unknown stage", "other tools may build Explanations"}, webhook: Webhook{Stage: "lottery"}, want: "the reason is not known"},
	}
}

func conditionReasons() []reasonRow {
	with := func(conditions ...Condition) Webhook {
		return Webhook{Stage: stageConditions, Match: Match{Conditions: conditions}}
	}
	const ignored = "the conditions cannot be evaluated, and failurePolicy is Ignore: "
	broken := with(Condition{Name: "a", Value: new(false)})
	broken.Match.ConditionsError = "out of cost budget"
	return []reasonRow{
		{row: row{"false condition", "the reason names the condition"}, webhook: with(Condition{Name: "b", Value: new(true)}, Condition{Name: "c", Value: new(false)}),
			want: `the condition "c" is false`},
		{row: row{"error and false", "S-150: false wins over an error before it"}, webhook: with(Condition{Name: "b", Error: "e"}, Condition{Name: "c", Value: new(false)}),
			want: `the condition "c" is false`},
		{row: row{"failed condition", "failurePolicy Ignore skips the webhook"}, webhook: with(Condition{Name: "b", Error: "no such key"}),
			want: ignored + "no such key"},
		{row: row{"two that failed", "S-151: apimachinery's form of it"}, webhook: with(Condition{Error: "e"}, Condition{Error: "f"}, Condition{Error: "e"}),
			want: ignored + "[e, f]"},
		{row: row{"aborted", "S-149: earlier results do not count"}, webhook: broken, want: ignored + "out of cost budget"},
		{row: row{"aborted without evidence", "the reason contains only what was recorded"}, webhook: with(), want: ignored + "the evaluation did not finish"},
	}
}

// TestTextsAreBounded passes values that no API server accepts to all texts.
func TestTextsAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä\n", 100_000)
	labels, rules := map[string]string{long: long}, []registrationv1.RuleWithOperations{}
	var patch []Operation
	for i := range 5_000 {
		labels[fmt.Sprint(long[:10], i)] = long
		rules = append(rules, registrationv1.RuleWithOperations{
			Operations: make([]registrationv1.OperationType, 20),
			Rule:       registrationv1.Rule{APIGroups: []string{long}, APIVersions: []string{long}, Resources: []string{long, "pod" + fmt.Sprint(i)}},
		})
		patch = append(patch, Operation{Op: "add", Path: "/" + long[:20] + fmt.Sprint(i)})
	}
	selector := &metav1.LabelSelector{MatchLabels: labels, MatchExpressions: []metav1.LabelSelectorRequirement{{Key: long, Operator: "Is"}}}
	e := &Explanation{Request: Request{
		Operation: long, Namespace: long, Resource: metav1.GroupVersionResource{Group: long, Version: long, Resource: long}, Subresource: long,
		Object: []byte(`{"metadata":{"labels":7}}`), User: User{Name: long},
	}}
	e.Rounds = []Round{{Phase: mutating}, {Phase: mutating, Round: 1}}
	for i, stage := range []string{stageNamespaceSelector, stageObjectSelector, stageRules, stageConditions, stageReinvocation, stageMatched} {
		w := Webhook{
			Name: long, Configuration: long, UID: stage, Stage: stage, Position: i,
			Spec: Spec{Rules: rules, NamespaceSelector: selector, ObjectSelector: selector},
			Match: Match{
				NamespaceLabels: labels, ObjectLabels: labels, RuleMisses: make([]string, len(rules)),
				Conditions: []Condition{{Name: long, Expression: "request.userInfo.username" + long, Value: new(false)}, {Error: long}},
			},
		}
		called := w
		called.Called, called.Call = true, &Call{Mutated: true, Patch: patch}
		e.Rounds[0].Webhooks = append(e.Rounds[0].Webhooks, called)
		e.Rounds[1].Webhooks = append(e.Rounds[1].Webhooks, w)
	}
	const most = 5_000
	r := &e.Rounds[1]
	for i := range r.Webhooks {
		w := &r.Webhooks[i]
		for _, text := range []string{newAnalyzer(e).reason(r, w), newAnalyzer(e).hint(r, w), newAnalyzer(e).cause(r)} {
			if len(text) > most {
				t.Errorf("%s: %d bytes: %.200s…", w.Stage, len(text), text)
			}
		}
	}
}
