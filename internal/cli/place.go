package cli

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// place keeps a decoded document by what it is and by where it stands. Its
// errors begin with the field at fault.
func (in *inputs) place(i input, r role, namespace string) error {
	switch obj := i.object.(type) {
	case *rbacv1.Role, *rbacv1.ClusterRole, *rbacv1.RoleBinding, *rbacv1.ClusterRoleBinding:
		return in.addPolicy(i, namespace)
	case *corev1.Namespace:
		return in.addNamespace(i, obj, r)
	}
	if r == admitting {
		in.objects = append(in.objects, i)
	} else {
		in.unused = append(in.unused, i)
	}
	return nil
}

// addPolicy takes an RBAC object. As with other objects, one that names no
// namespace is meant for that of -n.
func (in *inputs) addPolicy(i input, namespace string) error {
	if err := i.settleNamespace(namespace); err != nil {
		return err
	}
	in.hasPolicy = true
	return in.policy.Add(i.object)
}

// isPolicy reports whether --authorizer may read a kind.
func isPolicy(kind schema.GroupVersionKind) bool { return kind.Group == rbacv1.GroupName }

func (in *inputs) addConfiguration(i input) error {
	if err := in.claim(i); err != nil {
		return err
	}
	in.configurations = append(in.configurations, i.object)
	return nil
}

// addNamespace takes a description, and admits it too if it is an argument. A
// namespace without a name describes nothing but may still be created.
func (in *inputs) addNamespace(i input, ns *corev1.Namespace, r role) error {
	if ns.Name != "" || r != admitting {
		if err := in.claim(i); err != nil {
			return err
		}
		// An API server adds the label when it reads the object, so webhooks
		// see it in the object too.
		if ns.Labels == nil {
			ns.Labels = map[string]string{}
		}
		ns.Labels[corev1.LabelMetadataName] = ns.Name
		in.namespaces = append(in.namespaces, ns)
	}
	if r == admitting {
		in.objects = append(in.objects, i)
	}
	return nil
}

// claim reserves an object's name within its kind.
func (in *inputs) claim(i input) error {
	m, err := meta.Accessor(i.object)
	if err != nil {
		return err
	}
	if m.GetName() == "" {
		return errors.New("metadata.name: required")
	}
	id := identity{i.Document.Kind.Kind, m.GetName()}
	if first, taken := in.places[id]; taken {
		return fmt.Errorf("metadata.name: %s %q is already given in %s", id.kind, id.name, first)
	}
	in.places[id] = i.Position.String()
	return nil
}
