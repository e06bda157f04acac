package install

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// mergePatches puts the patches of CustomResourceDefinitions into these. Projects keep
// both in files beside each other: controller-gen writes the definition and knows nothing
// of the webhook that converts; the patch has nothing else. A patch without its
// definition stays, and the server says what is missing.
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
			return false
		}
		merge(definition.Object, o.Object)
		return true
	})
}

// isPatch reports whether an object is a part of a definition: every definition has a
// group.
func (o object) isPatch() bool {
	group, _, _ := unstructured.NestedFieldNoCopy(o.Object, "spec", "group")
	return o.kind() == definitionKind && group == nil
}

// merge changes an object as a JSON merge patch says, RFC 7386, which is also what
// kustomize does to what it has no other rules for.
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
