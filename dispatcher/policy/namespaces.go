package policy

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	upstream "k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
)

// Namespaces looks up namespaces.
type Namespaces interface {
	// Namespace returns a namespace, which the caller does not modify. If it does
	// not exist, the error is apimachinery's NotFound.
	Namespace(ctx context.Context, name string) (*corev1.Namespace, error)
}

// NamespacesFunc is a function that implements Namespaces.
type NamespacesFunc func(ctx context.Context, name string) (*corev1.Namespace, error)

// Namespace calls f.
func (f NamespacesFunc) Namespace(ctx context.Context, name string) (*corev1.Namespace, error) {
	return f(ctx, name)
}

// ClusterNamespaces looks up namespaces in a lister, and if it does not have one
// yet, with a client.
func ClusterNamespaces(lister corelisters.NamespaceLister, client kubernetes.Interface) Namespaces {
	return NamespacesFunc(func(ctx context.Context, name string) (*corev1.Namespace, error) {
		ns, err := lister.Get(name)
		if apierrors.IsNotFound(err) {
			return client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
		}
		return ns, err
	})
}

// upstreamMatcher returns upstream's matcher of policies. It looks up namespaces
// in a lister and then with a client; this lister has none.
func upstreamMatcher(namespaces Namespaces) *upstream.Matcher {
	return upstream.NewMatcher(noLister{}, &namespaceClient{
		core: coreClient{getter: namespaceGetter{namespaces: namespaces}},
	})
}

type noLister struct{ corelisters.NamespaceLister }

func (noLister) Get(name string) (*corev1.Namespace, error) {
	return nil, apierrors.NewNotFound(corev1.Resource("namespaces"), name)
}

// namespaceClient is a clientset that can get namespaces and nothing else.
type namespaceClient struct {
	kubernetes.Interface
	core coreClient
}

func (c *namespaceClient) CoreV1() corev1client.CoreV1Interface { return &c.core }

type coreClient struct {
	corev1client.CoreV1Interface
	getter namespaceGetter
}

func (c *coreClient) Namespaces() corev1client.NamespaceInterface { return &c.getter }

type namespaceGetter struct {
	corev1client.NamespaceInterface
	namespaces Namespaces
}

func (g *namespaceGetter) Get(
	ctx context.Context, name string, _ metav1.GetOptions,
) (*corev1.Namespace, error) {
	return g.namespaces.Namespace(ctx, name)
}
