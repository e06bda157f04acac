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

// place returns a namespace that all selectors select: one that is known, or a new one.
func (m *maker) place(selectors []labels.Selector) (*corev1.Namespace, bool) {
	for _, ns := range m.around {
		set := labelsOf(ns)
		if !slices.ContainsFunc(selectors, func(s labels.Selector) bool { return !s.Matches(set) }) {
			return ns, true
		}
	}
	for _, name := range m.free() {
		set, ok := satisfy(selectors, map[string]string{corev1.LabelMetadataName: name})
		if !ok {
			return nil, false
		}
		// Every namespace has that label. A selector may have insisted on another value.
		name, has := set[corev1.LabelMetadataName]
		if has && m.known(name) == nil {
			return m.build(name, set), true
		}
	}
	return nil, false
}

// build adds a namespace.
func (m *maker) build(name string, set map[string]string) *corev1.Namespace {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if len(set) > 1 {
		ns.Labels = set
	}
	m.around = append(m.around, ns)
	return ns
}

// free returns a few names that no namespace has.
func (m *maker) free() []string {
	var names []string
	for i := 1; len(names) < few; i++ {
		if name := numbered(i); m.known(name) == nil {
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

func (m *maker) known(name string) *corev1.Namespace {
	i := slices.IndexFunc(m.around, func(ns *corev1.Namespace) bool { return ns.Name == name })
	if i < 0 {
		return nil
	}
	return m.around[i]
}

// labelsOf returns the labels that a namespace has in a cluster.
func labelsOf(ns *corev1.Namespace) labels.Set {
	all := labels.Set{}
	maps.Copy(all, ns.Labels)
	all[corev1.LabelMetadataName] = ns.Name
	return all
}

// needed returns the namespaces that are described, and those besides that requests are
// in.
func (m *maker) needed(requests []*admission.Request) []*corev1.Namespace {
	all := slices.Clone(m.Namespaces)
	for _, r := range requests {
		has := slices.ContainsFunc(all, func(ns *corev1.Namespace) bool { return ns.Name == r.Namespace })
		switch ns := m.known(r.Namespace); {
		case r.Namespace == "" || has:
		case ns != nil:
			all = append(all, ns)
		default:
			all = append(all, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: r.Namespace}})
		}
	}
	return all
}
