package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// lines returns a record as text.
func lines(all records) string {
	var text strings.Builder
	for _, p := range all {
		fmt.Fprintf(&text, "%s %s: round %d index %d: %s %v\n", p.Phase, p.Name, p.Match.Round, p.Match.Index, p.Match.Stage, p.Err)
		for _, b := range p.Bindings {
			fmt.Fprintf(&text, "  %s: %s %v params %q %v\n", b.Name, b.Match.Stage, b.Err, b.Params, b.Actions)
			for _, e := range b.Evaluations {
				write(&text, e)
			}
		}
	}
	return text.String()
}

func write(text *strings.Builder, e *admission.PolicyEvaluation) {
	for _, x := range e.Expressions {
		fmt.Fprintf(text, "    %s = %s %v cost %d\n", x.Field, x.Value, x.Err, x.Cost)
	}
	fmt.Fprintf(text, "    conditions %s %q %v\n", map[admission.Verdict]string{
		0: "none", admission.ConditionsTrue: "true", admission.ConditionsFalse: "false", admission.ConditionsFailed: "failed",
	}[e.Conditions], e.Excluded, e.Err)
	for _, d := range e.Decisions {
		fmt.Fprintf(text, "    denied %t failed %t %q %s\n", d.Denied, d.Failed, d.Message, d.Reason)
	}
	for _, a := range e.Annotations {
		fmt.Fprintf(text, "    annotation %s=%s\n", a.Key, a.Value)
	}
	for _, m := range e.Mutations {
		fmt.Fprintf(text, "    mutation %d %v: %v to %v\n", m.Index, m.Err, labelsOf(m.Before), afterOf(m))
	}
}

func afterOf(m admission.PolicyMutation) any {
	if m.After == nil {
		return "nothing"
	}
	return labelsOf(m.After)
}

