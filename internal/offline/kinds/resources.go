package kinds

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// Resource is a resource in one version.
type Resource struct {
	schema.GroupVersionResource
	// Kind is the kind of the objects.
	Kind schema.GroupVersionKind
	// Namespaced is true if the objects are in namespaces. It is false for
	// namespaces themselves.
	Namespaced bool
}

// Resources returns all resources that Lookup knows, one for each version: the
// built-in ones, and then the custom ones in the order of AddCRD.
func (r *Registry) Resources() iter.Seq[Resource] { return slices.Values(r.resources) }

// Resource finds a resource by its name: "deployments.apps",
// "deployments.v1.apps", "pods.v1" in the core group, or "deployments". A name
// without a version stands for the version that an API server prefers.
//
// The error names the served versions. A name without its group must be unique;
// the error lists the full names.
func (r *Registry) Resource(text string) (Resource, error) {
	if !strings.Contains(text, ".") {
		return r.bareResource(text)
	}
	versioned, grouped := schema.ParseResourceArg(text)
	if versioned == nil {
		// The core group has no name to end with.
		versioned = &schema.GroupVersionResource{Version: grouped.Group, Resource: grouped.Resource}
	}
	var others, groups []Resource
	for _, at := range r.resources {
		switch {
		case at.GroupVersionResource == *versioned:
			return at, nil
		case at.GroupResource() == grouped:
			groups = append(groups, at)
		case at.GroupResource() == versioned.GroupResource() && at.Group != "":
			others = append(others, at)
		}
	}
	switch {
	case len(groups) > 0:
		return preferred(groups), nil
	case len(others) > 0:
		return Resource{}, r.explain(others[0].Kind.GroupKind().WithVersion(versioned.Version))
	}
	for _, group := range []string{versioned.Group, grouped.Group} {
		if err := r.removed(grouped.Resource, group); err != nil {
			return Resource{}, err
		}
	}
	return Resource{}, unknownResource(text)
}

// bareResource finds a resource by its name without the group.
func (r *Registry) bareResource(text string) (Resource, error) {
	var candidates []Resource
	for _, at := range r.resources {
		if at.Resource == text {
			candidates = append(candidates, at)
		}
	}
	var names []string
	for _, at := range candidates {
		if full := fullName(at); !slices.Contains(names, full) {
			names = append(names, full)
		}
	}
	switch len(names) {
	case 0:
		return Resource{}, unknownResource(text)
	case 1:
		return preferred(candidates), nil
	default:
		return Resource{}, fmt.Errorf("several groups have a resource %q: use %s", text, list(names, "or"))
	}
}

// preferred returns the version of a resource that an API server prefers.
func preferred(versions []Resource) Resource {
	return slices.MaxFunc(versions, func(a, b Resource) int {
		return version.CompareKubeAwareVersionStrings(a.Version, b.Version)
	})
}

// fullName names a resource so that no other has the same name.
func fullName(at Resource) string {
	if at.Group == "" {
		return at.Resource + "." + at.Version
	}
	return at.GroupResource().String()
}

func unknownResource(text string) error {
	return fmt.Errorf("unknown resource %q: write the plural with the group, as in "+
		"deployments.apps; for a custom resource, add its CustomResourceDefinition to the inputs", text)
}
