package inventory

import (
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/manifest"
)

// addObjects decodes the documents of known kinds. The error has one line for each
// mistake.
func (in *Inventory) addObjects(documents []*manifest.Document) error {
	var problems []error
	for _, d := range documents {
		at, err := in.Kinds.Lookup(d.Kind)
		if err != nil {
			in.Unknown[d.Kind.GroupKind()]++
			continue
		}
		object, err := in.Kinds.Decode(d)
		if err == nil && at.Namespaced {
			err = setNamespace(object)
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		in.Kinds.Normalize(object) // the stringData of a Secret becomes data
		in.objects = append(in.objects, Object[runtime.Object]{object, d})
	}
	return errors.Join(problems...)
}

// setNamespace sets the namespace of an object that has none.
func setNamespace(object runtime.Object) error {
	m, err := meta.Accessor(object)
	if err == nil && m.GetNamespace() == "" {
		m.SetNamespace(metav1.NamespaceDefault)
	}
	return err
}

// Has reports whether an object of a kind is among the files, such as "Service". Files
// with roles have bindings, too.
func (in *Inventory) Has(kind string) bool {
	switch kind {
	case "Namespace":
		return len(in.Cluster.Namespaces) > 0
	case "CustomResourceDefinition":
		return len(in.Cluster.Definitions) > 0
	case "ClusterRoleBinding", "RoleBinding":
		return in.Cluster.HasPolicy
	}
	return slices.ContainsFunc(in.Cluster.Policies, func(o runtime.Object) bool {
		return o.GetObjectKind().GroupVersionKind().Kind == kind
	}) || slices.ContainsFunc(in.objects, func(o Object[runtime.Object]) bool {
		return o.Document.Kind.Kind == kind
	})
}

// Service returns the Service of a backend; nil if it is not among the files.
func (in *Inventory) Service(b Backend) *corev1.Service {
	for _, s := range Objects[*corev1.Service](in) {
		if s.Object.Namespace == b.Namespace && s.Object.Name == b.Service {
			return s.Object
		}
	}
	return nil
}
