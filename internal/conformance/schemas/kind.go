package schemas

import (
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// kind is one version of a custom kind.
type kind struct {
	validate   func(object map[string]any) field.ErrorList
	structural *structuralschema.Structural
	// status is true if only the status subresource changes the status, and prunes
	// if the API server drops unknown fields.
	status, prunes bool
}

func read(
	d *apiextensionsv1.CustomResourceDefinition, v *apiextensionsv1.CustomResourceDefinitionVersion,
) (*kind, error) {
	internal, err := converted(v.Schema.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	k := &kind{
		status: v.Subresources != nil && v.Subresources.Status != nil,
		prunes: !d.Spec.PreserveUnknownFields, // set by v1beta1 only
	}
	if k.validate, err = validator(internal); err != nil {
		return nil, err
	}
	if k.structural, err = structuralschema.NewStructural(internal); err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	return k, nil
}

// problems returns what is wrong with an object in a request.
func (k *kind) problems(object map[string]any, subresource string) []problem {
	object = runtime.DeepCopyJSON(object)
	defaulting.Default(object, k.structural)
	var all []problem
	for _, err := range k.validate(object) {
		all = append(all, newProblem(err.Field, err.Error()))
	}
	for _, err := range listtype.ValidateListSetsAndMaps(nil, k.structural, object) {
		all = append(all, newProblem(err.Field, err.Error()))
	}
	if !k.prunes {
		return k.changeable(all, subresource)
	}
	pruned := pruning.PruneWithOptions(object, k.structural, true,
		structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	for _, path := range pruned {
		all = append(all, newProblem(path, fmt.Sprintf("unknown field %q", path)))
	}
	return k.changeable(all, subresource)
}

// changeable drops problems of parts that the request cannot change.
func (k *kind) changeable(all []problem, subresource string) []problem {
	if !k.status {
		return all
	}
	return slices.DeleteFunc(
		all, func(p problem) bool { return p.within("status") != (subresource == "status") })
}
