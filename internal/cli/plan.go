package cli

import (
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/merge"
	"example.com/gatehouse/internal/requests"
)

// plan makes the requests that the inputs ask for, in order. Its error has one line
// for every document that cannot become one.
func plan(o *options, in *inputs) ([]*admission.Request, error) {
	settings, err := o.readSettings()
	if err != nil {
		return nil, &inputError{err}
	}
	merger, err := merge.New(in.kinds.ObjectInterfaces(), in.definitions...)
	if err != nil {
		return nil, fmt.Errorf("preparing to merge objects: %w", err)
	}
	maker := requests.New(in.kinds, merger, settings)
	made, err := maker.Make(in.objects, in.stored)
	if err != nil {
		return nil, &inputError{err}
	}
	in.notUpdated = maker.Unused()
	return made, nil
}

// isNamespace reports whether a resource is that of namespaces.
func isNamespace(r schema.GroupVersionResource) bool {
	return r.GroupResource() == schema.GroupResource{Resource: "namespaces"}
}

// describeAll returns the described namespaces and makes those that requests
// need besides, each with a notice: a namespaceSelector may decide by labels
// that it would have had.
func describeAll(described []*corev1.Namespace, made []*admission.Request, stderr io.Writer) []*corev1.Namespace {
	known := map[string]bool{"": true}
	for _, ns := range described {
		known[ns.Name] = true
	}
	all := described
	for _, r := range made {
		if known[r.Namespace] {
			continue
		}
		known[r.Namespace] = true
		notice(stderr, "namespace %q is not among the inputs: taken to exist, with no labels of its own", r.Namespace)
		all = append(all, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: r.Namespace}})
	}
	return all
}
