package snapshot

import (
	"cmp"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// trim removes what says nothing about an object but when it was written. A second
// snapshot of the same objects is then the same.
func trim(object map[string]any, status []string) {
	for _, field := range []string{
		"generation", "managedFields", "resourceVersion", "selfLink", "uid",
	} {
		unstructured.RemoveNestedField(object, "metadata", field)
	}
	unstructured.RemoveNestedField(object, "metadata", "annotations", corev1.LastAppliedConfigAnnotation)
	if metadata, ok := object["metadata"].(map[string]any); ok {
		if annotations, ok := metadata["annotations"].(map[string]any); ok && len(annotations) == 0 {
			delete(metadata, "annotations")
		}
	}
	trimStatus(object, status)
}

// trimStatus keeps the given fields of a status. Conditions keep what they say, and lose
// the times.
func trimStatus(object map[string]any, fields []string) {
	all, ok := object["status"].(map[string]any)
	if !ok {
		return
	}
	kept := map[string]any{}
	for _, field := range fields {
		if value, ok := all[field]; ok {
			kept[field] = value
		}
	}
	if conditions, ok := kept["conditions"].([]any); ok {
		for _, c := range conditions {
			if c, ok := c.(map[string]any); ok {
				for _, field := range []string{"lastProbeTime", "lastTransitionTime", "message", "observedGeneration"} {
					delete(c, field)
				}
			}
		}
	}
	if object["status"] = kept; len(kept) == 0 {
		delete(object, "status")
	}
}

// known returns an object without the fields that this version of gatehouse does not know,
// and names them: a newer server has some, and gatehouse's commands refuse them. Objects that
// configure admission keep theirs, because without them they would do something else.
func known(at schema.GroupVersionKind, object map[string]any) (map[string]any, []string, error) {
	typed := newObject(at)
	if typed == nil {
		return object, nil, nil
	}
	err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object, typed, true)
	strict, unknown := runtime.AsStrictDecodingError(err)
	switch {
	case err == nil:
		return object, nil, nil
	case !unknown:
		return nil, nil, err
	}
	var fields []string
	for _, e := range strict.Errors() {
		field, _ := strings.CutPrefix(e.Error(), "unknown field ")
		fields = append(fields, index.ReplaceAllString(field, "[]"))
	}
	object, err = runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	return object, fields, err
}

var index = regexp.MustCompile(`\[\d+\]`)

// newObject returns an object of a built-in kind that does not configure admission; nil for
// others.
func newObject(at schema.GroupVersionKind) runtime.Object {
	if at == apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition") {
		return &apiextensionsv1.CustomResourceDefinition{}
	}
	typed, err := scheme.Scheme.New(at)
	if err != nil || at.Group == kinds[0].Group {
		return nil
	}
	return typed
}

// identity is the namespace and the name of an object.
type identity struct{ namespace, name string }

// String returns NAMESPACE/NAME, or NAME.
func (id identity) String() string { return strings.TrimPrefix(id.namespace+"/"+id.name, "/") }

// sorted returns the keys of a map in the order of files.
func sorted[T any](of map[identity]T) []identity {
	return slices.SortedFunc(maps.Keys(of), func(a, b identity) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
	})
}

// identify returns the identity of an object from the server.
func identify(object map[string]any) (identity, error) {
	u := unstructured.Unstructured{Object: object}
	if u.GetName() == "" {
		return identity{}, errors.New("an object of the answer has no name: is this an API server?")
	}
	return identity{u.GetNamespace(), u.GetName()}, nil
}
