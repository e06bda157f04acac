package custom

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// maxDepth bounds the depth of values; practical schemas are flatter.
const maxDepth = 24

// value makes a value. Different n give different values where possible.
func (a attempt) value(s *props, n, depth int) any {
	if !a.left.work(perValue) {
		return nil
	}
	s = a.flatten(s)
	if preset, ok := a.preset(s, n); ok {
		return preset
	}
	switch {
	case depth > maxDepth:
		return nil
	case s.XIntOrString && s.Pattern != "":
		return a.text(s, n)
	case s.XIntOrString:
		return number(s, n, true)
	case s.XEmbeddedResource:
		return a.resource(s, depth)
	}
	switch s.Type {
	case "string":
		return a.text(s, n)
	case "integer", "number":
		return number(s, n, s.Type == "integer")
	case "boolean":
		return n%2 == 1
	case "array":
		return a.array(s, depth)
	default:
		return a.object(s, depth)
	}
}

// preset returns the default, a value of the enum or the example. Examples are
// not validated and are for the first attempt only.
func (a attempt) preset(s *props, n int) (any, bool) {
	var all []apiextensionsv1.JSON
	switch {
	case s.Default != nil && n == 0:
		all = append(all, *s.Default)
	case len(s.Enum) > 0:
		all = s.Enum
	case s.Example != nil && n == 0 && a.branch == 0 && !a.full:
		all = append(all, *s.Example)
	default:
		return nil, false
	}
	raw := all[n%len(all)].Raw
	a.left.write(len(raw))
	var value any
	err := utiljson.Unmarshal(raw, &value)
	return value, err == nil && value != nil
}

// resource makes an embedded Kubernetes object.
func (a attempt) resource(s *props, depth int) any {
	object := a.object(s, depth)
	object["apiVersion"], object["kind"] = "v1", "ConfigMap"
	object["metadata"] = map[string]any{"name": "sample"}
	return object
}

func (a attempt) array(s *props, depth int) any {
	length := max(1, count(s.MinItems))
	if s.MaxItems != nil {
		length = min(length, int(*s.MaxItems))
	}
	items := []any{}
	if s.Items == nil || s.Items.Schema == nil || !a.left.fits(length) {
		return items
	}
	for i := 0; i < length && a.left.err == nil; i++ {
		items = append(items, a.value(s.Items.Schema, i, depth+1))
	}
	return a.keyed(s, items)
}

// keyed gives the items of a list of type map distinct keys.
func (a attempt) keyed(s *props, items []any) []any {
	if s.XListType == nil || *s.XListType != "map" || len(s.XListMapKeys) == 0 {
		return items
	}
	key := s.XListMapKeys[0]
	property := s.Items.Schema.Properties[key]
	for i := range items {
		if item, ok := items[i].(map[string]any); ok {
			item[key] = attempt{left: a.left}.value(&property, i, maxDepth)
		}
	}
	return items
}

// object makes an object with its required properties.
func (a attempt) object(s *props, depth int) map[string]any {
	object := map[string]any{}
	if !a.left.fits(count(s.MinProperties)) || !a.left.work(len(s.Properties)+len(s.Required)) {
		return object
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		if property.Default != nil || slices.Contains(s.Required, name) || a.full {
			object[name] = a.value(&property, 0, depth+1)
		}
	}
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			object[name] = a.untyped(s, depth)
		}
	}
	a.enlarge(object, s, depth)
	for name := range object {
		a.left.write(len(name))
	}
	return object
}

// enlarge adds properties up to the minimum.
func (a attempt) enlarge(object map[string]any, s *props, depth int) {
	missing := func() bool { return len(object) < count(s.MinProperties) && a.left.err == nil }
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if _, ok := object[name]; !ok && missing() {
			property := s.Properties[name]
			object[name] = a.value(&property, 0, depth+1)
		}
	}
	for n := 0; missing() && n < count(s.MinProperties); n++ {
		object[numbered("sample", n)] = a.untyped(s, depth)
	}
}

// untyped makes the value of a property without a schema.
func (a attempt) untyped(s *props, depth int) any {
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		return a.value(s.AdditionalProperties.Schema, 0, depth+1)
	}
	a.left.work(perValue)
	return "sample"
}

func count(n *int64) int {
	if n == nil {
		return 0
	}
	return int(*n)
}
