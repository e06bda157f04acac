package matching_test

import (
	"testing"

	"example.com/gatehouse/admission"
)

func TestOrderOfStages(t *testing.T) {
	t.Parallel()
	noRules := rules(rule("", "v9", "pods"))
	brokenNamespace := func(w *admission.Webhook) { w.NamespaceSelector = broken("One") }
	brokenObject := func(w *admission.Webhook) { w.ObjectSelector = broken("Two") }
	const one = `Internal error occurred: "One" is not a valid label selector operator`
	const two = `Internal error occurred: "Two" is not a valid label selector operator`
	runStages(t, []stageCase{{
		row:     row{"namespace before object", "S-080: the namespaceSelector is asked first"},
		webhook: asking(byNamespace, byObject, noRules), ask: creating(), want: stoppedAt(admission.StageNamespaceSelector),
	}, {
		row:     row{"object before rules", "S-080: the objectSelector is asked second"},
		webhook: asking(byObject, noRules), ask: creating(), want: stoppedAt(admission.StageObjectSelector),
	}, {
		row:     row{"rules before conditions", "S-080: conditions cost most and come last"},
		webhook: asking(noRules, when("false")), ask: creating(), want: stoppedAt(admission.StageRules),
	}, {
		row:     row{"conditions", "S-080: the last stage"},
		webhook: asking(when("false")), ask: creating(), want: stoppedAt(admission.StageConditions),
	}, {
		row:     row{"broken namespaceSelector, other object", "S-080: a definite no of the objectSelector comes before the held error"},
		webhook: asking(brokenNamespace, byObject), ask: creating(), want: stoppedAt(admission.StageObjectSelector),
	}, {
		row:     row{"other namespace, broken objectSelector", "S-080: the objectSelector is not reached"},
		webhook: asking(byNamespace, brokenObject), ask: creating(), want: stoppedAt(admission.StageNamespaceSelector),
	}, {
		row:     row{"both broken, no rule", "S-081: errors are held until the rules have matched"},
		webhook: asking(brokenNamespace, brokenObject, noRules), ask: creating(), want: stoppedAt(admission.StageRules),
	}, {
		row:     row{"both broken", "S-080: the error of the namespaceSelector comes first"},
		webhook: asking(brokenNamespace, brokenObject), ask: creating(), want: verdict{admission.StageNamespaceSelector, 500, one},
	}, {
		row:     row{"broken objectSelector", "S-080: then that of the objectSelector"},
		webhook: asking(brokenObject), ask: creating(), want: verdict{admission.StageObjectSelector, 500, two},
	}, {
		row:     row{"broken selector and false condition", "S-080: conditions are not verdict after an error"},
		webhook: asking(brokenObject, when("false")), ask: creating(), want: verdict{admission.StageObjectSelector, 500, two},
	}, {
		row:     row{"broken selector under Ignore", "S-082: the failurePolicy has no say in matching"},
		webhook: asking(brokenNamespace, ignoring), ask: creating(), want: verdict{admission.StageNamespaceSelector, 500, one},
	}})
}
