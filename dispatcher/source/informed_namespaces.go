package source

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"

	"example.com/gatehouse/matching"
)

// ClusterNamespaces returns the labels of an API server's namespaces: from the
// lister, and for a namespace that it does not know yet from the server itself
// (S-094).
func ClusterNamespaces(lister corelisters.NamespaceLister, client kubernetes.Interface) matching.Namespaces {
	return LiveNamespaces(listed{lister}, live{client})
}

type listed struct{ lister corelisters.NamespaceLister }

// Labels implements matching.Namespaces.
func (l listed) Labels(_ context.Context, name string) (map[string]string, error) {
	namespace, err := l.lister.Get(name)
	if err != nil {
		return nil, err
	}
	return namespace.Labels, nil
}

type live struct{ client kubernetes.Interface }

// Labels implements matching.Namespaces.
func (l live) Labels(ctx context.Context, name string) (map[string]string, error) {
	namespace, err := l.client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return namespace.Labels, nil
}
