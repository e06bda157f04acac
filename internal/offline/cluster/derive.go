package cluster

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/merge"
	"example.com/gatehouse/internal/offline/requests"
)

// Maker returns what makes requests of objects of the kinds that are known.
func (in *Set) Maker(settings requests.Settings) (*requests.Maker, error) {
	merger, err := merge.New(in.kinds.ObjectInterfaces(), in.Definitions...)
	if err != nil {
		return nil, fmt.Errorf("preparing to merge objects: %w", err)
	}
	return requests.New(in.kinds, merger, settings), nil
}

// MakeUp returns the namespaces that requests need and nobody has described: a
// namespaceSelector may decide by labels that these would have had.
func (in *Set) MakeUp(made []*admission.Request) (madeUp []*corev1.Namespace) {
	known := map[string]bool{"": true}
	for _, ns := range in.Namespaces {
		known[ns.Name] = true
	}
	for _, r := range made {
		if !known[r.Namespace] {
			known[r.Namespace] = true
			madeUp = append(madeUp, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: r.Namespace}})
		}
	}
	return madeUp
}

// Authorizer returns what answers conditions: the RBAC objects, or without any of them
// Deny, so that conditions that let the privileged around a webhook do not hide it.
func (in *Set) Authorizer() authorizer.UnconditionalAuthorizer {
	if in.HasPolicy {
		return &in.Policy
	}
	return Deny
}

// Always gives everybody the same answer.
type Always authorizer.Decision

// What is answered unless there are RBAC objects.
const (
	Allow = Always(authorizer.DecisionAllow)
	Deny  = Always(authorizer.DecisionDeny)
)

// Authorize never fails.
func (a Always) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.Decision(a), "", nil
}
