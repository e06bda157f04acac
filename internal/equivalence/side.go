package equivalence

import (
	"context"
	"fmt"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/internal/equivalence/mention"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/offline/session"
)

// side is a side that can receive requests.
type side struct {
	*session.Session
	name string
}

func openSide(s Side) (*side, error) {
	o := *s.Options
	o.Optional = true
	o.Namespaces = session.NamespacesOf(drawnNamespace, false)
	opened, err := session.Prepare(&o)
	if err != nil {
		return nil, err
	}
	return &side{opened, s.Name}, nil
}

// namespaceKey is the key of the Namespace of a request in its context.
type namespaceKey struct{}

// drawnNamespace returns the namespace of the case in a context; nil if it has none.
func drawnNamespace(ctx context.Context, name string) *corev1.Namespace {
	ns, _ := ctx.Value(namespaceKey{}).(*corev1.Namespace)
	if ns == nil || ns.Name != name {
		return nil
	}
	return ns
}

// ask sends a request to the side. It returns an error if the side did not decide it.
func (s *side) ask(
	ctx context.Context, made *requests.Made, ns *corev1.Namespace,
) (*Answer, error) {
	if ns != nil {
		ctx = context.WithValue(ctx, namespaceKey{}, ns)
	}
	result, err := s.AdmitRequest(ctx, made.Request)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	case result.Undecided():
		return nil, &message.NotReachedError{Err: fmt.Errorf(
			"%s: %s: a webhook was not reached, so that the answer is not known", s.name, result.Reference())}
	}
	return newAnswer(result), nil
}

// rules returns the rules of the webhooks and policies.
func (s *side) rules() []registrationv1.RuleWithOperations {
	var all []registrationv1.RuleWithOperations
	for _, w := range s.All() {
		all = append(all, w.Rules...)
	}
	add := func(m *registrationv1.MatchResources) {
		if m == nil {
			return
		}
		for _, r := range slices.Concat(m.ResourceRules, m.ExcludeResourceRules) {
			all = append(all, r.RuleWithOperations)
		}
	}
	for _, p := range s.Inputs().Policies {
		switch p := p.(type) {
		case *registrationv1.ValidatingAdmissionPolicy:
			add(p.Spec.MatchConstraints)
		case *registrationv1.MutatingAdmissionPolicy:
			add(p.Spec.MatchConstraints)
		}
	}
	return all
}

// mention adds what the side mentions.
func (s *side) mention(all *mention.Set) {
	for _, w := range s.All() {
		all.Webhook(w)
	}
	in := s.Inputs()
	all.Policies(in.Policies, in.Params)
	for _, ns := range in.Namespaces {
		all.Field(mention.Request, []string{"namespace"}, ns.Name)
	}
}
