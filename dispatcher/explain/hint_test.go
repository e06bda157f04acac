package explain

import (
	"encoding/json"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// hintRow is what no dispatch of the tests comes to: most hints are tested together with
// it, in package dispatcher.
type hintRow struct {
	row
	webhook Webhook
	object  string
	want    string
}

func TestHint(t *testing.T) {
	t.Parallel()
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
	wants := metav1.GroupVersionResource{Version: "v1", Resource: "pods"}
	testtable.Run(t, []hintRow{{
		row:     row{"called", "there is nothing to change"},
		webhook: Webhook{Called: true, Stage: stageRules},
	}, {
		row:     row{"unknown stage", "an Explanation may have been made by somebody else"},
		webhook: Webhook{Stage: "lottery"},
	}, {
		row:     row{"broken object", "labels were recorded, so that it is not needed"},
		webhook: Webhook{Stage: stageObjectSelector, Spec: Spec{ObjectSelector: selector, Rules: everyRule()}, Match: Match{ObjectLabels: map[string]string{"a": "c"}}},
		object:  `{"metadata"`, want: "the object has a=c, the objectSelector wants a=b",
	}, {
		row:     row{"broken object without evidence", "what cannot be read says so in its place"},
		webhook: Webhook{Stage: stageObjectSelector, Spec: Spec{ObjectSelector: &metav1.LabelSelector{}, Rules: everyRule()}},
		object:  `{"metadata"`, want: "the object cannot be read: unexpected end of JSON input",
	}, {
		row:     row{"labels of another type", "nothing is claimed about what cannot be read"},
		webhook: Webhook{Stage: stageNamespaceSelector, Spec: Spec{ObjectSelector: selector, Rules: everyRule()}},
		object:  `{"metadata":{"labels":{"a":7,"c":"d"}}}`,
		want:    absentSelectorHint(stageNamespaceSelector),
	}, {
		row:     row{"spec of another type", "labels can be read all the same"},
		webhook: Webhook{Stage: stageNamespaceSelector, Spec: Spec{ObjectSelector: selector, Rules: everyRule()}},
		object:  `{"spec":"none","metadata":{"labels":{"c":"d"},"annotations":5}}`,
		want:    absentSelectorHint(stageNamespaceSelector) + "; and then the object lacks the label a=b",
	}, {
		row:     row{"evidence against itself", "no hint is better than a wrong one"},
		webhook: Webhook{Stage: stageRules, Spec: Spec{Rules: everyRule()}},
	}, {
		row:     row{"out of budget", "S-149: no condition is to blame alone"},
		webhook: Webhook{Stage: stageConditions, Match: Match{ConditionsError: "validation failed due to running out of cost budget, no further validation rules will be run"}},
		want: "validation failed due to running out of cost budget, no further validation rules will be run: " +
			"make it cheaper: bound what it iterates over, ask the authorizer less often",
	}, {
		row: row{"value of an expression", "an object may be secret, a request is not"},
		webhook: Webhook{Stage: stageConditions, Match: Match{Conditions: []Condition{
			{Name: "c", Expression: "request.resource.resource.size() > 9 &&\n  object.data.token == 'x'", Value: new(false)},
		}}},
		object: `{"data":{"token":"hush"}}`,
		want:   `"c" has to be true: request.resource.resource.size() > 9 && object.data.token == 'x' (request.resource.resource is "pods")`,
	}}, func(t *testing.T, tc hintRow) {
		e := &Explanation{
			Request: Request{Operation: opCreate, Resource: wants, Namespace: "ns", Object: json.RawMessage(tc.object)},
			Rounds:  []Round{{Phase: mutating, Webhooks: []Webhook{tc.webhook}}},
		}
		if got := newAnalyzer(e).hint(&e.Rounds[0], &e.Rounds[0].Webhooks[0]); got != tc.want {
			t.Errorf("got  %q\nwant %q", got, tc.want)
		}
	})
}

func everyRule() []registrationv1.RuleWithOperations {
	every := []string{"*"}
	return []registrationv1.RuleWithOperations{{
		Operations: []registrationv1.OperationType{"*"},
		Rule:       registrationv1.Rule{APIGroups: every, APIVersions: every, Resources: every},
	}}
}

// TestAdvisorReadsOnce has one advisor look at a large object for many webhooks.
func TestAdvisorReadsOnce(t *testing.T) {
	t.Parallel()
	const webhooks = 2_000
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
	e := &Explanation{
		Request: Request{Operation: opCreate, Object: json.RawMessage(`{"data":"` + strings.Repeat("x", 3<<20) + `","metadata":{}}`)},
		Rounds:  []Round{{Phase: mutating}},
	}
	r := &e.Rounds[0]
	for i := range webhooks {
		r.Webhooks = append(r.Webhooks, Webhook{Stage: stageObjectSelector, Position: i, Spec: Spec{ObjectSelector: selector, Rules: everyRule()}})
	}
	a := newAnalyzer(e)
	first := a.hint(r, &r.Webhooks[0])
	read := a.sent
	for i := range r.Webhooks {
		if hint := a.hint(r, &r.Webhooks[i]); hint != first || a.sent != read {
			t.Fatalf("webhook %d: %q, the first was %q; read again: %v", i, hint, first, a.sent != read)
		}
	}
	if first == "" || read == nil {
		t.Errorf("nothing was read: %q", first)
	}
}

func TestResembles(t *testing.T) {
	t.Parallel()
	type pair struct {
		row
		a, b string
		want bool
	}
	testtable.Run(t, []pair{
		{row{"equal", "what is right is no mistake"}, "pods", "pods", false},
		{row{"case", "the eye does not see it"}, "Pods", "pods", true},
		{row{"one letter", "in a word of some length"}, "deployment", "deployments", true},
		{row{"swapped letters", "these are two"}, "deplyoments", "deployments", true},
		{row{"short words", "a letter makes all the difference"}, "app", "apps", false},
		{row{"other words", "they have the length in common"}, "nodes", "roles", false},
		{row{"other digits", "v1beta1 is no mistake for v1beta2"}, "v1beta1", "v1beta2", false},
		{row{"nothing", "it is not meant to be anything"}, "", "pods", false},
		{row{"endless", "nobody meant that"}, strings.Repeat("a", 1000), strings.Repeat("a", 1001), false},
	}, func(t *testing.T, tc pair) {
		if got := looksLike(tc.a, tc.b); got != tc.want || looksLike(tc.b, tc.a) != tc.want {
			t.Errorf("resembles(%.20q, %.20q) = %v", tc.a, tc.b, got)
		}
	})
}
