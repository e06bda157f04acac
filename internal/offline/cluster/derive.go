package cluster

import (
	"context"
	"fmt"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/offline/merge"
	"example.com/gatehouse/internal/offline/policies"
	"example.com/gatehouse/internal/offline/requests"
)

// maker returns a Maker for objects of the known kinds.
func (in *Set) maker(settings requests.Settings) (*requests.Maker, error) {
	merger, err := in.merger()
	if err != nil {
		return nil, err
	}
	return requests.New(in.kinds, merger, settings), nil
}

func (in *Set) merger() (*merge.Merger, error) {
	merger, err := merge.New(in.kinds.ObjectInterfaces(), in.Definitions...)
	if err != nil {
		return nil, fmt.Errorf("preparing to merge objects: %w", err)
	}
	return merger, nil
}

// Evaluator returns an evaluator of the policies; nil if there are none. The
// caller sets the namespaces, Authorizer and Exact of what they read.
func (in *Set) Evaluator(read policies.Inputs) (dispatcher.Policies, error) {
	if len(in.Policies) == 0 {
		return nil, nil
	}
	merger, err := in.merger()
	if err != nil {
		return nil, err
	}
	read.Policies, read.Params, read.Kinds, read.Types = in.Policies, in.Params, in.kinds, merger.Types
	return policies.New(&read)
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
