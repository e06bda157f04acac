package request

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// draft is a request in the making. Its endpoint learns from the objects.
type draft struct {
	verb verb
	at   Endpoint
	by   By

	kind schema.GroupVersionKind
	// metadata are those of the objects that have any.
	metadata []metav1.Object
}

// ask makes the request. Objects that the verb does not have are nil.
func (d *draft) ask(old, object runtime.Object) (*admission.Request, error) {
	r, err := d.request(old, object)
	if err != nil {
		return nil, fmt.Errorf("making a request to %s %s: %w", d.verb.operation(), d.at.path(), err)
	}
	return r, nil
}

func (d *draft) request(old, object runtime.Object) (*admission.Request, error) {
	r, err := d.outline()
	if err != nil {
		return nil, err
	}
	if d.verb.hasOld() {
		if r.OldObject, err = d.take("old", old); err != nil {
			return nil, err
		}
	}
	if d.verb.hasObject() {
		if r.Object, err = d.take("object", object); err != nil {
			return nil, err
		}
	}
	if err := d.at.setPath(d.verb, r); err != nil {
		return nil, err
	}
	// Objects of a resource without namespaces lose theirs, as on a server.
	// That goes for namespaces, too, although their requests have one.
	for _, m := range d.metadata {
		m.SetNamespace(d.at.Namespace)
	}
	return r, nil
}

// outline returns the request without its objects and its path.
func (d *draft) outline() (*admission.Request, error) {
	operation := d.verb.operation()
	if err := d.at.check(); err != nil {
		return nil, err
	}
	kind, err := d.at.kind(operation)
	if err != nil {
		return nil, err
	}
	if err := d.by.check(d.verb); err != nil {
		return nil, err
	}
	options, err := d.by.options(operation)
	if err != nil {
		return nil, err
	}
	d.kind = kind
	return &admission.Request{
		Operation: operation, Kind: kind, Resource: d.at.Resource, Subresource: d.at.Subresource,
		Options: options, DryRun: d.by.DryRun, User: d.by.User.DeepCopy(),
	}, nil
}

// take returns a copy of an object that was passed as an argument, with its
// kind.
func (d *draft) take(what string, object runtime.Object) (runtime.Object, error) {
	if object == nil {
		return nil, wrong(what, "required")
	}
	taken := object.DeepCopyObject()
	if taken == nil { // a typed nil pointer
		return nil, wrong(what, "required")
	}
	if reason := d.kindMismatch(taken); reason != "" {
		return nil, wrong(what, "%s", reason)
	}
	taken.GetObjectKind().SetGroupVersionKind(d.kind)
	m, err := meta.Accessor(taken)
	if err != nil {
		return taken, nil // the options of a connection have no metadata
	}
	d.metadata = append(d.metadata, m)
	return taken, d.at.learn(d.verb, what, m)
}

// kindMismatch says why an object is not what the endpoint takes, and nothing
// if it is. Go programs rarely fill in the kind of typed objects, but then they
// have a type whose name says the same: it would be wrong to send a Deployment
// as a Scale.
func (d *draft) kindMismatch(object runtime.Object) string {
	kind := object.GetObjectKind().GroupVersionKind()
	goType := reflect.Indirect(reflect.ValueOf(object)).Type()
	switch {
	case kind == d.kind, kind.Empty() && goType.Name() == d.kind.Kind:
		return ""
	case kind.Empty():
		return fmt.Sprintf("is of Go type %s, without apiVersion and kind, but %s take %s", goType,
			d.at.path(), name(d.kind))
	default:
		return fmt.Sprintf("is %s, but %s take %s", name(kind), d.at.path(), name(d.kind))
	}
}

// name returns for example "apps/v1 Deployment".
func name(kind schema.GroupVersionKind) string {
	return kind.GroupVersion().String() + " " + kind.Kind
}
