package explain

import (
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
)

// The stages of matching, in their order (S-080); see Webhook.Stage.
const (
	stageExempt            = "exempt kind"
	stageExcluded          = "excluded resource"
	stageNamespaceSelector = "namespaceSelector"
	stageObjectSelector    = "objectSelector"
	stageRules             = "rules"
	stageConditions        = "matchConditions"
	stageReinvocation      = "reinvocation"
	stageMatched           = "matched"
)

// reason says why w was not called in the round r; empty if it was called.
func (a *analyzer) reason(r *Round, w *Webhook) string {
	if w.Called {
		return ""
	}
	if w.Error != "" {
		return omitLong(w.Error, longText)
	}
	switch w.Stage {
	case stageExempt:
		return "only static webhooks receive requests for admission configuration"
	case stageExcluded:
		return "webhooks never receive requests for this resource"
	case stageNamespaceSelector:
		return namespaceReason(w)
	case stageObjectSelector:
		return objectReason(&a.e.Request, w)
	case stageRules:
		return rulesReason(w)
	case stageConditions:
		return conditionsReason(&w.Match)
	case stageReinvocation:
		return a.reinvocationReason(w)
	case stageMatched:
		return endedBeforeCall(r)
	}
	return "the reason is not known"
}

func namespaceReason(w *Webhook) string {
	if w.Spec.NamespaceSelector == nil {
		return "without a namespaceSelector no request is selected"
	}
	return fmt.Sprintf("the namespace's labels %s do not match %s",
		formatLabels(w.Match.NamespaceLabels), formatSelector(w.Spec.NamespaceSelector))
}

// objectReason shows the labels of both objects only if there are two with
// different labels.
func objectReason(q *Request, w *Webhook) string {
	selector := w.Spec.ObjectSelector
	if selector == nil {
		return "without an objectSelector no request is selected"
	}
	object, stored := w.Match.ObjectLabels, w.Match.OldObjectLabels
	switch {
	case q.Operation == opConnect && object == nil:
		return fmt.Sprintf("%s has no labels, and the objectSelector wants %s", q.resourceName(),
			formatSelector(selector))
	case object == nil:
		object = stored
	case stored != nil && formatLabels(object) != formatLabels(stored):
		return fmt.Sprintf("neither the object's labels %s nor those of the stored one %s match %s",
			formatLabels(object), formatLabels(stored), formatSelector(selector))
	}
	return fmt.Sprintf("the object's labels %s do not match %s", formatLabels(object),
		formatSelector(selector))
}

// rulesReason lists the first part of each rule that did not match.
func rulesReason(w *Webhook) string {
	if len(w.Spec.Rules) == 0 && len(w.Match.RuleMisses) == 0 {
		return "it has no rules"
	}
	var misses []string
	for i, part := range w.Match.RuleMisses[:min(len(w.Match.RuleMisses), longList)] {
		misses = append(misses, fmt.Sprintf("rules[%d] by its %s", i, part))
	}
	if len(misses) == 0 {
		return "no rule matches"
	}
	return "no rule matches: " + strings.Join(misses,
		", ") + andMore(len(w.Match.RuleMisses)-len(misses))
}

// conditionsReason covers the two ways in which conditions exclude a webhook: a
// condition is false, or one failed and failurePolicy is Ignore.
func conditionsReason(m *Match) string {
	for i := range m.Conditions {
		if c := &m.Conditions[i]; c.isFalse() && m.ConditionsError == "" {
			return fmt.Sprintf("the condition %q is false", omitLong(c.Name, shortText))
		}
	}
	return "the conditions cannot be evaluated, and failurePolicy is Ignore: " + omitLong(
		m.conditionsError(), longText)
}

func (c *Condition) isFalse() bool { return c.Error == "" && c.Value != nil && !*c.Value }

// conditionsError joins the errors of the conditions as the API server does.
func (m *Match) conditionsError() string {
	if m.ConditionsError != "" {
		return m.ConditionsError
	}
	var all []error
	for _, c := range m.Conditions {
		if c.Error != "" {
			all = append(all, errors.New(c.Error))
		}
	}
	if len(all) == 0 {
		return "the evaluation did not finish"
	}
	return utilerrors.NewAggregate(all).Error()
}

// endedBeforeCall is the reason of a webhook that matched but was not called.
func endedBeforeCall(r *Round) string {
	for i := range r.Webhooks {
		if w := &r.Webhooks[i]; w.Error != "" {
			// Validating webhooks are all matched before the first is called
			// (S-190).
			return fmt.Sprintf("it matched, but the request ended when %s was matched",
				printableWord(w.Name))
		}
	}
	return "it matched, but the request ended before it could be called"
}

func (a *analyzer) reinvocationReason(w *Webhook) string {
	first := a.inRound0(w)
	switch {
	case !w.reinvocable():
		return "its reinvocationPolicy is not IfNeeded"
	case first == nil || !first.Called:
		return "it was not called in round 0, so never in round 1"
	}
	return "nothing changed the object after it"
}

// formatSelector formats a selector on one line. The selectors here are never
// empty, because an empty one matches.
func formatSelector(s *metav1.LabelSelector) string {
	return omitLong(metav1.FormatLabelSelector(s), longText)
}
