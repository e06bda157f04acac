package sample

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

func isNamespaces(resource schema.GroupResource) bool {
	return resource == schema.GroupResource{Resource: "namespaces"}
}

// namespaceFor returns a namespace that all selectors match: a known one, or a
// new one.
func (m *maker) namespaceFor(selectors []labels.Selector) (*corev1.Namespace, bool) {
	for _, ns := range m.namespaces {
		set := labelsOf(ns)
		if !slices.ContainsFunc(selectors, func(s labels.Selector) bool { return !s.Matches(set) }) {
			return ns, true
		}
	}
	for _, name := range m.unusedNames() {
		set, ok := satisfy(selectors, map[string]string{corev1.LabelMetadataName: name})
		if !ok {
			return nil, false
		}
		// The label is the namespace's name. A selector may require another
		// value.
		name, has := set[corev1.LabelMetadataName]
		if has && m.namespace(name) == nil {
			return m.addNamespace(name, set), true
		}
	}
	return nil, false
}

// addNamespace adds a namespace.
func (m *maker) addNamespace(name string, set map[string]string) *corev1.Namespace {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if len(set) > 1 {
		ns.Labels = set
	}
	m.namespaces = append(m.namespaces, ns)
	return ns
}

// unusedNames returns a few names that no namespace has.
func (m *maker) unusedNames() []string {
	var names []string
	for i := 1; len(names) < maxOpen; i++ {
		if name := numbered(i); m.namespace(name) == nil {
			names = append(names, name)
		}
	}
	return names
}

func numbered(i int) string {
	if i == 1 {
		return "sample"
	}
	return fmt.Sprintf("sample-%d", i)
}

func (m *maker) namespace(name string) *corev1.Namespace {
	i := slices.IndexFunc(m.namespaces, func(ns *corev1.Namespace) bool { return ns.Name == name })
	if i < 0 {
		return nil
	}
	return m.namespaces[i]
}

// labelsOf returns the labels of a namespace in a cluster.
func labelsOf(ns *corev1.Namespace) labels.Set {
	all := labels.Set{}
	maps.Copy(all, ns.Labels)
	all[corev1.LabelMetadataName] = ns.Name
	return all
}

// requiredNamespaces returns the described namespaces and those of the
// requests.
func (m *maker) requiredNamespaces(requests []*admission.Request) []*corev1.Namespace {
	all := slices.Clone(m.Namespaces)
	for _, r := range requests {
		has := slices.ContainsFunc(all, func(ns *corev1.Namespace) bool { return ns.Name == r.Namespace })
		switch ns := m.namespace(r.Namespace); {
		case r.Namespace == "" || has:
		case ns != nil:
			all = append(all, ns)
		default:
			all = append(all, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: r.Namespace}})
		}
	}
	return all
}
