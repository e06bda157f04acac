package draw

import (
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// customType returns the type of a version of a custom kind.
func (g goTypes) customType(
	crd *apiextensionsv1.CustomResourceDefinition, version string,
) *Type {
	t := &Type{form: anything}
	for i := range crd.Spec.Versions {
		v := &crd.Spec.Versions[i]
		if v.Name == version && v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
			t = schemaType(v.Schema.OpenAPIV3Schema)
		}
	}
	t.form = object
	fields := t.fields
	t.fields = []field{{"metadata", g.of(reflect.TypeFor[metav1.ObjectMeta]()), false}}
	for _, f := range fields {
		if f.name != "metadata" && f.name != "apiVersion" && f.name != "kind" {
			t.fields = append(t.fields, f)
		}
	}
	return t
}

// schemaType returns the type of a structural schema without its CEL rules, which
// validation evaluates.
func schemaType(s *apiextensionsv1.JSONSchemaProps) *Type {
	t := &Type{pattern: s.Pattern, enum: enumOf(s.Enum)}
	switch {
	case s.XIntOrString:
		t.form = intOrText
	case s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		t.form, t.elem = mapping, schemaType(s.AdditionalProperties.Schema)
	case s.Type == "object" && len(s.Properties) > 0:
		t.form = object
		t.fields = schemaFields(s)
	case s.Type == "array" && s.Items != nil && s.Items.Schema != nil:
		t.form, t.elem, t.least, t.most = list, schemaType(s.Items.Schema), s.MinItems, s.MaxItems
		if len(s.XListMapKeys) == 1 {
			t.unique = s.XListMapKeys[0]
		}
	case s.Type == "string":
		t.form, t.least, t.most = text, s.MinLength, s.MaxLength
		switch s.Format {
		case "date-time":
			t.form = timestamp
		case "byte":
			t.form = binary
		}
	case s.Type == "integer":
		t.form = integer
		t.least = bound(s.Minimum, s.ExclusiveMinimum, 1)
		t.most = bound(s.Maximum, s.ExclusiveMaximum, -1)
	case s.Type == "number":
		t.form = number
	case s.Type == "boolean":
		t.form = boolean
	default:
		t.form = anything
	}
	return t
}

func schemaFields(s *apiextensionsv1.JSONSchemaProps) []field {
	var all []field
	for name, of := range s.Properties {
		required := slices.Contains(s.Required, name) && of.Default == nil
		all = append(all, field{name, schemaType(&of), required})
	}
	slices.SortFunc(all, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return all
}

// bound returns a bound as an integer; it adds step to an exclusive bound.
func bound(b *float64, excluded bool, step int64) *int64 {
	if b == nil {
		return nil
	}
	n := int64(*b)
	if excluded {
		n += step
	}
	return &n
}

func enumOf(values []apiextensionsv1.JSON) []any {
	var all []any
	for _, v := range values {
		var one any
		if utiljson.Unmarshal(v.Raw, &one) == nil && one != nil {
			all = append(all, one)
		}
	}
	return all
}

// definitionOf returns the definition of a kind; nil if there is none.
func definitionOf(
	all []*apiextensionsv1.CustomResourceDefinition, kind schema.GroupVersionKind,
) *apiextensionsv1.CustomResourceDefinition {
	for _, crd := range all {
		if crd.Spec.Group == kind.Group && crd.Spec.Names.Kind == kind.Kind {
			return crd
		}
	}
	return nil
}
