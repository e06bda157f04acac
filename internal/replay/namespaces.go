package replay

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// recordedNamespace returns the namespace of the entry that is admitted in a context;
// nil if the entry does not have its labels.
func recordedNamespace(ctx context.Context, name string) *corev1.Namespace {
	v := visitOf(ctx)
	if v == nil || v.request.Namespace != name || v.entry.NamespaceLabels == nil {
		return nil
	}
	return &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: v.entry.NamespaceLabels},
	}
}
