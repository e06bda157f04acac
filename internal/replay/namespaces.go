package replay

import (
	"context"
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/offline/session"
)

// namespaces are those of the inputs, and those that the entries describe. All
// others exist, too, without labels of their own. It implements
// session.Namespaces.
type namespaces struct {
	described map[string]*corev1.Namespace
	// recorded says that the entries take precedence.
	recorded bool
}

func newNamespaces(recorded bool) func([]*corev1.Namespace) (session.Namespaces, error) {
	return func(described []*corev1.Namespace) (session.Namespaces, error) {
		n := &namespaces{described: map[string]*corev1.Namespace{}, recorded: recorded}
		for _, ns := range described {
			n.described[ns.Name] = labelled(ns)
		}
		return n, nil
	}
}

// Labels implements matching.Namespaces.
func (n *namespaces) Labels(ctx context.Context, name string) (map[string]string, error) {
	ns, err := n.Namespace(ctx, name)
	return ns.Labels, err
}

// Namespace implements policy.Namespaces.
func (n *namespaces) Namespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	described := n.described[name]
	if described != nil && !n.recorded {
		return described, nil
	}
	if v := visitOf(ctx); v != nil && v.request.Namespace == name && v.entry.NamespaceLabels != nil {
		return labelled(&corev1.Namespace{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: v.entry.NamespaceLabels},
		}), nil
	}
	if described != nil {
		return described, nil
	}
	return labelled(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}), nil
}

// labelled returns a copy of a namespace with the label that an API server adds.
func labelled(ns *corev1.Namespace) *corev1.Namespace {
	named := *ns
	named.Labels = map[string]string{}
	maps.Copy(named.Labels, ns.Labels)
	named.Labels[corev1.LabelMetadataName] = ns.Name
	return &named
}
