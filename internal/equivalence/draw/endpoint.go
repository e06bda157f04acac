package draw

import (
	"reflect"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/offline/kinds"
)

// Endpoint is the target of requests.
type Endpoint struct {
	kinds.Resource
	// Subresource is empty for the resource itself.
	Subresource string
	Operation   admissionv1.Operation
	// Matched is true if a rule of a side names the endpoint.
	Matched bool

	// body is the kind of the objects, and of their type.
	body schema.GroupVersionKind
	of   *Type
}

// most is the maximum number of resources of those that the rules match: a rule may match
// all.
const most = 8

// usual are the resources that are chosen first if rules match many.
var usual = []string{"pods", "deployments", "services", "configmaps", "secrets", "namespaces",
	"jobs", "ingresses"}

// subresources are those of all resources.
var subresources = []string{"", "status", "scale", "ephemeralcontainers", "resize", "binding",
	"eviction", "exec", "attach", "portforward", "proxy", "token", "approval", "finalize"}

// endpoints returns the endpoints of the resources that rules name, in all versions and
// with all operations and subresources, and one that they do not name.
func (d *Drawer) endpoints() []*Endpoint {
	var all []*Endpoint
	named := func(group, resource string) bool {
		return slices.ContainsFunc(d.rules, func(r registrationv1.RuleWithOperations) bool {
			return has(r.APIGroups, group) && hasResource(r.Resources, resource)
		})
	}
	var chosen []schema.GroupResource
	for _, first := range []bool{true, false} {
		for r := range d.kinds.Resources() {
			gr := r.GroupResource()
			if slices.Contains(usual, r.Resource) == first && named(r.Group, r.Resource) &&
				len(chosen) < most && !slices.Contains(chosen, gr) {
				chosen = append(chosen, gr)
			}
		}
	}
	if control := (schema.GroupResource{Resource: "configmaps"}); !slices.Contains(chosen, control) {
		chosen = append(chosen, control)
	}
	for _, gr := range chosen {
		for r := range d.kinds.Resources() {
			if r.GroupResource() == gr {
				all = append(all, d.endpointsOf(r)...)
			}
		}
	}
	return all
}

// Unknown returns the resources that rules name and that no kind is known for, as
// RESOURCE.GROUP: their CustomResourceDefinitions are not among the inputs.
func (d *Drawer) Unknown() []string {
	var all []string
	for _, rule := range d.rules {
		for _, group := range rule.APIGroups {
			for _, path := range rule.Resources {
				resource, _, _ := strings.Cut(path, "/")
				named := schema.GroupResource{Group: group, Resource: resource}
				if !d.isKnown(named) && !slices.Contains(all, named.String()) {
					all = append(all, named.String())
				}
			}
		}
	}
	return all
}

// isKnown reports whether a kind is known for a resource, or for one of a group if it is *.
func (d *Drawer) isKnown(named schema.GroupResource) bool {
	for r := range d.kinds.Resources() {
		if (named.Group == "*" || named.Group == r.Group) &&
			(named.Resource == "*" || named.Resource == r.Resource) {
			return true
		}
	}
	return false
}

// endpointsOf returns the endpoints of a resource in one version.
func (d *Drawer) endpointsOf(r kinds.Resource) []*Endpoint {
	var all []*Endpoint
	for _, sub := range subresources {
		at := request.Endpoint{Resource: r.GroupVersionResource, Kind: r.Kind, Subresource: sub}
		operations, body := []admissionv1.Operation{
			admissionv1.Create, admissionv1.Update, admissionv1.Delete,
		}, r.Kind
		if sub != "" {
			operation, kind, ok := at.Takes()
			if !ok || d.kinds.CheckSubresource(r.GroupVersionResource, sub) != nil {
				continue
			}
			operations, body = []admissionv1.Operation{operation}, kind
		}
		of := d.typeOf(body)
		if of == nil {
			continue
		}
		for _, operation := range operations {
			e := &Endpoint{Resource: r, Subresource: sub, Operation: operation, body: body, of: of}
			e.Matched = slices.ContainsFunc(d.rules, e.matches)
			all = append(all, e)
		}
	}
	return all
}

// typeOf returns the type of a kind; nil if it is not known.
func (d *Drawer) typeOf(kind schema.GroupVersionKind) *Type {
	o, err := d.kinds.ObjectInterfaces().GetObjectCreater().New(kind)
	if err != nil {
		return nil
	}
	if _, custom := o.(*unstructured.Unstructured); !custom {
		return d.types.of(reflect.TypeOf(o))
	}
	crd := definitionOf(d.definitions, kind)
	if crd == nil {
		return nil
	}
	return d.types.customType(crd, kind.Version)
}

// matches reports whether a rule names the endpoint, in any version.
func (e *Endpoint) matches(r registrationv1.RuleWithOperations) bool {
	path := e.GroupVersionResource.Resource
	if e.Subresource != "" {
		path += "/" + e.Subresource
	}
	operation := slices.ContainsFunc(r.Operations, func(o registrationv1.OperationType) bool {
		return o == registrationv1.OperationAll || string(o) == string(e.Operation)
	})
	resource := slices.ContainsFunc(r.Resources, func(named string) bool {
		switch named {
		case "*/*", path, e.GroupVersionResource.Resource + "/*":
			return true
		case "*":
			return e.Subresource == ""
		case "*/" + e.Subresource:
			return e.Subresource != ""
		}
		return false
	})
	return operation && resource && has(r.APIGroups, e.Group)
}

func has(groups []string, group string) bool {
	return slices.Contains(groups, "*") || slices.Contains(groups, group)
}

// hasResource reports whether a resource, or one of its subresources, is named.
func hasResource(named []string, resource string) bool {
	return slices.ContainsFunc(named, func(name string) bool {
		of, _, _ := strings.Cut(name, "/")
		return of == "*" || of == resource
	})
}
