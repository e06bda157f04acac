package explain

import (
	"encoding/json"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// hintRow is a case that no dispatch in the tests produces. Package dispatcher
// tests most hints.
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
		row:     row{"called", "the webhook was called"},
		webhook: Webhook{Called: true, Stage: stageRules},
	}, {
		row:     row{"unknown stage", "other tools may build Explanations"},
		webhook: Webhook{Stage: "lottery"},
	}, {
		row:     row{"broken object", "the recorded labels suffice"},
		webhook: Webhook{Stage: stageObjectSelector, Spec: Spec{ObjectSelector: selector, Rules: everyRule()}, Match: Match{ObjectLabels: map[string]string{"a": "c"}}},
		object:  `{"metadata"`, want: "the object has a=c, the objectSelector wants a=b",
	}, {
		row:     row{"broken object without evidence", "the hint says that the object cannot be read"},
		webhook: Webhook{Stage: stageObjectSelector, Spec: Spec{ObjectSelector: &metav1.LabelSelector{}, Rules: everyRule()}},
		object:  `{"metadata"`, want: "the object cannot be read: unexpected end of JSON input",
	}, {
		row:     row{"labels of another type", "the hint says that the object cannot be read"},
		webhook: Webhook{Stage: stageObjectSelector, Spec: Spec{ObjectSelector: &metav1.LabelSelector{}}},
		object:  `{"metadata":{"labels":{"a":7,"c":"d"}}}`,
		want:    "the object cannot be read: json: cannot unmarshal number into Go struct field .Metadata.Labels of type string",
	}, {
		row:     row{"spec of another type", "the recorded labels suffice"},
		webhook: Webhook{Stage: stageObjectSelector, Spec: Spec{ObjectSelector: selector}, Match: Match{ObjectLabels: map[string]string{"c": "d"}}},
		object:  `{"spec":"none","metadata":{"labels":{"c":"d"},"annotations":5}}`,
		want:    "the object lacks the label a=b",
	}, {
		row:     row{"contradicting records", "contradicting records give no hint"},
		webhook: Webhook{Stage: stageRules, Spec: Spec{Rules: everyRule()}},
	}, {
		row:     row{"out of budget", "S-149: the budget is that of all conditions"},
		webhook: Webhook{Stage: stageConditions, Match: Match{ConditionsError: "validation failed due to running out of cost budget, no further validation rules will be run"}},
		want: "validation failed due to running out of cost budget, no further validation rules will be run: " +
			"make it cheaper: bound what it iterates over, ask the authorizer less often",
	}, {
		row: row{"value of an expression", "values of the object are not shown"},
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

// TestAnalyzerReadsOnce wants an analyzer to decode a large object once for
// many webhooks.
func TestAnalyzerReadsOnce(t *testing.T) {
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

func TestLooksLike(t *testing.T) {
	t.Parallel()
	type pair struct {
		row
		a, b string
		want bool
	}
	testtable.Run(t, []pair{
		{row{"equal", "equal words are spelled correctly"}, "pods", "pods", false},
		{row{"case", "case is easily overlooked"}, "Pods", "pods", true},
		{row{"one letter", "one letter of a long word"}, "deployment", "deployments", true},
		{row{"swapped letters", "two letters of a long word"}, "deplyoments", "deployments", true},
		{row{"short words", "short words must be equal"}, "app", "apps", false},
		{row{"other words", "most letters differ"}, "nodes", "roles", false},
		{row{"other digits", "versions are no misspellings of each other"}, "v1beta1", "v1beta2", false},
		{row{"nothing", "the empty word is no misspelling"}, "", "pods", false},
		{row{"too long", "long words are not compared"}, strings.Repeat("a", 1000), strings.Repeat("a", 1001), false},
	}, func(t *testing.T, tc pair) {
		if got := looksLike(tc.a, tc.b); got != tc.want || looksLike(tc.b, tc.a) != tc.want {
			t.Errorf("resembles(%.20q, %.20q) = %v", tc.a, tc.b, got)
		}
	})
}
