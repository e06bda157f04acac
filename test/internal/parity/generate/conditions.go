package generate

import (
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

// selector draws a selector. One in fifty cannot be parsed.
func selector(t *rapid.T, label string) *metav1.LabelSelector {
	switch below(t, label, 16) {
	default:
		return &metav1.LabelSelector{}
	case 12, 13:
		return nil
	case 14:
		return &metav1.LabelSelector{MatchLabels: map[string]string{oneOf(t, label+": key",
			labelKeys): oneOf(t, label+": value", labelValues)}}
	case 15:
		return &metav1.LabelSelector{
			MatchExpressions: []metav1.LabelSelectorRequirement{requirement(t, label)},
		}
	}
}

func requirement(t *rapid.T, label string) metav1.LabelSelectorRequirement {
	r := metav1.LabelSelectorRequirement{
		Key: oneOf(t, label+": key", labelKeys),
		Operator: oneOf(t, label+": operator", []metav1.LabelSelectorOperator{
			metav1.LabelSelectorOpExists,
			metav1.LabelSelectorOpDoesNotExist,
			metav1.LabelSelectorOpIn,
			metav1.LabelSelectorOpNotIn,
		}),
	}
	if r.Operator == metav1.LabelSelectorOpIn || r.Operator == metav1.LabelSelectorOpNotIn {
		r.Values = []string{oneOf(t, label+": value", labelValues)}
	}
	if rarely(t, label+": wrong", 10) {
		r.Operator = "Sometimes"
	}
	return r
}

// conditions draws match conditions, of which most webhooks have none.
func conditions(t *rapid.T) []registrationv1.MatchCondition {
	if !rarely(t, "conditions", 4) {
		return nil
	}
	var drawn []registrationv1.MatchCondition
	for i := range 1 + below(t, "how many conditions", 3) {
		drawn = append(
			drawn, registrationv1.MatchCondition{Name: fmt.Sprintf("c%d", i), Expression: expression(t, 2)})
	}
	return drawn
}

// expression draws from a grammar; depth is how deep it may nest.
func expression(t *rapid.T, depth int) string {
	if depth > 0 {
		switch below(t, "form", 8) {
		case 7:
			return "!(" + expression(t, depth-1) + ")"
		case 6:
			return "(" + expression(t, depth-1) + ") && (" + expression(t, depth-1) + ")"
		case 5:
			return "(" + expression(t, depth-1) + ") || (" + expression(t, depth-1) + ")"
		case 4:
			return "(" + expression(t, depth-1) + ") ? (" + expression(t,
				depth-1) + ") : (" + expression(t, depth-1) + ")"
		}
	}
	switch below(t, "kind of atom", 4) {
	case 3:
		return wide(t)
	case 2:
		return oneOf(t, "real condition", realConditions)
	default:
		return oneOf(t, "atom", atoms)
	}
}

// atoms are true, false, errors when they are evaluated, errors when they are
// compiled, and too expensive.
var atoms = []string{
	"true",
	"true",
	"request.operation != 'DELETE'",
	"object != null",
	"oldObject == null",
	"has(object.metadata.labels) && 'a' in object.metadata.labels",
	"request.userInfo.username == 'alice'",
	"'g' in request.userInfo.groups",
	"request.namespace == 'shop'",
	"request.name == 'x'",
	"request.dryRun == true",
	"request.requestKind == request.kind",
	"request.resource.resource.startsWith('p')",
	"object.metadata.name.matches('^[xy]$')",
	"size(request.subResource) == 0",
	"has(request.options.dryRun)",
	"authorizer.group('').resource('pods').namespace('shop').check('get').allowed()",
	"authorizer.group('').resource('pods').check('list').errored()",
	"authorizer.requestResource.check('create').allowed()",
	"false",
	"object.metadata.labels['a'] == '1'",
	"object.none.such == 1",
	"1 / 0 == 1",
	"object.spec.replicas > 1",
	"'text'",
	"no.such.thing",
	"((",
	// Three checks cost more than an expression may.
	"[authorizer.group('').resource('pods').check('get').allowed(), authorizer.group('').resource('pods').check('list').allowed(), authorizer.group('').resource('pods').check('watch').allowed()].size() == 3",
}
