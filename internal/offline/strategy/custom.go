package strategy

import (
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Custom is the strategy of a custom kind, in all its versions.
type Custom struct {
	namespaced bool
	// preserves is true if all versions keep unknown fields, which is only
	// possible for definitions that were created as v1beta1.
	preserves bool
	// stored is the version in which objects are stored. It is empty if a
	// webhook converts to it.
	stored   string
	versions map[string]*version
}

// version is the strategy in one version.
type version struct {
	// structural is nil for a version without a schema. The objects of such a
	// version keep all fields, and only their metadata are validated.
	structural *structuralschema.Structural
	// status is true if the kind has a status subresource.
	status bool
	// scale has the paths of the scale subresource; nil if there is none.
	scale *apiextensionsv1.CustomResourceSubresourceScale
	// validators compiles the schema, which is slow and often not needed.
	validators func() (*validators, error)
}

// NewCustom returns the strategy of a definition, which is not kept and need
// not be defaulted. The error begins with the path of a schema that is not
// structural.
func NewCustom(crd *apiextensionsv1.CustomResourceDefinition) (*Custom, error) {
	spec := &crd.Spec
	c := &Custom{
		namespaced: spec.Scope == apiextensionsv1.NamespaceScoped,
		preserves:  spec.PreserveUnknownFields,
		versions:   make(map[string]*version, len(spec.Versions)),
	}
	byWebhook := spec.Conversion != nil && spec.Conversion.Strategy == apiextensionsv1.WebhookConverter
	for i := range spec.Versions {
		v := &spec.Versions[i]
		read, err := c.newVersion(v)
		if err != nil {
			path := field.NewPath("spec", "versions").Index(i).Child("schema", "openAPIV3Schema")
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		c.versions[v.Name] = read
		if v.Storage && !byWebhook {
			c.stored = v.Name
		}
	}
	return c, nil
}

func (c *Custom) newVersion(v *apiextensionsv1.CustomResourceDefinitionVersion) (*version, error) {
	read := &version{}
	if v.Subresources != nil {
		read.status = v.Subresources.Status != nil
		read.scale = v.Subresources.Scale.DeepCopy()
	}
	if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
		read.validators = newValidators(nil, read)
		return read, nil
	}
	// Some parts of the result are those of the argument.
	schema := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(
		v.Schema.OpenAPIV3Schema.DeepCopy(), schema, nil); err != nil {
		return nil, err
	}
	read.validators = newValidators(schema, read)
	structural, err := structuralschema.NewStructural(schema)
	if err != nil && !c.preserves {
		return nil, err
	}
	if structural = structural.DeepCopy(); structural != nil && !c.preserves {
		if err := defaulting.PruneDefaults(structural); err != nil {
			return nil, err
		}
	}
	read.structural = structural
	return read, nil
}

// version returns the strategy for the version of an object; that of a version
// without a schema if it is unknown.
func (c *Custom) version(object *unstructured.Unstructured) *version {
	if v := c.versions[object.GroupVersionKind().Version]; v != nil {
		return v
	}
	return &version{validators: newValidators(nil, &version{})}
}
