package schemas

import (
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Find returns the schema of a custom kind; nil if no definition has one.
func Find(
	definitions []*apiextensionsv1.CustomResourceDefinition, kind schema.GroupVersionKind,
) *apiextensionsv1.JSONSchemaProps {
	_, v := find(definitions, kind)
	if v == nil {
		return nil
	}
	return v.Schema.OpenAPIV3Schema
}

// find returns the version that has the schema, and its definition.
func find(
	definitions []*apiextensionsv1.CustomResourceDefinition, kind schema.GroupVersionKind,
) (*apiextensionsv1.CustomResourceDefinition, *apiextensionsv1.CustomResourceDefinitionVersion) {
	for _, d := range definitions {
		if d.Spec.Group != kind.Group || d.Spec.Names.Kind != kind.Kind {
			continue
		}
		for i := range d.Spec.Versions {
			v := &d.Spec.Versions[i]
			if v.Name == kind.Version && v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
				return d, v
			}
		}
	}
	return nil, nil
}

// Validator returns kube-apiserver's validation for a schema.
func Validator(
	s *apiextensionsv1.JSONSchemaProps,
) (func(object map[string]any) field.ErrorList, error) {
	internal, err := converted(s)
	if err != nil {
		return nil, err
	}
	return validator(internal)
}

func validator(
	s *apiextensions.JSONSchemaProps,
) (func(object map[string]any) field.ErrorList, error) {
	v, _, err := validation.NewSchemaValidator(s)
	if err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	return func(object map[string]any) field.ErrorList {
		return validation.ValidateCustomResource(nil, object, v)
	}, nil
}

func converted(s *apiextensionsv1.JSONSchemaProps) (*apiextensions.JSONSchemaProps, error) {
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(s, internal,
		nil); err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	return internal, nil
}
