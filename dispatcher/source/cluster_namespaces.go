package source

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"

	"example.com/gatehouse/matching"
)

// ClusterNamespaces returns the labels of an API server's namespaces. It looks in the
// lister first. If the lister does not have a namespace yet, it gets the namespace
// from the API server (S-094).
func ClusterNamespaces(lister corelisters.NamespaceLister, client kubernetes.Interface) matching.Namespaces {
	return LiveNamespaces(listerNamespaces{lister}, clientNamespaces{client})
}

type listerNamespaces struct{ lister corelisters.NamespaceLister }

// Labels implements matching.Namespaces.
func (l listerNamespaces) Labels(_ context.Context, name string) (map[string]string, error) {
	namespace, err := l.lister.Get(name)
	if err != nil {
		return nil, err
	}
	return namespace.Labels, nil
}

type clientNamespaces struct{ client kubernetes.Interface }

// Labels implements matching.Namespaces.
func (l clientNamespaces) Labels(ctx context.Context, name string) (map[string]string, error) {
	namespace, err := l.client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return namespace.Labels, nil
}
