package install

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// mergePatches merges patches of CustomResourceDefinitions into the
// definitions. Kubebuilder projects have both: controller-gen writes the
// definition, and a patch adds the conversion webhook. A patch without a
// definition stays in the set, and the server rejects it, unless kustomize
// merges it. Patches of other kinds are left out.
func (s *Set) mergePatches() {
	definitions := map[string]object{}
	for _, o := range s.objects {
		if o.kind() == definitionKind && !o.isPatch() {
			definitions[o.GetName()] = o
		}
	}
	s.objects = slices.DeleteFunc(s.objects, func(o object) bool {
		definition, ok := definitions[o.GetName()]
		if !ok || !o.isPatch() {
			return o.document.Patch
		}
		merge(definition.Object, o.Object)
		return true
	})
}

// isPatch reports whether an object is a CustomResourceDefinition without a
// group.
func (o object) isPatch() bool {
	group, _, _ := unstructured.NestedFieldNoCopy(o.Object, "spec", "group")
	return o.kind() == definitionKind && group == nil
}

// merge applies a JSON merge patch (RFC 7386), as kustomize does for custom
// resources.
func merge(object, patch map[string]any) {
	for field, value := range patch {
		inner, ok := value.(map[string]any)
		switch {
		case value == nil:
			delete(object, field)
		case !ok:
			object[field] = value
		default:
			into, ok := object[field].(map[string]any)
			if !ok {
				into = map[string]any{}
				object[field] = into
			}
			merge(into, inner)
		}
	}
}
