package install

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/manifest"
)

// UnservedError lists the objects of kinds and versions that the server does not
// serve.
type UnservedError struct{ kinds []unservedKind }

// unservedKind is a kind with the first of its objects.
type unservedKind struct {
	schema.GroupVersionKind
	first manifest.Position
	count int
}

// Error returns one line with every kind, the number of its objects and the
// position of the first.
func (e *UnservedError) Error() string { return "the server does not serve " + e.list() }

func (e *UnservedError) list() string {
	var all []string
	for _, k := range e.kinds {
		version, kind := k.ToAPIVersionAndKind()
		number := "1 object"
		if k.count > 1 {
			number = fmt.Sprintf("%d objects, the first", k.count)
		}
		all = append(all, fmt.Sprintf("%s %s (%s in %s)", version, kind, number, k.first))
	}
	return strings.Join(all, ", ")
}

func (e *UnservedError) add(o object) {
	kind := o.GroupVersionKind()
	i := slices.IndexFunc(e.kinds, func(k unservedKind) bool { return k.GroupVersionKind == kind })
	if i < 0 {
		i, e.kinds = len(e.kinds), append(e.kinds, unservedKind{kind, o.document.Position, 0})
	}
	e.kinds[i].count++
}

// served returns the objects whose kind the server serves in their version, or
// will serve when the definitions among the objects are applied. The error is about the
// others; nil is none.
func (a *applier) served(objects []object) ([]object, *UnservedError) {
	defined := map[schema.GroupKind][]string{}
	for _, o := range objects {
		if o.kind() == definitionKind {
			defined[definedKind(o.Unstructured)] = servedVersions(o.Unstructured)
		}
	}
	var served []object
	others := &UnservedError{}
	known := map[schema.GroupVersionKind]bool{}
	for _, o := range objects {
		kind := o.GroupVersionKind()
		if _, ok := known[kind]; !ok {
			known[kind] = a.serves(kind, defined)
		}
		if known[kind] {
			served = append(served, o)
		} else {
			others.add(o)
		}
	}
	if len(others.kinds) == 0 {
		return served, nil
	}
	return served, others
}

// serves reports whether the server serves a kind after it has the definitions
// in defined, which replace those that it has.
func (a *applier) serves(
	kind schema.GroupVersionKind, defined map[schema.GroupKind][]string,
) bool {
	if versions, ok := defined[kind.GroupKind()]; ok {
		return slices.Contains(versions, kind.Version)
	}
	_, err := a.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	return !meta.IsNoMatchError(err)
}

// definedKind returns the kind of custom resources of a definition.
func definedKind(definition *unstructured.Unstructured) schema.GroupKind {
	group, _, _ := unstructured.NestedString(definition.Object, "spec", "group")
	kind, _, _ := unstructured.NestedString(definition.Object, "spec", "names", "kind")
	return schema.GroupKind{Group: group, Kind: kind}
}

// servedVersions returns the versions that a definition serves.
func servedVersions(definition *unstructured.Unstructured) []string {
	var served []string
	versions, _, _ := unstructured.NestedSlice(definition.Object, "spec", "versions")
	for _, v := range versions {
		version, _ := v.(map[string]any)
		if name, _ := version["name"].(string); version["served"] == true {
			served = append(served, name)
		}
	}
	return served
}
