package install

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// createNamespaces creates the namespaces of objects that neither the objects
// nor the server have. The webhooks of the objects are registered later.
func (a *applier) createNamespaces(
	ctx context.Context, objects []object, notice func(string),
) error {
	known := map[string]bool{"": true}
	for _, o := range objects {
		if o.kind() == namespaceKind {
			known[o.GetName()] = true
		}
	}
	for _, o := range objects {
		name := o.GetNamespace()
		if known[name] {
			continue
		}
		known[name] = true
		created, err := a.createNamespace(ctx, name)
		if err != nil {
			return o.document.Wrap("metadata.namespace", fmt.Errorf("creating the namespace %q: %w", name, err))
		}
		if created {
			notice(fmt.Sprintf("namespace %q is not among the inputs: created without labels of its own", name))
		}
	}
	return nil
}

// createNamespace creates a namespace and reports whether it did not exist.
func (a *applier) createNamespace(ctx context.Context, name string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, applyTimeout)
	defer cancel()
	namespace := &unstructured.Unstructured{}
	namespace.SetAPIVersion("v1")
	namespace.SetKind(namespaceKind)
	namespace.SetName(name)
	_, err := a.objects.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).
		Create(ctx, namespace, metav1.CreateOptions{FieldManager: fieldManager})
	if apierrors.IsAlreadyExists(err) {
		return false, nil
	}
	return err == nil, err
}
