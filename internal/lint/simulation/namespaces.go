package simulation

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/matching"
)

// namespaces are the labels of the namespaces in the files, and of all others, which
// have the label of their name only. It implements matching.Namespaces.
type namespaces struct{ described matching.Namespaces }

func newNamespaces(described []*corev1.Namespace) (namespaces, error) {
	labels, err := source.FixedNamespaces(described...)
	return namespaces{labels}, err
}

// Labels implements matching.Namespaces.
func (n namespaces) Labels(ctx context.Context, name string) (map[string]string, error) {
	labels, err := n.described.Labels(ctx, name)
	if apierrors.IsNotFound(err) {
		return map[string]string{corev1.LabelMetadataName: name}, nil
	}
	return labels, err
}
