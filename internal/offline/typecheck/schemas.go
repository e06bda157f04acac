package typecheck

import (
	"reflect"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"example.com/gatehouse/internal/offline/merge"
)

func structSchema(t reflect.Type, within []reflect.Type) *spec.Schema {
	s := objectSchema()
	if slices.Contains(within, t) {
		return s
	}
	within = append(slices.Clip(within), t)
	for i := range t.NumField() {
		f := t.Field(i)
		name, ok := jsonName(f)
		if !ok {
			continue
		}
		of := goSchema(f.Type, within)
		if name != "" {
			s.SetProperty(name, *of)
			continue
		}
		for name, inner := range of.Properties {
			s.SetProperty(name, inner)
		}
	}
	return s
}

func objectSchema() *spec.Schema {
	s := &spec.Schema{}
	s.Type = spec.StringOrArray{"object"}
	return s
}

// customSchema returns the schema that a server publishes for a version of a
// custom kind. Without a schema, or with one that is not structural, it is an
// object without fields.
func customSchema(v *apiextensionsv1.CustomResourceValidation) *spec.Schema {
	if v == nil || v.OpenAPIV3Schema == nil {
		return objectSchema()
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(
		v.OpenAPIV3Schema.DeepCopy(), internal, nil); err != nil {
		return objectSchema()
	}
	structural, err := structuralschema.NewStructural(internal)
	if err != nil || len(structuralschema.ValidateStructural(nil, structural)) > 0 {
		return objectSchema()
	}
	s := structural.ToKubeOpenAPI()
	addObjectFields(s)
	merge.VisitEmbedded(s, addObjectFields)
	return s
}

// addObjectFields adds apiVersion, kind and metadata.
func addObjectFields(s *spec.Schema) {
	s.SetProperty("apiVersion", *spec.StringProperty())
	s.SetProperty("kind", *spec.StringProperty())
	s.SetProperty("metadata", *goSchema(reflect.TypeFor[metav1.ObjectMeta](), nil))
}
