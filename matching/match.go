package matching

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"

	"example.com/gatehouse/admission"
)

// MatchRules applies the selectors and the rules of w, in this order (S-080).
// If Matched returns true for the result and w has matchConditions, the caller
// converts the object to Target.Kind and calls MatchConditions. The caller sets
// Round and Index.
func (w *Webhook) MatchRules(ctx context.Context, v *View) admission.Match {
	m := admission.Match{
		Webhook:   w.Webhook,
		Operation: admissionv1.Operation(v.query.Operation),
		Rule:      -1,
	}
	if v.in.Record {
		m.Seen = &admission.Seen{}
	}

	// Report the error of a selector only if the rules match (S-081).
	selected, namespaceErr := w.selectsNamespace(ctx, v, &m)
	if !selected && namespaceErr == nil {
		return stoppedAt(m, admission.StageNamespaceSelector, nil)
	}
	selected, objectErr := w.selectsObject(v, &m)
	if !selected && objectErr == nil {
		return stoppedAt(m, admission.StageObjectSelector, nil)
	}

	matched, err := w.findRule(v, &m)
	switch {
	case err != nil || !matched:
		return stoppedAt(m, admission.StageRules, err)
	case namespaceErr != nil:
		return stoppedAt(m, admission.StageNamespaceSelector, namespaceErr)
	case objectErr != nil:
		return stoppedAt(m, admission.StageObjectSelector, objectErr)
	}
	m.Stage = admission.StagePassed
	return m
}

func stoppedAt(m admission.Match, stage admission.Stage, err error) admission.Match {
	m.Stage, m.Err = stage, err
	return m
}

// selectsNamespace applies the namespaceSelector. It selects every request that
// has no namespace, except those for Namespaces (S-090). An empty selector needs no lookup of the
// namespace (S-091).
func (w *Webhook) selectsNamespace(ctx context.Context, v *View, m *admission.Match) (bool, error) {
	if !v.query.Namespaced && v.query.Resource.Resource != "namespaces" {
		return true, nil
	}
	if w.namespaceSelector.err != nil {
		return false, apierrors.NewInternalError(w.namespaceSelector.err)
	}
	if w.namespaceSelector.Empty() {
		return true, nil
	}
	found, err := v.namespaceLabels(ctx)
	if err != nil {
		return false, statusError(err)
	}
	if m.Seen != nil {
		m.Seen.NamespaceLabels = found
	}
	return w.namespaceSelector.Matches(found), nil
}

// selectsObject applies the objectSelector to the new and to the old object. It
// is enough that it selects one of them (S-100).
func (w *Webhook) selectsObject(v *View, m *admission.Match) (bool, error) {
	if w.objectSelector.err != nil {
		return false, apierrors.NewInternalError(w.objectSelector.err)
	}
	if w.objectSelector.Empty() {
		return true, nil
	}
	var objects ObjectLabels
	objects.New, objects.HasNew = labelsOf(v.current.GetObject())
	objects.Old, objects.HasOld = labelsOf(v.current.GetOldObject())
	if m.Seen != nil {
		m.Seen.ObjectLabels, m.Seen.OldObjectLabels = objects.New, objects.Old
	}
	return objects.SelectedBy(w.objectSelector), nil
}

// ObjectLabels are the labels of the new and of the old object of a request.
type ObjectLabels struct {
	New, Old labels.Set
	// HasNew and HasOld report whether the object exists and has metadata.
	HasNew, HasOld bool
}

// SelectedBy reports whether a selector selects one of the objects (S-100).
func (o *ObjectLabels) SelectedBy(s labels.Selector) bool {
	return o.HasNew && s.Matches(o.New) || o.HasOld && s.Matches(o.Old)
}

// findRule looks for the first rule that matches the request's resource, and
// then for the first that matches an equivalent resource (S-084, S-120). It
// sets m.Target.
func (w *Webhook) findRule(v *View, m *admission.Match) (bool, error) {
	for i := range w.rules {
		part := w.rules[i].match(&v.query)
		if m.Seen != nil {
			m.Seen.RuleMisses = append(m.Seen.RuleMisses, part)
		}
		if part == admission.RuleMatched {
			m.Rule = i
			m.Target = admission.Target{
				Resource:    v.query.Resource,
				Subresource: v.query.Subresource,
				Kind:        v.current.GetKind(),
			}
			return true, nil
		}
	}
	if !w.equivalent {
		return false, nil
	}
	return w.findEquivalentRule(v, m)
}

func (w *Webhook) findEquivalentRule(v *View, m *admission.Match) (bool, error) {
	if m.Seen != nil {
		m.Seen.Equivalents = v.equivalentResources()
	}
	for i := range w.rules {
		for _, gvr := range v.equivalentResources() {
			a := v.query
			a.Resource = gvr
			if w.rules[i].match(&a) != admission.RuleMatched {
				continue
			}
			kind := v.in.Objects.GetEquivalentResourceMapper().KindFor(gvr, v.query.Subresource)
			if kind.Empty() {
				return false, apierrors.NewInternalError(fmt.Errorf("unable to convert to %v: unknown kind", gvr))
			}
			m.Rule = i
			m.Target = admission.Target{Resource: gvr, Subresource: v.query.Subresource, Kind: kind}
			return true, nil
		}
	}
	return false, nil
}
