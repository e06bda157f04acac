package source

import (
	"context"
	"errors"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corelisters "k8s.io/client-go/listers/core/v1"

	"example.com/gatehouse/matching"
)

// FixedNamespaces returns the labels of the given namespaces, and a NotFound
// error for every other one. It copies the labels and adds
// kubernetes.io/metadata.name, as an API server does.
//
// It fails if a namespace is nil, has no name or is given twice. The error
// names the position in the list, counted from 1.
func FixedNamespaces(namespaces ...*corev1.Namespace) (matching.Namespaces, error) {
	fixed := make(fixedNamespaces, len(namespaces))
	var problems []error
	for i, ns := range namespaces {
		if err := fixed.add(ns); err != nil {
			problems = append(problems, fmt.Errorf("namespace %d: %w", i+1, err))
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return fixed, nil
}

// fixedNamespaces maps names to labels. It is immutable after FixedNamespaces.
type fixedNamespaces map[string]map[string]string

func (f fixedNamespaces) add(ns *corev1.Namespace) error {
	if ns == nil {
		return errors.New("is nil")
	}
	if ns.Name == "" {
		return errors.New("has no name")
	}
	if _, taken := f[ns.Name]; taken {
		return fmt.Errorf("%q is given twice", ns.Name)
	}
	labels := make(map[string]string, len(ns.Labels)+1)
	maps.Copy(labels, ns.Labels)
	labels[corev1.LabelMetadataName] = ns.Name
	f[ns.Name] = labels
	return nil
}

// Labels implements matching.Namespaces. It does not block and ignores ctx.
func (f fixedNamespaces) Labels(_ context.Context, name string) (map[string]string, error) {
	if labels, ok := f[name]; ok {
		return labels, nil
	}
	return nil, apierrors.NewNotFound(corev1.Resource("namespaces"), name)
}

// LiveNamespaces looks up labels in cached. If cached returns NotFound, it
// looks them up in live, because the namespace may be newer than the cache
// (S-094). It returns other errors of cached and all errors of live.
//
// The live lookup uses the context of the request and ends with it.
// kube-apiserver's lookup does not.
func LiveNamespaces(cached, live matching.Namespaces) matching.Namespaces {
	return namespacesFunc(func(ctx context.Context, name string) (map[string]string, error) {
		labels, err := cached.Labels(ctx, name)
		if apierrors.IsNotFound(err) {
			return live.Labels(ctx, name)
		}
		return labels, err
	})
}

// NamespaceGetter gets a namespace from an API server. client-go's
// CoreV1().Namespaces() is one.
type NamespaceGetter interface {
	Get(ctx context.Context, name string, o metav1.GetOptions) (*corev1.Namespace, error)
}

// ClusterNamespaces returns the labels of an API server's namespaces. It looks
// in the lister first. If the lister does not have a namespace yet, it gets the
// namespace from the API server (S-094).
func ClusterNamespaces(
	lister corelisters.NamespaceLister, client NamespaceGetter,
) matching.Namespaces {
	cached := func(_ context.Context, name string) (map[string]string, error) {
		return labelsOf(lister.Get(name))
	}
	live := func(ctx context.Context, name string) (map[string]string, error) {
		return labelsOf(client.Get(ctx, name, metav1.GetOptions{}))
	}
	return LiveNamespaces(namespacesFunc(cached), namespacesFunc(live))
}

func labelsOf(ns *corev1.Namespace, err error) (map[string]string, error) {
	if err != nil {
		return nil, err
	}
	return ns.Labels, nil
}

// namespacesFunc is a function that implements matching.Namespaces.
type namespacesFunc func(ctx context.Context, name string) (map[string]string, error)

// Labels calls f.
func (f namespacesFunc) Labels(ctx context.Context, name string) (map[string]string, error) {
	return f(ctx, name)
}