// TestRecords: each policy leaves a record of what it did, or why it did not.
func TestRecords(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		policies []runtime.Object
		want     string
	}
	spec := func(change func(*registrationv1.ValidatingAdmissionPolicySpec)) []runtime.Object {
		return validating("v", func(p *registrationv1.ValidatingAdmissionPolicy) { change(&p.Spec) })
	}
	testtable.Run(t, []test{
		{testtable.Row{"denied", "each expression has its value and its cost"},
			spec(func(s *registrationv1.ValidatingAdmissionPolicySpec) {
				s.Variables = []registrationv1.Variable{{Name: "name", Expression: "object.metadata.name"}}
				s.MatchConditions = []registrationv1.MatchCondition{{Name: "named", Expression: "variables.name != ''"}}
				s.Validations = []registrationv1.Validation{
					{Expression: "true"},
					{Expression: "variables.name != 'web'", MessageExpression: "'not ' + variables.name",
						Reason: new(metav1.StatusReasonForbidden)},
				}
				s.AuditAnnotations = []registrationv1.AuditAnnotation{{Key: "who", ValueExpression: "request.userInfo.username"}}
			}), `validating v: round 0 index 0: matched <nil>
  v-binding: matched <nil> params [""] [Deny]
    variables[0].expression = "web" <nil> cost 3
    matchConditions[0].expression = true <nil> cost 2
    validations[0].expression = true <nil> cost 0
    variables[0].expression = "web" <nil> cost 3
    validations[1].expression = false <nil> cost 3
    variables[0].expression = "web" <nil> cost 3
    validations[1].messageExpression = "not web" <nil> cost 3
    auditAnnotations[0].valueExpression = "jane" <nil> cost 3
    conditions true "" <nil>
    denied false failed false "" 
    denied true failed false "not web" Forbidden
    annotation who=jane
`},
		{testtable.Row{"excluded", "the condition that was false is named"},
			spec(func(s *registrationv1.ValidatingAdmissionPolicySpec) {
				s.MatchConditions = []registrationv1.MatchCondition{
					{Name: "yes", Expression: "true"}, {Name: "no", Expression: "false"}}
			}), `validating v: round 0 index 0: matched <nil>
  v-binding: matched <nil> params [""] [Deny]
    matchConditions[0].expression = true <nil> cost 0
    matchConditions[1].expression = false <nil> cost 0
    conditions false "no" <nil>
`},
		{testtable.Row{"failed", "an error of an expression is in the record"},
			spec(func(s *registrationv1.ValidatingAdmissionPolicySpec) {
				s.MatchConditions = []registrationv1.MatchCondition{{Name: "fails", Expression: "1 / 0 == 1"}}
			}), `validating v: round 0 index 0: matched <nil>
  v-binding: matched <nil> params [""] [Deny]
    matchConditions[0].expression =  division by zero cost 2
    conditions failed "" expression '1 / 0 == 1' resulted in error: division by zero
    denied true failed true "expression '1 / 0 == 1' resulted in error: division by zero" 
`},
		{testtable.Row{"rules", "they do not match"},
			spec(func(s *registrationv1.ValidatingAdmissionPolicySpec) { s.MatchConstraints = matching("secrets") }),
			"validating v: round 0 index 0: rules <nil>\n"},
		{testtable.Row{"excludeResourceRules", "they stop what the rules match"},
			spec(func(s *registrationv1.ValidatingAdmissionPolicySpec) {
				s.MatchConstraints.ExcludeResourceRules = s.MatchConstraints.ResourceRules
			}), "validating v: round 0 index 0: rules <nil>\n"},
		{testtable.Row{"resourceNames", "the name is not among them"},
			spec(func(s *registrationv1.ValidatingAdmissionPolicySpec) {
				s.MatchConstraints.ResourceRules[0].ResourceNames = []string{"db"}
			}), "validating v: round 0 index 0: rules <nil>\n"},
		{testtable.Row{"namespaceSelector", "it does not select the namespace"},
			spec(func(s *registrationv1.ValidatingAdmissionPolicySpec) {
				s.MatchConstraints.NamespaceSelector.MatchLabels = map[string]string{"team": "buyers"}
			}), "validating v: round 0 index 0: namespaceSelector <nil>\n"},
		{testtable.Row{"no selector", "kube-apiserver cannot match without one"},
			spec(func(s *registrationv1.ValidatingAdmissionPolicySpec) { s.MatchConstraints.ObjectSelector = nil }),
			"validating v: round 0 index 0: rules a nil object selector was passed, please ensure selectors are initialized properly\n"},
		{testtable.Row{"params kind", "there is no such kind"},
			spec(func(s *registrationv1.ValidatingAdmissionPolicySpec) {
				s.ParamKind = &registrationv1.ParamKind{APIVersion: "example.com/v1", Kind: "Limit"}
			}), "validating v: round 0 index 0: matched failed to find resource referenced by paramKind: 'example.com/v1, Kind=Limit'\n"},
		{testtable.Row{"no binding", "the policy does nothing"},
			spec(func(*registrationv1.ValidatingAdmissionPolicySpec) {})[:1],
			"validating v: round 0 index 0: matched <nil>\n"},
		{testtable.Row{"mutations", "each has the object before and after it"},
			mutating("m", matching("pods"), labelling("a", "'1'"), labelling("b", "object.metadata.labels.a")),
			`mutating m: round 0 index 0: matched <nil>
  m-binding: matched <nil> params [""] []
    mutations[0].jsonPatch.expression = [{"op":"add","path":"/metadata/labels/a","value":"1"}] <nil> cost 50
    mutations[1].jsonPatch.expression = [{"op":"add","path":"/metadata/labels/b","value":"1"}] <nil> cost 54
    conditions none "" <nil>
    mutation 0 <nil>: map[app:web] to map[a:1 app:web]
    mutation 1 <nil>: map[a:1 app:web] to map[a:1 app:web b:1]
`},
		{testtable.Row{"values", "maps and lists of CEL are shown as JSON"},
			mutating("m", matching("pods"), `[JSONPatch{op: "add", path: "/spec/tolerations", value: [{"key": "a"}]},
				JSONPatch{op: "add", path: "/metadata/labels", value: {"a": object.metadata.labels["app"]}},
				JSONPatch{op: "add", path: "/spec/nodeName", value: null},
				JSONPatch{op: "add", path: "/spec/affinity", value: Object.spec.affinity{podAffinity: Object.spec.affinity.podAffinity{}}}]`),
			`mutating m: round 0 index 0: matched <nil>
  m-binding: matched <nil> params [""] []
    mutations[0].jsonPatch.expression = [{"op":"add","path":"/spec/tolerations","value":[{"key":"a"}]},` +
				`{"op":"add","path":"/metadata/labels","value":{"a":"web"}},{"op":"add","path":"/spec/nodeName"},` +
				`{"op":"add","path":"/spec/affinity","value":{"podAffinity":{}}}] <nil> cost 284
    conditions none "" <nil>
    mutation 0 <nil>: map[app:web] to map[a:web]
`},
		{testtable.Row{"failed mutation", "the object does not change"},
			mutating("m", matching("pods"), labelling("a", "string(1 / 0)")),
			`mutating m: round 0 index 0: matched <nil>
  m-binding: matched <nil> params [""] []
    mutations[0].jsonPatch.expression =  division by zero cost 52
    conditions none "" <nil>
    mutation 0 expression '[JSONPatch{op: 'add', path: '/metadata/labels/a', value: string(1 / 0)}]' resulted in error: division by zero: map[app:web] to nothing
`},
	}, func(t *testing.T, tc test) {
		e := newEvaluator(t, nil, tc.policies...)
		var all records
		a := pod()
		mutated := e.Admit(t.Context(), a, objects(), &all)
		validated := e.Validate(t.Context(), a, objects(), &all)
		if diff := cmp.Diff(tc.want, lines(all)); diff != "" {
			t.Errorf("%s: %v %v (-want +got):\n%s", tc.Why(), mutated, validated, diff)
		}
	})
}

// TestSecondRound: a policy with reinvocationPolicy Never is not evaluated again.
// One with IfNeeded is, even if nothing has changed since.
func TestSecondRound(t *testing.T) {
	t.Parallel()
	again := mutating("again", matching("pods"), labelling("count", "string(size(object.metadata.labels))"))
	again[0].(*registrationv1.MutatingAdmissionPolicy).Spec.ReinvocationPolicy = registrationv1.IfNeededReinvocationPolicy
	e := newEvaluator(t, nil, slices.Concat(again, mutating("once", matching("pods"), labelling("once", "'yes'")))...)
	a := pod()
	var all records
	if err := e.Admit(t.Context(), a, objects(), &all); err != nil {
		t.Fatal(err)
	}
	if !a.GetReinvocationContext().ShouldReinvoke() {
		t.Fatal("no second round")
	}
	a.GetReinvocationContext().SetIsReinvoke()
	if err := e.Admit(t.Context(), a, objects(), &all); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range all {
		got = append(got, fmt.Sprintf("%s in round %d: %d", r.Name, r.Match.Round, len(r.Bindings[0].Evaluations)))
	}
	want := []string{"again in round 0: 1", "once in round 0: 1", "again in round 1: 1", "once in round 1: 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("evaluations (-want +got):\n%s", diff)
	}
	if got := labelsOf(a.GetObject())["count"]; got != "3" {
		t.Errorf("the second round saw %s labels, want 3", got)
	}
}
