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

// UnservedError lists the objects of kinds that the server does not serve.
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

// served returns the objects of kinds that the server serves, or will serve
// when the definitions among the objects are applied. The error is about the
// others; nil is none.
func (a *applier) served(objects []object) ([]object, *UnservedError) {
	defined := map[schema.GroupKind]bool{}
	for _, o := range objects {
		if o.kind() == definitionKind {
			defined[definedKind(o.Unstructured)] = true
		}
	}
	var served []object
	others := &UnservedError{}
	known := map[schema.GroupKind]bool{}
	for _, o := range objects {
		kind := o.GroupVersionKind().GroupKind()
		if _, ok := known[kind]; !ok {
			_, err := a.mapper.RESTMapping(kind)
			known[kind] = defined[kind] || !meta.IsNoMatchError(err)
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

// definedKind returns the kind of custom resources of a definition.
func definedKind(definition *unstructured.Unstructured) schema.GroupKind {
	group, _, _ := unstructured.NestedString(definition.Object, "spec", "group")
	kind, _, _ := unstructured.NestedString(definition.Object, "spec", "names", "kind")
	return schema.GroupKind{Group: group, Kind: kind}
}
