package cluster

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/offline/requests"
)

// add adds a decoded document by its kind and role. Its errors begin with the
// field at fault. An argument that describes the cluster is admitted as well.
func (in *Set) add(s requests.Source, r role, namespace string) error {
	var err error
	switch obj := s.Object.(type) {
	case *rbacv1.Role, *rbacv1.ClusterRole, *rbacv1.RoleBinding, *rbacv1.ClusterRoleBinding:
		if in.isDescription(s, r) {
			err = in.addPolicy(s, namespace)
		}
	case *corev1.Namespace:
		if in.isDescription(s, r) {
			err = in.addNamespace(s, obj, r)
		}
	default:
		in.addObject(s, r)
		return nil
	}
	if r == admitting {
		in.addObject(s, r)
	}
	return err
}

// isDescription reports whether an object describes the cluster. An argument
// does not if a file of -f has described it, or if it updates the argument
// before it.
func (in *Set) isDescription(s requests.Source, r role) bool {
	m, err := meta.Accessor(s.Object)
	if err != nil {
		return true // decoding it returns the error
	}
	id := identity{s.Kind.Kind, m.GetNamespace(), m.GetName()}
	first, known := in.described[id]
	if known && r == admitting && (first != admitting || in.pairs) {
		return false
	}
	in.described[id] = r
	return true
}

// addPolicy adds an RBAC object. Its default namespace is that of -n.
func (in *Set) addPolicy(s requests.Source, namespace string) error {
	in.HasPolicy = true
	object := s.Object.DeepCopyObject()
	m, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	at, err := in.kinds.Lookup(s.Kind)
	if err != nil {
		return err
	}
	if at.Namespaced && m.GetNamespace() == "" {
		m.SetNamespace(namespace)
	}
	return in.Policy.Add(object)
}

// isPolicy reports whether --authorizer may read a kind.
func isPolicy(kind schema.GroupVersionKind) bool { return kind.Group == rbacv1.GroupName }

func (in *Set) addConfiguration(s requests.Source) error {
	if err := in.reserveName(s); err != nil {
		return err
	}
	in.Configurations = append(in.Configurations, s.Object)
	return nil
}

// addNamespace takes a description. A namespace without a name describes
// nothingToAdmit but may still be created.
func (in *Set) addNamespace(s requests.Source, ns *corev1.Namespace, r role) error {
	if ns.Name == "" && r == admitting {
		return nil
	}
	if err := in.reserveName(s); err != nil {
		return err
	}
	in.Namespaces = append(in.Namespaces, ns)
	return nil
}

// reserveName reserves an object's name within its kind.
func (in *Set) reserveName(s requests.Source) error {
	m, err := meta.Accessor(s.Object)
	if err != nil {
		return err
	}
	if m.GetName() == "" {
		return errors.New("metadata.name: required")
	}
	id := identity{kind: s.Kind.Kind, name: m.GetName()}
	if first, taken := in.positions[id]; taken {
		return fmt.Errorf("metadata.name: %s %q is already given in %s", id.kind, id.name, first)
	}
	in.positions[id] = s.Position.String()
	return nil
}
