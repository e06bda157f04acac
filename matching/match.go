package matching

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/admission"
)

// MatchRules applies the selectors and the rules of w. If Matched reports true for the
// result and w has matchConditions, the caller converts the object to Target.Kind and
// calls MatchConditions. The caller sets Round and Index.
func (w *Webhook) MatchRules(ctx context.Context, v *View) admission.Match {
	m := admission.Match{
		Webhook:   w.Webhook,
		Operation: admissionv1.Operation(v.query.operation),
		Rule:      -1,
	}
	if v.in.Record {
		m.Seen = &admission.Seen{}
	}

	// Only a record shows which stage excluded the webhook. Without one, the rules
	// come first because they cost least.
	var matched bool
	var err error
	if !v.in.Record {
		if matched, err = w.matchRules(v, &m); err == nil && !matched {
			return excludedAt(m, admission.StageRules, nil)
		}
	}

	// Errors of the selectors wait until the rules have matched (S-081).
	selected, namespaceErr := w.selectsNamespace(ctx, v, &m)
	if !selected && namespaceErr == nil {
		return excludedAt(m, admission.StageNamespaceSelector, nil)
	}
	selected, objectErr := w.selectsObject(v, &m)
	if !selected && objectErr == nil {
		return excludedAt(m, admission.StageObjectSelector, nil)
	}

	if v.in.Record {
		matched, err = w.matchRules(v, &m)
	}
	switch {
	case err != nil || !matched:
		return excludedAt(m, admission.StageRules, err)
	case namespaceErr != nil:
		return excludedAt(m, admission.StageNamespaceSelector, namespaceErr)
	case objectErr != nil:
		return excludedAt(m, admission.StageObjectSelector, objectErr)
	}
	m.Stage = admission.StagePassed
	return m
}

func excludedAt(m admission.Match, stage admission.Stage, err error) admission.Match {
	m.Stage, m.Err = stage, err
	return m
}

// selectsNamespace applies the namespaceSelector. It selects every request outside of
// namespaces (S-090). An empty selector needs no lookup of the namespace (S-091).
func (w *Webhook) selectsNamespace(ctx context.Context, v *View, m *admission.Match) (bool, error) {
	if !v.query.namespaced && v.query.resource.Resource != "namespaces" {
		return true, nil
	}
	if w.namespaces.err != nil {
		return false, apierrors.NewInternalError(w.namespaces.err)
	}
	if w.namespaces.Empty() {
		return true, nil
	}
	found, err := v.namespaceLabels(ctx)
	if err != nil {
		return false, statusError(err)
	}
	if m.Seen != nil {
		m.Seen.NamespaceLabels = found
	}
	return v.namespaceSelections.remember(w.namespaces, func() bool { return w.namespaces.Matches(found) }), nil
}

// selectsObject applies the objectSelector to the new and to the old object. It is enough
// that it selects one of them (S-100).
func (w *Webhook) selectsObject(v *View, m *admission.Match) (bool, error) {
	if w.objects.err != nil {
		return false, apierrors.NewInternalError(w.objects.err)
	}
	if w.objects.Empty() {
		return true, nil
	}
	if m.Seen != nil {
		m.Seen.ObjectLabels, _ = labelsOf(v.current.GetObject())
		m.Seen.OldObjectLabels, _ = labelsOf(v.current.GetOldObject())
	}
	return v.objectSelections.remember(w.objects, func() bool {
		now, hasNow := labelsOf(v.current.GetObject())
		old, hasOld := labelsOf(v.current.GetOldObject())
		return hasNow && w.objects.Matches(now) || hasOld && w.objects.Matches(old)
	}), nil
}

// matchRules looks for the first rule that matches the request's resource, and then for
// the first that matches an equivalent resource (S-084, S-120). It sets m.Target.
func (w *Webhook) matchRules(v *View, m *admission.Match) (bool, error) {
	for i := range w.rules {
		part := w.rules[i].match(&v.query)
		if m.Seen != nil {
			m.Seen.RuleMisses = append(m.Seen.RuleMisses, part)
		}
		if part == admission.RuleMatched {
			m.Rule = i
			m.Target = admission.Target{
				Resource:    v.query.resource,
				Subresource: v.query.subresource,
				Kind:        v.current.GetKind(),
			}
			return true, nil
		}
	}
	if !w.equivalent {
		return false, nil
	}
	return w.matchEquivalents(v, m)
}

func (w *Webhook) matchEquivalents(v *View, m *admission.Match) (bool, error) {
	if m.Seen != nil {
		m.Seen.Equivalents = v.equivalentResources()
	}
	for i := range w.rules {
		for _, gvr := range v.equivalentResources() {
			a := v.query
			a.resource = gvr
			if w.rules[i].match(&a) != admission.RuleMatched {
				continue
			}
			kind := v.in.Objects.GetEquivalentResourceMapper().KindFor(gvr, v.query.subresource)
			if kind.Empty() {
				return false, apierrors.NewInternalError(fmt.Errorf("unable to convert to %v: unknown kind", gvr))
			}
			m.Rule = i
			m.Target = admission.Target{Resource: gvr, Subresource: v.query.subresource, Kind: kind}
			return true, nil
		}
	}
	return false, nil
}
