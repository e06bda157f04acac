package output

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"example.com/gatehouse/admission"
)

// Reason says why a webhook was not called, from the evidence in the match. It is empty
// if it was.
func Reason(m *admission.Match) string {
	if m.Err != nil {
		return m.Err.Error()
	}
	switch m.Stage {
	case admission.StageExempt:
		return "requests for admission configuration itself are shown to static webhooks only"
	case admission.StageExcluded:
		return "requests for this resource are never shown to webhooks"
	case admission.StageNamespaceSelector:
		return namespaceReason(m)
	case admission.StageObjectSelector:
		return objectReason(m)
	case admission.StageRules:
		return rulesReason(m)
	case admission.StageConditions:
		return conditionsReason(&m.Conditions)
	case admission.StageReinvocation:
		return reinvocationReason(m.Webhook)
	case admission.StagePassed:
		return ""
	}
	return ""
}

func namespaceReason(m *admission.Match) string {
	selector := m.Webhook.NamespaceSelector
	if selector == nil {
		return "without a namespaceSelector no request is selected"
	}
	return fmt.Sprintf("the namespace's labels %s do not match %s", shown(seen(m).NamespaceLabels), metav1.FormatLabelSelector(selector))
}

func objectReason(m *admission.Match) string {
	selector := m.Webhook.ObjectSelector
	if selector == nil {
		return "without an objectSelector no request is selected"
	}
	found := seen(m).ObjectLabels
	if found == nil {
		found = seen(m).OldObjectLabels
	}
	return fmt.Sprintf("the object's labels %s do not match %s", shown(found), metav1.FormatLabelSelector(selector))
}

// rulesReason names for each rule the first part that did not match.
func rulesReason(m *admission.Match) string {
	var misses []string
	for i, part := range seen(m).RuleMisses {
		misses = append(misses, fmt.Sprintf("rules[%d] by its %s", i, part))
	}
	if len(misses) == 0 {
		return "it has no rules"
	}
	return "no rule matches: " + strings.Join(misses, ", ")
}

// conditionsReason knows the two ways in which conditions skip a webhook: one is
// false, or they failed and failurePolicy is Ignore.
func conditionsReason(c *admission.Conditions) string {
	if c.Verdict == admission.ConditionsFalse {
		return fmt.Sprintf("the condition %q is false", c.Excluded)
	}
	return fmt.Sprintf("the conditions cannot be evaluated, and failurePolicy is Ignore: %v", c.Err)
}

func reinvocationReason(w *admission.Webhook) string {
	if !w.Reinvocable() {
		return "its reinvocationPolicy is not IfNeeded"
	}
	return "nobody changed the object after it, or it was not called in the first round"
}

// seen returns the evidence, empty if there is none.
func seen(m *admission.Match) *admission.Seen {
	if m.Seen == nil {
		return &admission.Seen{}
	}
	return m.Seen
}

func shown(set labels.Set) string { return "{" + set.String() + "}" }
