package custom

import (
	"cmp"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// flatten returns a schema merged with allOf and with one branch each of anyOf
// and oneOf. The result shares parts with s and is read-only.
func (a attempt) flatten(s *props) *props {
	parts := slices.Clone(s.AllOf)
	for _, of := range [][]props{s.AnyOf, s.OneOf} {
		if len(of) > 0 {
			parts = append(parts, of[a.branch%len(of)])
		}
	}
	if len(parts) == 0 || !a.left.work(len(parts)+len(s.Properties)) {
		return s
	}
	out := new(*s)
	out.AllOf, out.AnyOf, out.OneOf = nil, nil, nil
	for i := range parts {
		intersect(out, a.flatten(&parts[i]))
	}
	return out
}

// intersect restricts a schema by another one. It replaces shared parts instead
// of modifying them.
func intersect(s, by *props) {
	if !s.XIntOrString {
		s.Type = cmp.Or(s.Type, by.Type)
	}
	s.Pattern, s.Format = cmp.Or(s.Pattern, by.Pattern), cmp.Or(s.Format, by.Format)
	if len(s.Enum) == 0 {
		s.Enum = by.Enum
	} else if len(by.Enum) > 0 {
		s.Enum = both(s.Enum, by.Enum)
	}
	s.Minimum, s.Maximum = most(s.Minimum, by.Minimum), least(s.Maximum, by.Maximum)
	// A limit may become stricter than it has to be.
	s.ExclusiveMinimum = s.ExclusiveMinimum || by.ExclusiveMinimum
	s.ExclusiveMaximum = s.ExclusiveMaximum || by.ExclusiveMaximum
	s.MultipleOf = cmp.Or(s.MultipleOf, by.MultipleOf)
	s.MinLength, s.MaxLength = most(s.MinLength, by.MinLength), least(s.MaxLength, by.MaxLength)
	s.MinItems, s.MaxItems = most(s.MinItems, by.MinItems), least(s.MaxItems, by.MaxItems)
	s.MinProperties, s.MaxProperties = most(
		s.MinProperties,
		by.MinProperties,
	), least(
		s.MaxProperties,
		by.MaxProperties,
	)
	s.Required = slices.Concat(s.Required, by.Required)
	intersectParts(s, by)
}

// both returns the values that are in both lists.
func both(a, b []apiextensionsv1.JSON) []apiextensionsv1.JSON {
	return slices.DeleteFunc(slices.Clone(a), func(one apiextensionsv1.JSON) bool {
		return !slices.ContainsFunc(b,
			func(other apiextensionsv1.JSON) bool { return string(one.Raw) == string(other.Raw) })
	})
}

// intersectParts restricts nested schemas.
func intersectParts(s, by *props) {
	properties := map[string]props{}
	maps.Copy(properties, s.Properties)
	for name, part := range by.Properties {
		if known, ok := properties[name]; ok {
			intersect(&known, &part)
			part = known
		}
		properties[name] = part
	}
	s.Properties = properties
	switch {
	case s.Items == nil:
		s.Items = by.Items
	case s.Items.Schema != nil && by.Items != nil && by.Items.Schema != nil:
		items := *s.Items.Schema
		intersect(&items, by.Items.Schema)
		s.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &items}
	}
	if s.AdditionalProperties == nil {
		s.AdditionalProperties = by.AdditionalProperties
	}
}

// most returns the larger of two numbers, of which nil is none.
func most[T cmp.Ordered](a, b *T) *T {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// least returns the smaller of two numbers, of which nil is none.
func least[T cmp.Ordered](a, b *T) *T {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}
