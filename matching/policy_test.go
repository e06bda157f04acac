package matching_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
)

const (
	divides    = "1 / 0 == 1"
	dividesWhy = "expression '1 / 0 == 1' resulted in error: division by zero"
	reads      = "object.spec.hostNetwork == true"
	readsWhy   = "expression 'object.spec.hostNetwork == true' resulted in error: no such key: hostNetwork"
	textual    = "'x'"
	textualWhy = "compilation error: must evaluate to bool but got string"
)

// excluding is a plain no by the condition of that name, after some errors.
func excluding(name string, errors int) conditionResult {
	j := conditionsFalse
	j.Excluded, j.Errors = name, errors
	return j
}

func TestConditionsTogether(t *testing.T) {
	t.Parallel()
	failed := func(errors int, why string) conditionResult {
		return forbidden(admission.ConditionsFailed, errors, why)
	}
	runConditions(t, []conditionCase{{
		row:     row{"none", "S-130: an empty list is not verdict"},
		webhook: asking(), ask: creating(), want: conditionResult{verdict: passed},
	}, {
		row:     row{"all true", "S-150: all of them have to be true"},
		webhook: asking(when("true", "true")), ask: creating(), want: conditionsTrue,
	}, {
		row:     row{"one false", "S-150: one false is enough"},
		webhook: asking(when("true", "false", "true")), ask: creating(), want: excluding("c1", 0),
	}, {
		row:     row{"two false", "S-150: the first one is named"},
		webhook: asking(when("true", "false", "false")), ask: creating(), want: excluding("c1", 0),
	}, {
		row:     row{"error before false", "S-150: the webhook is skipped, but the error counts"},
		webhook: asking(when(divides, "false")), ask: creating(), want: excluding("c1", 1),
	}, {
		row:     row{"error after false", "S-150: errors after the first false do not count"},
		webhook: asking(when("false", divides)), ask: creating(), want: excluding("c0", 0),
	}, {
		row:     row{"errors around false", "S-150: only those before it count"},
		webhook: asking(when(divides, reads, "false", textual)), ask: creating(), want: excluding("c2", 2),
	}, {
		row:     row{"compile error before false", "S-150: a compile error counts like any other"},
		webhook: asking(when(textual, "false")), ask: creating(), want: excluding("c1", 1),
	}, {
		row:     row{"one error", "S-151: a single error is printed bare"},
		webhook: asking(when("true", divides)), ask: creating(), want: failed(1, dividesWhy),
	}, {
		row:     row{"several errors", "S-151: several are listed in order"},
		webhook: asking(when(reads, "true", divides, textual)), ask: creating(),
		want: failed(3, "["+readsWhy+", "+dividesWhy+", "+textualWhy+"]"),
	}, {
		row:     row{"equal errors", "S-151: equal texts are listed once, but each counts"},
		webhook: asking(when(divides, divides)), ask: creating(), want: failed(2, dividesWhy),
	}, {
		row:     row{"equal errors among others", "S-151: equal texts are listed once, but each counts"},
		webhook: asking(when(divides, reads, divides)), ask: creating(), want: failed(3, "["+dividesWhy+", "+readsWhy+"]"),
	}})
}

func TestConditionsUnderPolicy(t *testing.T) {
	t.Parallel()
	failed := forbidden(admission.ConditionsFailed, 1, dividesWhy)
	skipped, fallen := failed, failed
	skipped.verdict, fallen.verdict = stoppedAt(admission.StageConditions), passed
	runConditions(t, []conditionCase{{
		row:     row{"absent", "S-151: an absent policy is Fail"},
		webhook: asking(when(divides)), ask: creating(), want: failed,
	}, {
		row:     row{"Fail", "S-151: the error is the answer"},
		webhook: asking(when(divides), failurePolicy("Fail")), ask: creating(), want: failed,
	}, {
		row:     row{"Ignore", "S-151: the webhook is skipped"},
		webhook: asking(when(divides), ignoring), ask: creating(), want: skipped,
	}, {
		row:     row{"unknown", "S-152: errors are no obstacle"},
		webhook: asking(when(divides), failurePolicy("Shrug")), ask: creating(), want: fallen,
	}, {
		row:     row{"unknown in other letters", "S-152: the case counts"},
		webhook: asking(when(divides), failurePolicy("ignore")), ask: creating(), want: fallen,
	}, {
		row:     row{"unknown and false", "S-152: a false is one under any policy"},
		webhook: asking(when(divides, "false"), failurePolicy("Shrug")), ask: creating(), want: excluding("c1", 1),
	}, {
		row:     row{"Ignore and true", "S-151: without an error the policy has no say"},
		webhook: asking(when("true"), ignoring), ask: creating(), want: conditionsTrue,
	}})
}

