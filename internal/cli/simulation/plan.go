package simulation

import (
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/inputs"
	"example.com/gatehouse/internal/kinds"
	"example.com/gatehouse/internal/merge"
	"example.com/gatehouse/internal/requests"
)

// plan makes the requests that the inputs ask for, in order, and returns besides the
// maker, which knows more about them. Its error has one line for every document that
// cannot become a request.
func plan(settings requests.Settings, in *inputs.Set, known *kinds.Registry) ([]*admission.Request, *requests.Maker, error) {
	merger, err := merge.New(known.ObjectInterfaces(), in.Definitions...)
	if err != nil {
		return nil, nil, fmt.Errorf("preparing to merge objects: %w", err)
	}
	maker := requests.New(known, merger, settings)
	made, err := maker.Make(in.Objects, in.Stored)
	if err != nil {
		return nil, nil, &command.InputError{Err: err}
	}
	return made, maker, nil
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
		command.Notice(stderr, "namespace %q is not among the inputs: taken to exist, with no labels of its own", r.Namespace)
		all = append(all, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: r.Namespace}})
	}
	return all
}
