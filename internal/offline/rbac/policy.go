package rbac

import (
	"errors"
	"fmt"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Policy is a set of roles and bindings. The zero value is an empty one, which
// allows system:masters only.
type Policy struct {
	// roles holds the rules of Roles and, under an empty namespace, those of
	// ClusterRoles.
	roles map[object][]rbacv1.PolicyRule
	// clusterWide are the ClusterRoleBindings, local the RoleBindings.
	clusterWide, local []binding
	// taken are the bindings that exist, to notice repetitions.
	taken map[object]bool
}

// object identifies a role or a binding; namespace is empty for the cluster's.
type object struct{ namespace, name string }

func (o object) String() string {
	if o.namespace == "" {
		return o.name
	}
	return o.namespace + "/" + o.name
}

// binding is a RoleBinding or, with an empty namespace, a ClusterRoleBinding.
type binding struct {
	object
	subjects []rbacv1.Subject
	role     rbacv1.RoleRef
}

// Add adds a Role, ClusterRole, RoleBinding or ClusterRoleBinding of
// rbac.authorization.k8s.io/v1. The object is kept and must not be modified
// afterwards. The order of roles and bindings does not matter.
//
// It is an error, which begins with the field at fault, if the object has no
// name, a namespaced one no namespace, if it was added before, or if a binding
// refers to something that cannot be bound.
func (p *Policy) Add(obj runtime.Object) error {
	switch obj := obj.(type) {
	case *rbacv1.Role:
		return p.addRole("Role", true, &obj.ObjectMeta, obj.Rules)
	case *rbacv1.ClusterRole:
		return p.addRole("ClusterRole", false, &obj.ObjectMeta, obj.Rules)
	case *rbacv1.RoleBinding:
		return p.addBinding("RoleBinding", true, &obj.ObjectMeta, obj.Subjects, obj.RoleRef)
	case *rbacv1.ClusterRoleBinding:
		return p.addBinding("ClusterRoleBinding", false, &obj.ObjectMeta, obj.Subjects, obj.RoleRef)
	default:
		return fmt.Errorf("kind: %T is not a role or a binding of %s", obj, rbacv1.SchemeGroupVersion)
	}
}

func (p *Policy) addRole(
	kind string, namespaced bool, meta *metav1.ObjectMeta, rules []rbacv1.PolicyRule,
) error {
	id, err := identify(namespaced, meta)
	if err != nil {
		return err
	}
	if _, taken := p.roles[id]; taken {
		return repeated(kind, id)
	}
	if p.roles == nil {
		p.roles = map[object][]rbacv1.PolicyRule{}
	}
	p.roles[id] = rules
	return nil
}

func (p *Policy) addBinding(
	kind string, namespaced bool, meta *metav1.ObjectMeta, subjects []rbacv1.Subject,
	role rbacv1.RoleRef,
) error {
	id, err := identify(namespaced, meta)
	if err != nil {
		return err
	}
	if p.taken[id] {
		return repeated(kind, id)
	}
	if role.Kind != "ClusterRole" && (role.Kind != "Role" || !namespaced) {
		return fmt.Errorf("roleRef.kind: a %s cannot bind a %q", kind, role.Kind)
	}
	if p.taken == nil {
		p.taken = map[object]bool{}
	}
	p.taken[id] = true
	b := binding{object: id, subjects: subjects, role: role}
	if namespaced {
		p.local = append(p.local, b)
	} else {
		p.clusterWide = append(p.clusterWide, b)
	}
	return nil
}

// identify returns what has to be unique within a kind. The namespace of a
// cluster-scoped object is ignored, as an API server does.
func identify(namespaced bool, meta *metav1.ObjectMeta) (object, error) {
	if meta.Name == "" {
		return object{}, errors.New("metadata.name: required")
	}
	if !namespaced {
		return object{name: meta.Name}, nil
	}
	if meta.Namespace == "" {
		return object{}, errors.New("metadata.namespace: required")
	}
	return object{namespace: meta.Namespace, name: meta.Name}, nil
}

func repeated(kind string, id object) error {
	return fmt.Errorf("metadata.name: %s %q is given twice", kind, id)
}

// rulesOf returns the rules of the role that b refers to.
func (p *Policy) rulesOf(b *binding) ([]rbacv1.PolicyRule, error) {
	id, resource := object{name: b.role.Name}, "clusterrole"
	if b.role.Kind == "Role" {
		id.namespace, resource = b.namespace, "role"
	}
	rules, known := p.roles[id]
	if !known {
		// The singular is upstream's: its listers are named so.
		return nil, apierrors.NewNotFound(rbacv1.Resource(resource), b.role.Name)
	}
	return rules, nil
}
