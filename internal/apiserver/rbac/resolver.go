package rbac

import (
	"context"
	"errors"
	"fmt"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
)

// Resolver finds the rules that apply to a user. Call Attach before its other
// methods.
type Resolver struct {
	// roles has the rules of Roles, by namespace and name.
	roles *cache[map[[2]string][]rbacv1.PolicyRule]
	// clusterRoles has the rules of ClusterRoles, aggregated ones too, by name.
	clusterRoles *cache[map[string][]rbacv1.PolicyRule]
	// bindings are RoleBindings, by namespace.
	bindings        *cache[map[string][]*rbacv1.RoleBinding]
	clusterBindings *cache[[]*rbacv1.ClusterRoleBinding]
}

// Stores are the stores of the four resources.
type Stores struct {
	Roles, RoleBindings, ClusterRoles, ClusterRoleBindings *genericregistry.Store
}

// NewResolver returns a Resolver.
func NewResolver() *Resolver {
	return &Resolver{
		roles:           newCache(rulesByRole),
		clusterRoles:    newCache(aggregate),
		bindings:        newCache(byNamespace),
		clusterBindings: newCache(clusterRoleBindings),
	}
}

func rulesByRole(objects []runtime.Object) map[[2]string][]rbacv1.PolicyRule {
	all := map[[2]string][]rbacv1.PolicyRule{}
	for _, o := range objects {
		role := o.(*rbacv1.Role)
		all[[2]string{role.Namespace, role.Name}] = role.Rules
	}
	return all
}

func byNamespace(objects []runtime.Object) map[string][]*rbacv1.RoleBinding {
	all := map[string][]*rbacv1.RoleBinding{}
	for _, o := range objects {
		binding := o.(*rbacv1.RoleBinding)
		all[binding.Namespace] = append(all[binding.Namespace], binding)
	}
	return all
}

func clusterRoleBindings(objects []runtime.Object) []*rbacv1.ClusterRoleBinding {
	var all []*rbacv1.ClusterRoleBinding
	for _, o := range objects {
		all = append(all, o.(*rbacv1.ClusterRoleBinding))
	}
	return all
}

// Attach sets the source of the objects. It must be called before the stores are
// used.
func (r *Resolver) Attach(s Stores) {
	r.roles.attach(s.Roles)
	r.bindings.attach(s.RoleBindings)
	r.clusterRoles.attach(s.ClusterRoles)
	r.clusterBindings.attach(s.ClusterRoleBindings)
}

// visitor receives a rule with a description of its binding, and errors. It
// returns false to end the visit.
type visitor func(binding fmt.Stringer, rule *rbacv1.PolicyRule, err error) bool

// visit visits the rules that apply to a user: those of ClusterRoleBindings
// first, then those of RoleBindings in the namespace, if it is not "".
func (r *Resolver) visit(ctx context.Context, u user.Info, namespace string, visit visitor) {
	bindings, err := r.clusterBindings.get(ctx)
	if err != nil && !visit(nil, nil, err) {
		return
	}
	for _, b := range bindings {
		d := binding{"ClusterRoleBinding", "", b.Name, b.RoleRef, b.Subjects}
		if !r.visitBinding(ctx, d, u, visit) {
			return
		}
	}
	if namespace == "" {
		return
	}
	inNamespaces, err := r.bindings.get(ctx)
	if err != nil && !visit(nil, nil, err) {
		return
	}
	for _, b := range inNamespaces[namespace] {
		d := binding{"RoleBinding", namespace, b.Name, b.RoleRef, b.Subjects}
		if !r.visitBinding(ctx, d, u, visit) {
			return
		}
	}
}

// visitBinding reports whether the visit continues.
func (r *Resolver) visitBinding(
	ctx context.Context, b binding, u user.Info, visit visitor,
) bool {
	i := slices.IndexFunc(b.subjects, func(s rbacv1.Subject) bool { return is(u, s, b.namespace) })
	if i < 0 {
		return true
	}
	rules, err := r.RulesOfRole(ctx, b.role, b.namespace)
	if err != nil {
		return visit(nil, nil, err)
	}
	b.subjects = b.subjects[i : i+1]
	for i := range rules {
		if !visit(b, &rules[i], nil) {
			return false
		}
	}
	return true
}

// RulesOfRole returns the rules of the role to which a binding in the namespace
// refers; "" is for a ClusterRoleBinding. If there is no such role, it returns
// an error.
func (r *Resolver) RulesOfRole(
	ctx context.Context, ref rbacv1.RoleRef, namespace string,
) ([]rbacv1.PolicyRule, error) {
	var rules []rbacv1.PolicyRule
	var found bool
	resource := rbacv1.Resource("clusterrole")
	switch ref.Kind {
	case "Role":
		roles, err := r.roles.get(ctx)
		if err != nil {
			return nil, err
		}
		resource = rbacv1.Resource("role")
		rules, found = roles[[2]string{namespace, ref.Name}]
	case "ClusterRole":
		roles, err := r.clusterRoles.get(ctx)
		if err != nil {
			return nil, err
		}
		rules, found = roles[ref.Name]
	default:
		return nil, fmt.Errorf("unsupported role reference kind: %q", ref.Kind)
	}
	if !found {
		return nil, apierrors.NewNotFound(resource, ref.Name)
	}
	return rules, nil
}

// rulesFor returns all rules that apply to a user. They may be incomplete if
// there is an error.
func (r *Resolver) rulesFor(
	ctx context.Context, u user.Info, namespace string,
) ([]rbacv1.PolicyRule, error) {
	var rules []rbacv1.PolicyRule
	var errs []error
	r.visit(ctx, u, namespace, func(_ fmt.Stringer, rule *rbacv1.PolicyRule, err error) bool {
		if err != nil {
			errs = append(errs, err)
			return true
		}
		rules = append(rules, *rule)
		return true
	})
	return rules, utilerrors.NewAggregate(errs)
}

// is reports whether a subject of a binding in the namespace is the user.
func is(u user.Info, s rbacv1.Subject, namespace string) bool {
	switch s.Kind {
	case rbacv1.UserKind:
		return u.GetName() == s.Name
	case rbacv1.GroupKind:
		return slices.Contains(u.GetGroups(), s.Name)
	case rbacv1.ServiceAccountKind:
		if s.Namespace != "" {
			namespace = s.Namespace
		}
		return namespace != "" && serviceaccount.MatchesUsername(namespace, s.Name, u.GetName())
	default:
		return false
	}
}

// binding is a RoleBinding or a ClusterRoleBinding.
type binding struct {
	kind, namespace, name string
	role                  rbacv1.RoleRef
	subjects              []rbacv1.Subject
}

// String implements fmt.Stringer. The text is kube-apiserver's, for the first
// subject.
func (b binding) String() string {
	name := b.name
	if b.namespace != "" {
		name += "/" + b.namespace
	}
	s := b.subjects[0]
	subject := s.Name
	if s.Kind == rbacv1.ServiceAccountKind {
		namespace := b.namespace
		if s.Namespace != "" {
			namespace = s.Namespace
		}
		subject += "/" + namespace
	}
	return fmt.Sprintf("%s %q of %s %q to %s %q",
		b.kind, name, b.role.Kind, b.role.Name, s.Kind, subject)
}

// errNoUser is returned for requests that were not authenticated.
var errNoUser = errors.New("no user on request")
