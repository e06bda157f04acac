package cluster

import (
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/offline/policies"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// add adds what a decoded document describes. Its errors begin with the field
// at fault.
func (in *Set) add(s requests.Source, r role) error {
	var err error
	switch obj := s.Object.(type) {
	case *rbacv1.Role, *rbacv1.ClusterRole, *rbacv1.RoleBinding, *rbacv1.ClusterRoleBinding:
		s.Object = obj.DeepCopyObject()
		err = in.setNamespace(s.Object)
		if err == nil && in.isDescription(s, r) {
			err = in.addPolicy(s)
		}
	case *corev1.Namespace:
		if in.isDescription(s, r) {
			err = in.addNamespace(s, obj, r)
		}
	}
	return err
}

// isDescription reports whether an object describes the cluster. An argument
// does not if a file of -f has described it, or if it updates the argument
// before it.
func (in *Set) isDescription(s requests.Source, r role) bool {
	id := identityOf(s)
	first, known := in.described[id]
	if known && r == admitting && (first != admitting || in.files.Pairs) {
		return false
	}
	in.described[id] = r
	return true
}

// addPolicy adds an RBAC object, which has a namespace and is kept.
func (in *Set) addPolicy(s requests.Source) error {
	in.HasPolicy = true
	if in.isRepeated(s) {
		return nil
	}
	return in.Policy.Add(s.Object)
}

// setNamespace sets the default namespace, which is that of -n.
func (in *Set) setNamespace(o runtime.Object) error {
	at, err := in.kinds.Lookup(o.GetObjectKind().GroupVersionKind())
	if err != nil {
		return err
	}
	m, err := meta.Accessor(o)
	if err == nil && at.Namespaced && m.GetNamespace() == "" {
		m.SetNamespace(in.files.Namespace)
	}
	return err
}

// isRepeated reports whether the same description, of one kind and name and
// with the same content, was taken before: a file may be among the inputs
// twice. The first of a name is remembered.
func (in *Set) isRepeated(s requests.Source) bool {
	id := identityOf(s)
	first, known := in.first[id]
	if !known {
		in.first[id] = s
		in.descriptions = append(in.descriptions, s)
	}
	return known && equality.Semantic.DeepEqual(first.Object, s.Object)
}

// identityOf returns the identity of an object; that of its kind if it has no
// metadata.
func identityOf(s requests.Source) identity {
	id := identity{kind: s.Kind.Kind}
	if !describes(s.Kind) {
		id.version = s.Kind.GroupVersion()
	}
	if m, err := meta.Accessor(s.Object); err == nil { // decoding it returns the error
		id.namespace, id.name = m.GetNamespace(), m.GetName()
	}
	return id
}

// isPolicy reports whether --authorizer may read a kind.
func isPolicy(kind schema.GroupVersionKind) bool { return kind.Group == rbacv1.GroupName }

// describes reports whether objects of a kind describe the cluster, in whatever
// version.
func describes(kind schema.GroupVersionKind) bool {
	if isPolicy(kind) || webhookconfig.Is(kind) || policies.Is(kind) {
		return true
	}
	return slices.Contains([]schema.GroupKind{
		{Kind: "Namespace"},
		{Group: apiextensionsv1.GroupName, Kind: definitionKind},
	}, kind.GroupKind())
}

func (in *Set) addConfiguration(s requests.Source) error {
	taken, err := in.take(s)
	if taken {
		in.Configurations = append(in.Configurations, s.Object)
	}
	return err
}

// addNamespace takes a description. A namespace without a name describes
// nothing but may still be created.
func (in *Set) addNamespace(s requests.Source, ns *corev1.Namespace, r role) error {
	if ns.Name == "" && r == admitting {
		return nil
	}
	taken, err := in.take(s)
	if taken {
		in.Namespaces = append(in.Namespaces, ns)
	}
	return err
}

// take reports whether an object is the first of its kind and name. It is an
// error if another one has the name already.
func (in *Set) take(s requests.Source) (bool, error) {
	id := identityOf(s)
	if id.name == "" {
		return false, errors.New("metadata.name: required")
	}
	first, known := in.first[id]
	if in.isRepeated(s) {
		return false, nil
	}
	if known {
		return false, fmt.Errorf("metadata.name: %s %q is already given in %s", id.kind, id.name, first.Position)
	}
	return true, nil
}
