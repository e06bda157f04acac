package merge

import (
	"encoding/json"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/applyconfigurations"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// builtinTypes returns the schemas of the built-in kinds.
func builtinTypes() managedfields.TypeConverter {
	// A new scheme, because other packages may add to client-go's. It maps
	// kinds to the names of schemas.
	s := runtime.NewScheme()
	utilruntime.Must(clientscheme.AddToScheme(s))
	return applyconfigurations.NewTypeConverter(s)
}

// knows reports whether a converter has a schema for a kind. An empty object is
// valid by every schema.
func knows(converter managedfields.TypeConverter, kind schema.GroupVersionKind) bool {
	empty := &unstructured.Unstructured{}
	empty.SetGroupVersionKind(kind)
	_, err := converter.ObjectToTyped(empty)
	return err == nil
}

const (
	metadataName = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
	// metadataSchema is kube-apiserver's schema of metadata.
	metadataSchema = `{"type": "object", "properties": {
		"name": {"type": "string"}, "generateName": {"type": "string"}, "namespace": {"type": "string"},
		"selfLink": {"type": "string"}, "uid": {"type": "string"}, "resourceVersion": {"type": "string"},
		"generation": {"type": "integer"}, "creationTimestamp": {"type": "string"},
		"deletionTimestamp": {"type": "string"}, "deletionGracePeriodSeconds": {"type": "integer"},
		"labels": {"type": "object", "additionalProperties": {"type": "string"}},
		"annotations": {"type": "object", "additionalProperties": {"type": "string"}},
		"finalizers": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
		"ownerReferences": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"],
			"items": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {
				"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "name": {"type": "string"},
				"uid": {"type": "string"}, "controller": {"type": "boolean"}, "blockOwnerDeletion": {"type": "boolean"}}}},
		"managedFields": {"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "atomic"}}}`
)

// customTypes returns the schemas of a definition's kind in all versions.
func customTypes(d *apiextensionsv1.CustomResourceDefinition) (managedfields.TypeConverter, error) {
	models := map[string]*spec.Schema{metadataName: {}}
	if err := json.Unmarshal([]byte(metadataSchema), models[metadataName]); err != nil {
		return nil, err
	}
	for i := range d.Spec.Versions {
		v := &d.Spec.Versions[i]
		model, err := modelOf(v)
		if err != nil {
			return nil, err
		}
		model.AddExtension("x-kubernetes-group-version-kind", []any{
			map[string]any{"group": d.Spec.Group, "version": v.Name, "kind": d.Spec.Names.Kind},
		})
		models[d.Spec.Group+"."+v.Name+"."+d.Spec.Names.Kind] = model
	}
	return managedfields.NewTypeConverter(models, d.Spec.PreserveUnknownFields)
}

// modelOf returns the schema of a version; any object is valid without one.
func modelOf(v *apiextensionsv1.CustomResourceDefinitionVersion) (*spec.Schema, error) {
	model := &spec.Schema{}
	if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
		model.Type = spec.StringOrArray{"object"}
		return model, nil
	}
	encoded, err := json.Marshal(v.Schema.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(encoded, model); err != nil {
		return nil, err
	}
	VisitEmbedded(model, addObjectFields)
	addObjectFields(model)
	return model, nil
}

// VisitEmbedded calls visit with the schemas of embedded resources in a schema,
// which visit may change.
func VisitEmbedded(s *spec.Schema, visit func(*spec.Schema)) {
	for name, property := range s.Properties {
		VisitEmbedded(&property, visit)
		s.Properties[name] = property
	}
	if s.Items != nil && s.Items.Schema != nil {
		VisitEmbedded(s.Items.Schema, visit)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		VisitEmbedded(s.AdditionalProperties.Schema, visit)
	}
	if embedded, _ := s.Extensions.GetBool("x-kubernetes-embedded-resource"); embedded {
		visit(s)
	}
}

// addObjectFields adds apiVersion, kind and metadata.
func addObjectFields(s *spec.Schema) {
	s.SetProperty("apiVersion", *spec.StringProperty())
	s.SetProperty("kind", *spec.StringProperty())
	s.SetProperty("metadata", *spec.RefSchema("#/definitions/" + metadataName))
}
