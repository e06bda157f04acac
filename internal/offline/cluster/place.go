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

// place keeps a decoded document by what it is and by where it stands. Its
// errors begin with the field at fault.
//
// What describes the cluster is admitted as well if it is an argument.
func (in *Set) place(s requests.Source, r role, namespace string) error {
	var err error
	switch obj := s.Object.(type) {
	case *rbacv1.Role, *rbacv1.ClusterRole, *rbacv1.RoleBinding, *rbacv1.ClusterRoleBinding:
		if in.describes(s, r) {
			err = in.addPolicy(s, namespace)
		}
	case *corev1.Namespace:
		if in.describes(s, r) {
			err = in.addNamespace(s, obj, r)
		}
	default:
		in.ask(s, r)
		return nil
	}
	if r == admitting {
		in.ask(s, r)
	}
	return err
}

// describes reports whether an object says what the cluster is like. An argument does
// not if something after -f says so already, and neither does one that updates the
// argument before it.
func (in *Set) describes(s requests.Source, r role) bool {
	m, err := meta.Accessor(s.Object)
	if err != nil {
		return true // whoever takes it says why not
	}
	id := identity{s.Kind.Kind, m.GetNamespace(), m.GetName()}
	first, known := in.described[id]
	if known && r == admitting && (first != admitting || in.pairs) {
		return false
	}
	in.described[id] = r
	return true
}

// addPolicy takes an RBAC object. As with other objects, one that names no
// namespace is meant for that of -n.
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
	if err := in.claim(s); err != nil {
		return err
	}
	in.Configurations = append(in.Configurations, s.Object)
	return nil
}

// addNamespace takes a description. A namespace without a name describes nothing but
// may still be created.
func (in *Set) addNamespace(s requests.Source, ns *corev1.Namespace, r role) error {
	if ns.Name == "" && r == admitting {
		return nil
	}
	if err := in.claim(s); err != nil {
		return err
	}
	in.Namespaces = append(in.Namespaces, ns)
	return nil
}

// claim reserves an object's name within its kind.
func (in *Set) claim(s requests.Source) error {
	m, err := meta.Accessor(s.Object)
	if err != nil {
		return err
	}
	if m.GetName() == "" {
		return errors.New("metadata.name: required")
	}
	id := identity{kind: s.Kind.Kind, name: m.GetName()}
	if first, taken := in.places[id]; taken {
		return fmt.Errorf("metadata.name: %s %q is already given in %s", id.kind, id.name, first)
	}
	in.places[id] = s.Position.String()
	return nil
}
