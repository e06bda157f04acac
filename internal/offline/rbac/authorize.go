package rbac

import (
	"context"
	"fmt"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/component-helpers/auth/rbac/validation"
)

var _ authorizer.UnconditionalAuthorizer = (*Policy)(nil)

// Authorize answers DecisionAllow, with the binding as the reason, or
// DecisionNoOpinion. RBAC cannot forbid, so it never answers DecisionDeny. The
// error is always nil. It neither blocks nor looks at ctx.
func (p *Policy) Authorize(
	_ context.Context, a authorizer.Attributes,
) (authorizer.Decision, string, error) {
	if slices.Contains(a.GetUser().GetGroups(), user.SystemPrivilegedGroup) {
		return authorizer.DecisionAllow, "", nil
	}
	var missing []error
	for _, b := range p.bindingsFor(a.GetNamespace()) {
		subject := b.subjectFor(a.GetUser())
		if subject == nil {
			continue
		}
		rules, err := p.rulesOf(b)
		if err != nil {
			missing = append(missing, err)
			continue
		}
		if covers(rules, a) {
			return authorizer.DecisionAllow, "RBAC: allowed by " + b.describe(subject), nil
		}
	}
	if len(missing) > 0 {
		return authorizer.DecisionNoOpinion, fmt.Sprintf("RBAC: %v", utilerrors.NewAggregate(missing)), nil
	}
	return authorizer.DecisionNoOpinion, "", nil
}

// bindingsFor returns the bindings that count in a namespace, the cluster's
// first. An empty namespace stands for the whole cluster.
func (p *Policy) bindingsFor(namespace string) []*binding {
	var found []*binding
	for i := range p.clusterWide {
		found = append(found, &p.clusterWide[i])
	}
	for i := range p.local {
		if p.local[i].namespace == namespace {
			found = append(found, &p.local[i])
		}
	}
	return found
}

// subjectFor returns the first subject that stands for u, or nil.
func (b *binding) subjectFor(u user.Info) *rbacv1.Subject {
	for i := range b.subjects {
		if s := &b.subjects[i]; b.means(s, u) {
			return s
		}
	}
	return nil
}

func (b *binding) means(s *rbacv1.Subject, u user.Info) bool {
	switch s.Kind {
	case rbacv1.UserKind:
		return s.Name == u.GetName()
	case rbacv1.GroupKind:
		return slices.Contains(u.GetGroups(), s.Name)
	case rbacv1.ServiceAccountKind:
		namespace := b.namespaceOf(s)
		return namespace != "" && serviceaccount.MatchesUsername(namespace, s.Name, u.GetName())
	default:
		return false
	}
}

// namespaceOf returns the namespace of a service account; by default that of the
// binding.
func (b *binding) namespaceOf(s *rbacv1.Subject) string {
	if s.Namespace != "" {
		return s.Namespace
	}
	return b.namespace
}

// describe names the binding and the subject as kube-apiserver does, with the
// namespaces at the end.
func (b *binding) describe(s *rbacv1.Subject) string {
	kind, name := "ClusterRoleBinding", b.name
	if b.namespace != "" {
		kind, name = "RoleBinding", b.name+"/"+b.namespace
	}
	subject := s.Name
	if s.Kind == rbacv1.ServiceAccountKind {
		subject += "/" + b.namespaceOf(s)
	}
	return fmt.Sprintf("%s %q of %s %q to %s %q", kind, name, b.role.Kind,
		b.role.Name, s.Kind, subject)
}

// covers reports whether one of the rules grants the request. Several rules
// together do not grant it.
func covers(rules []rbacv1.PolicyRule, a authorizer.Attributes) bool {
	granted, _ := validation.Covers(rules, []rbacv1.PolicyRule{ruleFor(a)})
	return granted
}

// ruleFor returns the smallest rule that would grant a.
func ruleFor(a authorizer.Attributes) rbacv1.PolicyRule {
	rule := rbacv1.PolicyRule{Verbs: []string{a.GetVerb()}}
	if !a.IsResourceRequest() {
		rule.NonResourceURLs = []string{a.GetPath()}
		return rule
	}
	resource := a.GetResource()
	if sub := a.GetSubresource(); sub != "" {
		resource += "/" + sub
	}
	rule.APIGroups, rule.Resources = []string{a.GetAPIGroup()}, []string{resource}
	if name := a.GetName(); name != "" {
		rule.ResourceNames = []string{name}
	}
	return rule
}
