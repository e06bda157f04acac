package rbac

import (
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// Grant is a binding that allows something to its subjects.
type Grant struct {
	// Kind is ClusterRoleBinding or RoleBinding. Namespace is empty for the former.
	Kind, Namespace, Name string
	// Role is what it binds.
	Role     rbacv1.RoleRef
	Subjects []rbacv1.Subject
}

// Grants returns the bindings that allow a request to their subjects: those of the cluster
// first, in the order in which they were added. The user of the request is ignored.
func (p *Policy) Grants(a authorizer.Attributes) []Grant {
	var all []Grant
	for _, b := range p.bindingsFor(a.GetNamespace()) {
		rules, err := p.rulesOf(b)
		if err != nil || !covers(rules, a) {
			continue // a role that does not exist grants nothing
		}
		g := Grant{"ClusterRoleBinding", b.namespace, b.name, b.role, b.subjects}
		if b.namespace != "" {
			g.Kind = "RoleBinding"
		}
		all = append(all, g)
	}
	return all
}
