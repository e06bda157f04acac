package session

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/policy"
	"example.com/gatehouse/internal/offline/policies"
	"example.com/gatehouse/matching"
)

// Namespaces looks up namespaces for selectors and for policies.
type Namespaces interface {
	matching.Namespaces
	policy.Namespaces
}

// NamespacesOf returns a value for Options.Namespaces: the namespaces of the inputs,
// and those that of returns for the context of a request, or nil. ofFirst says that
// the latter take precedence. All others exist, too, without labels of their own.
func NamespacesOf(
	of func(ctx context.Context, name string) *corev1.Namespace, ofFirst bool,
) func(described []*corev1.Namespace) (Namespaces, error) {
	return func(described []*corev1.Namespace) (Namespaces, error) {
		n := &namespacesOf{described: map[string]*corev1.Namespace{}, of: of, ofFirst: ofFirst}
		for _, ns := range described {
			n.described[ns.Name] = policies.Labelled(ns)
		}
		return n, nil
	}
}

type namespacesOf struct {
	described map[string]*corev1.Namespace
	of        func(context.Context, string) *corev1.Namespace
	ofFirst   bool
}

// Labels implements matching.Namespaces.
func (n *namespacesOf) Labels(ctx context.Context, name string) (map[string]string, error) {
	ns, err := n.Namespace(ctx, name)
	return ns.Labels, err
}

// Namespace implements policy.Namespaces.
func (n *namespacesOf) Namespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	described := n.described[name]
	if described != nil && !n.ofFirst {
		return described, nil
	}
	if ns := n.of(ctx, name); ns != nil {
		return policies.Labelled(ns), nil
	}
	if described != nil {
		return described, nil
	}
	return policies.Labelled(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}), nil
}
