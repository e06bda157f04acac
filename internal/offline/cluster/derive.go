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

// Maker returns a Maker for objects of the known kinds.
func (in *Set) Maker(settings requests.Settings) (*requests.Maker, error) {
	merger, err := merge.New(in.kinds.ObjectInterfaces(), in.Definitions...)
	if err != nil {
		return nil, fmt.Errorf("preparing to merge objects: %w", err)
	}
	return requests.New(in.kinds, merger, settings), nil
}

// ImplicitNamespaces returns the namespaces of requests that no input
// describes. A remark names them, because a namespaceSelector may match labels
// that they have in a cluster.
func (in *Set) ImplicitNamespaces(made []*admission.Request) (implicit []*corev1.Namespace) {
	known := map[string]bool{"": true}
	for _, ns := range in.Namespaces {
		known[ns.Name] = true
	}
	for _, r := range made {
		if !known[r.Namespace] {
			known[r.Namespace] = true
			implicit = append(implicit, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: r.Namespace}})
		}
	}
	return implicit
}

// Authorizer returns the authorizer of conditions: the RBAC objects, or Deny
// without any, so that conditions that let privileged users bypass a webhook do
// not hide it.
func (in *Set) Authorizer() authorizer.UnconditionalAuthorizer {
	if in.HasPolicy {
		return &in.Policy
	}
	return Deny
}

// Always is an authorizer that returns the same decision for every user.
type Always authorizer.Decision

// The decisions without RBAC objects.
const (
	Allow = Always(authorizer.DecisionAllow)
	Deny  = Always(authorizer.DecisionDeny)
)

// Authorize never fails.
func (a Always) Authorize(
	context.Context, authorizer.Attributes,
) (authorizer.Decision, string, error) {
	return authorizer.Decision(a), "", nil
}
