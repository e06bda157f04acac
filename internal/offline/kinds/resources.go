package kinds

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// Resource is where the objects of a kind are.
type Resource struct {
	schema.GroupVersionResource
	// Kind is that of the objects.
	Kind schema.GroupVersionKind
	// Namespaced says whether they live in namespaces. It is false for namespaces
	// themselves.
	Namespaced bool
}

// Resources returns all resources that Lookup knows, each version by itself: first the
// built-in ones, then those of past releases, and the custom ones in the order in which
// they were taught.
func (r *Registry) Resources() iter.Seq[Resource] { return slices.Values(r.resources) }

// Resource finds a resource by its name: "deployments.apps",
// "deployments.v1.apps", "pods.v1" in the core group, or "deployments". Without a
// version it is the one that an API server prefers among those that are served, or
// if there is none among those of past releases.
//
// The error says what there is instead. A name without its group must be unique
// among the groups that are served; the error lists the names that are.
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
		return r.preferred(groups), nil
	case len(others) > 0:
		return Resource{}, r.explain(others[0].Kind.GroupKind().WithVersion(versioned.Version))
	default:
		return Resource{}, unknownResource(text)
	}
}

// bareResource finds a resource by its name without the group.
func (r *Registry) bareResource(text string) (Resource, error) {
	var candidates []Resource
	for _, at := range r.resources {
		if _, served := r.served[at.Kind]; served && at.Resource == text {
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
		return r.preferred(candidates), nil
	default:
		return Resource{}, fmt.Errorf("several groups have a resource %q: use %s", text, list(names, "or"))
	}
}

// preferred returns the version of a resource that an API server prefers.
func (r *Registry) preferred(versions []Resource) Resource {
	return slices.MaxFunc(versions, func(a, b Resource) int {
		return cmp.Or(r.rank(a)-r.rank(b), version.CompareKubeAwareVersionStrings(a.Version, b.Version))
	})
}

// rank is higher for what is served.
func (r *Registry) rank(at Resource) int {
	if _, served := r.served[at.Kind]; served {
		return 1
	}
	return 0
}

// fullName names a resource so that no other has the same name.
func fullName(at Resource) string {
	if at.Group == "" {
		return at.Resource + "." + at.Version
	}
	return at.GroupResource().String()
}

func unknownResource(text string) error {
	return fmt.Errorf("no resource %q is known: resources are named in the plural, with their group, as in deployments.apps; "+
		"custom ones need their CustomResourceDefinition among the inputs", text)
}
