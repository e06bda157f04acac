package cli

import (
	"errors"
	"fmt"
	"io"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// plan makes one request of every object, in order. Its error has one line for
// every object that cannot become one.
func plan(o *options, in *inputs) ([]*admission.Request, error) {
	var requests []*admission.Request
	var problems []error
	for _, i := range in.objects {
		r, err := o.request(i)
		if err != nil {
			problems = append(problems, blame(i.Document, err))
			continue
		}
		requests = append(requests, r)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, &inputError{err}
	}
	return requests, nil
}

// request says what a client would ask of an API server to create or delete an
// object. Errors begin with the field at fault.
func (o *options) request(i input) (*admission.Request, error) {
	if err := i.settleNamespace(o.namespace); err != nil {
		return nil, err
	}
	m, err := meta.Accessor(i.object)
	if err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	r := &admission.Request{
		Operation: admissionv1.Operation(o.operation),
		Kind:      i.Document.Kind,
		Resource:  i.resource,
		Name:      m.GetName(),
		Namespace: m.GetNamespace(),
		Options:   o.requestOptions(),
		DryRun:    o.dryRun,
		User:      userFor(o.user, o.uid, o.groups),
	}
	if isNamespace(i.resource) {
		r.Namespace = m.GetName() // S-365
	}
	if r.Operation == admissionv1.Create {
		r.Object = i.object
		return r, nil
	}
	if r.Name == "" {
		return nil, errors.New("metadata.name: required, or there is nothing to delete")
	}
	r.OldObject = i.object
	return r, nil
}

// isNamespace reports whether a resource is that of namespaces.
func isNamespace(r schema.GroupVersionResource) bool {
	return r.GroupResource() == schema.GroupResource{Resource: "namespaces"}
}

// settleNamespace gives the object the namespace that its endpoint would have
// given it.
func (i input) settleNamespace(namespace string) error {
	m, err := meta.Accessor(i.object)
	if err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	switch {
	case !i.namespaced:
		m.SetNamespace("")
	case m.GetNamespace() == "":
		m.SetNamespace(namespace)
	}
	return nil
}

// requestOptions returns the options object of a request (S-216).
func (o *options) requestOptions() runtime.Object {
	var dryRun []string
	if o.dryRun {
		dryRun = []string{metav1.DryRunAll}
	}
	apiVersion := schema.GroupVersion{Group: metav1.GroupName, Version: "v1"}.String()
	if o.operation == string(admissionv1.Delete) {
		return &metav1.DeleteOptions{
			TypeMeta: metav1.TypeMeta{APIVersion: apiVersion, Kind: "DeleteOptions"},
			DryRun:   dryRun,
		}
	}
	return &metav1.CreateOptions{
		TypeMeta: metav1.TypeMeta{APIVersion: apiVersion, Kind: "CreateOptions"},
		DryRun:   dryRun,
	}
}

// describeAll returns the described namespaces and makes those that requests
// need besides, each with a notice: a namespaceSelector may decide by labels
// that it would have had.
func describeAll(described []*corev1.Namespace, requests []*admission.Request, stderr io.Writer) []*corev1.Namespace {
	known := map[string]bool{"": true}
	for _, ns := range described {
		known[ns.Name] = true
	}
	all := described
	for _, r := range requests {
		if known[r.Namespace] {
			continue
		}
		known[r.Namespace] = true
		notice(stderr, "namespace %q is not among the inputs: taken to exist, with no labels of its own", r.Namespace)
		all = append(all, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: r.Namespace}})
	}
	return all
}
