package strategy

import (
	"fmt"
	"math"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// scaleErrors returns the errors of the fields that the subresource scale
// reads; those of the spec only if spec is set.
func (v *version) scaleErrors(object *unstructured.Unstructured, spec bool) field.ErrorList {
	if v.scale == nil {
		return nil
	}
	var errs field.ErrorList
	if spec {
		errs = append(errs, replicasErrors(object, v.scale.SpecReplicasPath)...)
	}
	errs = append(errs, replicasErrors(object, v.scale.StatusReplicasPath)...)
	if path := v.scale.LabelSelectorPath; path != nil {
		selector, _, err := unstructured.NestedString(object.Object, fields(*path)...)
		if err != nil {
			errs = append(errs, field.Invalid(field.NewPath(*path), selector, err.Error()))
		}
	}
	return errs
}

func replicasErrors(object *unstructured.Unstructured, path string) field.ErrorList {
	replicas, _, err := unstructured.NestedInt64(object.Object, fields(path)...)
	var wrong string
	switch {
	case err != nil:
		wrong = err.Error()
	case replicas < 0:
		wrong = "should be a non-negative integer"
	case replicas > math.MaxInt32:
		wrong = fmt.Sprintf("should be less than or equal to %v", math.MaxInt32)
	default:
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath(path), replicas, wrong)}
}

// fields splits a path such as ".spec.replicas".
func fields(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }
