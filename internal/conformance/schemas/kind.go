package schemas

import (
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// kind is a version of a custom kind, read.
type kind struct {
	validate   func(object map[string]any) field.ErrorList
	structural *structuralschema.Structural
	// status says that requests for the object itself cannot change its status, and prunes
	// that unknown fields are dropped.
	status, prunes bool
}

func read(d *apiextensionsv1.CustomResourceDefinition, v *apiextensionsv1.CustomResourceDefinitionVersion) (*kind, error) {
	internal, err := converted(v.Schema.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	k := &kind{
		status: v.Subresources != nil && v.Subresources.Status != nil,
		prunes: !d.Spec.PreserveUnknownFields, // a relic of v1beta1
	}
	if k.validate, err = validator(internal); err != nil {
		return nil, err
	}
	if k.structural, err = structuralschema.NewStructural(internal); err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	return k, nil
}

// problems finds what is wrong with an object that arrives with a request.
func (k *kind) problems(object map[string]any, subresource string) []problem {
	object = runtime.DeepCopyJSON(object)
	defaulting.Default(object, k.structural)
	var all []problem
	for _, err := range k.validate(object) {
		all = append(all, found(err.Field, err.Error()))
	}
	for _, err := range listtype.ValidateListSetsAndMaps(nil, k.structural, object) {
		all = append(all, found(err.Field, err.Error()))
	}
	if !k.prunes {
		return k.concerning(all, subresource)
	}
	for _, path := range pruning.PruneWithOptions(object, k.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}) {
		all = append(all, found(path, fmt.Sprintf("unknown field %q", path)))
	}
	return k.concerning(all, subresource)
}

// concerning leaves out problems of what does not come with the request.
func (k *kind) concerning(all []problem, subresource string) []problem {
	if !k.status {
		return all
	}
	var concerning []problem
	for _, p := range all {
		if p.within("status") == (subresource == "status") {
			concerning = append(concerning, p)
		}
	}
	return concerning
}
