package custom

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// flat returns a schema with what allOf says, and one branch each of anyOf and oneOf, in
// it. It has parts in common with the one that it is made of, and is only to be read.
func (a attempt) flat(s *props) *props {
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
		narrow(out, a.flat(&parts[i]))
	}
	return out
}

// narrow adds to a schema what another one demands besides. What the schema has in common
// with others is not changed but replaced.
func narrow(s, by *props) {
	if s.Type == "" && !s.XIntOrString {
		s.Type = by.Type
	}
	narrowTexts(s, by)
	s.Minimum, s.ExclusiveMinimum = tighter(s.Minimum, by.Minimum, s.ExclusiveMinimum, by.ExclusiveMinimum, more)
	s.Maximum, s.ExclusiveMaximum = tighter(s.Maximum, by.Maximum, s.ExclusiveMaximum, by.ExclusiveMaximum, less)
	s.MultipleOf = first(s.MultipleOf, by.MultipleOf)
	s.MinLength, s.MaxLength = most(s.MinLength, by.MinLength), least(s.MaxLength, by.MaxLength)
	s.MinItems, s.MaxItems = most(s.MinItems, by.MinItems), least(s.MaxItems, by.MaxItems)
	s.MinProperties, s.MaxProperties = most(s.MinProperties, by.MinProperties), least(s.MaxProperties, by.MaxProperties)
	s.Required = slices.Concat(s.Required, by.Required)
	narrowParts(s, by)
}

func narrowTexts(s, by *props) {
	if s.Pattern == "" {
		s.Pattern = by.Pattern
	}
	if s.Format == "" {
		s.Format = by.Format
	}
	switch {
	case len(s.Enum) == 0:
		s.Enum = by.Enum
	case len(by.Enum) > 0:
		s.Enum = both(s.Enum, by.Enum)
	}
}

// both returns the values that are in both lists.
func both(a, b []apiextensionsv1.JSON) []apiextensionsv1.JSON {
	var common []apiextensionsv1.JSON
	for _, one := range a {
		if slices.ContainsFunc(b, func(other apiextensionsv1.JSON) bool { return string(one.Raw) == string(other.Raw) }) {
			common = append(common, one)
		}
	}
	return common
}

// narrowParts is narrow for the schemas within.
func narrowParts(s, by *props) {
	properties := map[string]props{}
	maps.Copy(properties, s.Properties)
	for name, part := range by.Properties {
		if known, ok := properties[name]; ok {
			narrow(&known, &part)
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
		narrow(&items, by.Items.Schema)
		s.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &items}
	}
	if s.AdditionalProperties == nil {
		s.AdditionalProperties = by.AdditionalProperties
	}
}

func first[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

func more(a, b float64) bool { return a > b }
func less(a, b float64) bool { return a < b }

// tighter returns the limit that leaves less room, and whether it is itself outside.
func tighter(a, b *float64, outsideA, outsideB bool, tighter func(a, b float64) bool) (*float64, bool) {
	switch {
	case b == nil || a != nil && tighter(*a, *b):
		return a, outsideA
	case a == nil || tighter(*b, *a):
		return b, outsideB
	default:
		return a, outsideA || outsideB
	}
}

func most(a, b *int64) *int64 {
	if a == nil || b == nil {
		return first(a, b)
	}
	return new(max(*a, *b))
}

func least(a, b *int64) *int64 {
	if a == nil || b == nil {
		return first(a, b)
	}
	return new(min(*a, *b))
}