func TestForbiddenText(t *testing.T) {
	t.Parallel()
	at403 := func(text string) verdict { return verdict{admission.StageConditions, 403, text} }
	unnamed := func(a *testRequest) { a.name = "" }
	runStages(t, []stageCase{{
		row:     row{"named", "S-131: resource and name"},
		webhook: asking(when(divides)), ask: creating(), want: at403(`pods "n" is forbidden: ` + dividesWhy),
	}, {
		row:     row{"unnamed", "S-131: a generated name is not known yet, and the object's own is not asked"},
		webhook: asking(when(divides)), ask: creating(unnamed), want: at403("pods is forbidden: " + dividesWhy),
	}, {
		row:     row{"grouped", "S-131: the resource with its group"},
		webhook: asking(when(divides)), ask: deploying(""), want: at403(`deployments.apps "n" is forbidden: ` + dividesWhy),
	}, {
		row:     row{"subresource", "S-131: the subresource is not named"},
		webhook: asking(when(divides)), ask: deploying("scale"), want: at403(`deployments.apps "n" is forbidden: ` + dividesWhy),
	}, {
		row:     row{"equivalent", "S-131: the request's own resource is named"},
		webhook: asking(equivalent, rules(rule("extensions", "*", "*")), when(divides)), ask: deploying(""), input: asked(&mapper{}),
		want: at403(`deployments.apps "n" is forbidden: ` + dividesWhy),
	}, {
		row:     row{"no resource", "S-131: nothing is named where there is nothing to name"},
		webhook: asking(rules(rule("", "", "")), when(divides)), ask: creating(func(a *testRequest) { a.resource.Version, a.resource.Resource = "", "" }),
		want: at403("forbidden: " + dividesWhy),
	}})
}

// There is no short circuit: every condition is verdict whatever the others
// gave (S-150).
func TestAllConditionsAreEvaluated(t *testing.T) {
	t.Parallel()
	var made int
	expressions := append([]string{"false", divides, textual}, checks(2)...)
	m := match(t.Context(), compile(asking(when(expressions...))), request(creating(), allowing(&made)))
	if made != 2 {
		t.Errorf("%d checks were made, want 2", made)
	}
	type result struct {
		Name, Expression, Err string
		Value                 bool
	}
	var got []result
	for _, r := range m.Conditions.Results {
		one := result{Name: r.Name, Expression: r.Expression, Value: r.Value}
		if r.Err != nil {
			one.Err = r.Err.Error()
		}
		got = append(got, one)
	}
	want := []result{
		{Name: "c0", Expression: "false"},
		{Name: "c1", Expression: divides, Err: dividesWhy},
		{Name: "c2", Expression: textual, Err: textualWhy},
		{Name: "c3", Expression: expressions[3], Value: true},
		{Name: "c4", Expression: expressions[4], Value: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

// After an update the name in the error is the changed object's (S-131).
func TestForbiddenAfterUpdate(t *testing.T) {
	t.Parallel()
	r := request(creating())
	a := creating()
	a.name = "later"
	r.Update(&apiadmission.VersionedAttributes{Attributes: a.attributes(), VersionedKind: podKind})
	m := match(t.Context(), compile(asking(when(divides))), r)
	if want := `pods "later" is forbidden: ` + dividesWhy; m.Err == nil || m.Err.Error() != want {
		t.Errorf("error %v, want %s", m.Err, want)
	}
}
