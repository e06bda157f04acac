package draw

import (
	"encoding/json"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/requests"
)

// Of returns a request of the inputs as a case.
func (d *Drawer) Of(made *requests.Made) (*Case, error) {
	e, err := d.endpointOf(made)
	if err != nil {
		return nil, err
	}
	c := e.Smallest()
	r := c.Fields[requestPart].(map[string]any)
	for name, o := range map[string]runtime.Object{"object": made.Object, "oldObject": made.OldObject} {
		delete(r, name)
		if o == nil {
			continue
		}
		if r[name], err = fieldsOf(o); err != nil {
			return nil, err
		}
	}
	user, err := fieldsOf(made.User)
	if err != nil {
		return nil, err
	}
	r["userInfo"] = user
	if made.Namespace != "" && e.Namespaced {
		r["namespace"] = made.Namespace
	}
	if made.Name != "" {
		r["name"] = made.Name
	}
	if made.DryRun {
		r["dryRun"] = true
	}
	return c, nil
}

// endpointOf returns the endpoint of a request, which may be one without generated requests.
func (d *Drawer) endpointOf(made *requests.Made) (*Endpoint, error) {
	for _, e := range d.all {
		if e.GroupVersionResource == made.Resource && e.Subresource == made.Subresource &&
			e.Operation == made.Operation {
			return e, nil
		}
	}
	for r := range d.kinds.Resources() {
		if r.GroupVersionResource == made.Resource {
			return d.newEndpoint(r, made.Subresource, made.Operation, made)
		}
	}
	return nil, fmt.Errorf("%s: the resource is not known", made.Resource)
}

func (d *Drawer) newEndpoint(
	r kinds.Resource, subresource string, operation admissionv1.Operation, made *requests.Made,
) (*Endpoint, error) {
	of := d.typeOf(made.Kind)
	if of == nil {
		return nil, fmt.Errorf("%s: the kind is not known", made.Kind)
	}
	return &Endpoint{
		Resource: r, Subresource: subresource, Operation: operation, body: made.Kind, of: of,
	}, nil
}

// fieldsOf returns the fields of a value in JSON.
func fieldsOf(v any) (map[string]any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	err = utiljson.Unmarshal(text, &fields)
	return fields, err
}

// Shorter returns cases that are much smaller: the smallest of the endpoint, and a CREATE
// of the new object of an UPDATE.
func (d *Drawer) Shorter(c *Case) []*Case {
	all := []*Case{c.Endpoint.Smallest()}
	if all[0].Key() == c.Key() {
		all = nil
	}
	if c.Endpoint.Operation != admissionv1.Update || c.Endpoint.Subresource != "" {
		return all
	}
	for _, e := range d.all {
		if e.GroupVersionResource == c.Endpoint.GroupVersionResource && e.Subresource == "" &&
			e.Operation == admissionv1.Create {
			created := &Case{e, c.Clone().Fields}
			r := created.Fields[requestPart].(map[string]any)
			delete(r, "oldObject")
			r["operation"] = string(admissionv1.Create)
			all = append(all, created)
		}
	}
	return all
}
