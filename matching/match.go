package matching

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/admission"
)

// Match decides whether w visits the request. The caller fills in the round and
// the index.
func (w *Webhook) Match(ctx context.Context, r *Request) admission.Match {
	m := admission.Match{
		Webhook:   w.Webhook,
		Operation: admissionv1.Operation(r.ask.operation),
		Rule:      -1,
	}
	if r.in.Record {
		m.Seen = &admission.Seen{}
	}

	// Nobody sees at which stage a webhook drops out unless it is recorded, so
	// the rules, which cost least, come first then.
	var matched bool
	var err error
	if !r.in.Record {
		if matched, err = w.matchRules(r, &m); err == nil && !matched {
			return stopped(m, admission.StageRules, nil)
		}
	}

	// Errors of the selectors wait until the rules have matched (S-081).
	selected, namespaceErr := w.selectsNamespace(ctx, r, &m)
	if !selected && namespaceErr == nil {
		return stopped(m, admission.StageNamespaceSelector, nil)
	}
	selected, objectErr := w.selectsObject(r, &m)
	if !selected && objectErr == nil {
		return stopped(m, admission.StageObjectSelector, nil)
	}

	if r.in.Record {
		matched, err = w.matchRules(r, &m)
	}
	switch {
	case err != nil || !matched:
		return stopped(m, admission.StageRules, err)
	case namespaceErr != nil:
		return stopped(m, admission.StageNamespaceSelector, namespaceErr)
	case objectErr != nil:
		return stopped(m, admission.StageObjectSelector, objectErr)
	}

	if len(w.conditions) > 0 {
		passed, err := w.matchConditions(ctx, r, &m)
		if err != nil || !passed {
			return stopped(m, admission.StageConditions, err)
		}
	}
	m.Stage = admission.StagePassed
	return m
}

func stopped(m admission.Match, at admission.Stage, err error) admission.Match {
	m.Stage, m.Err = at, err
	return m
}

// selectsNamespace applies the namespaceSelector. Requests outside of any
// namespace pass it unseen (S-090), and an empty selector asks nobody (S-091).
func (w *Webhook) selectsNamespace(ctx context.Context, r *Request, m *admission.Match) (bool, error) {
	if !r.ask.namespaced && r.ask.resource.Resource != "namespaces" {
		return true, nil
	}
	if w.namespaces.err != nil {
		return false, apierrors.NewInternalError(w.namespaces.err)
	}
	if w.namespaces.Empty() {
		return true, nil
	}
	found, err := r.namespaceLabels(ctx)
	if err != nil {
		return false, asStatus(err)
	}
	if m.Seen != nil {
		m.Seen.NamespaceLabels = found
	}
	return r.byNamespace.once(w.namespaces, func() bool { return w.namespaces.Matches(found) }), nil
}

// selectsObject applies the objectSelector to the new and to the old object; one
// of them is enough (S-100).
func (w *Webhook) selectsObject(r *Request, m *admission.Match) (bool, error) {
	if w.objects.err != nil {
		return false, apierrors.NewInternalError(w.objects.err)
	}
	if w.objects.Empty() {
		return true, nil
	}
	if m.Seen != nil {
		m.Seen.ObjectLabels, _ = labelsOf(r.current.GetObject())
		m.Seen.OldObjectLabels, _ = labelsOf(r.current.GetOldObject())
	}
	return r.byObject.once(w.objects, func() bool {
		now, hasNow := labelsOf(r.current.GetObject())
		old, hasOld := labelsOf(r.current.GetOldObject())
		return hasNow && w.objects.Matches(now) || hasOld && w.objects.Matches(old)
	}), nil
}

// matchRules finds the first rule that matches the request's resource, or else
// the first that matches an equivalent one (S-084, S-120). It sets the target.
func (w *Webhook) matchRules(r *Request, m *admission.Match) (bool, error) {
	for i := range w.rules {
		part := w.rules[i].match(&r.ask)
		if m.Seen != nil {
			m.Seen.RuleMisses = append(m.Seen.RuleMisses, part)
		}
		if part == admission.RuleMatched {
			m.Rule = i
			m.Target = admission.Target{
				Resource:    r.ask.resource,
				Subresource: r.ask.subresource,
				Kind:        r.current.GetKind(),
			}
			return true, nil
		}
	}
	if !w.equivalent {
		return false, nil
	}
	return w.matchEquivalents(r, m)
}

func (w *Webhook) matchEquivalents(r *Request, m *admission.Match) (bool, error) {
	if m.Seen != nil {
		m.Seen.Equivalents = r.equivalentResources()
	}
	for i := range w.rules {
		for _, gvr := range r.equivalentResources() {
			a := r.ask
			a.resource = gvr
			if w.rules[i].match(&a) != admission.RuleMatched {
				continue
			}
			kind := r.in.Objects.GetEquivalentResourceMapper().KindFor(gvr, r.ask.subresource)
			if kind.Empty() {
				return false, apierrors.NewInternalError(fmt.Errorf("unable to convert to %v: unknown kind", gvr))
			}
			m.Rule = i
			m.Target = admission.Target{Resource: gvr, Subresource: r.ask.subresource, Kind: kind}
			return true, nil
		}
	}
	return false, nil
}
