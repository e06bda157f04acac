package robot

import (
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
)

// validate returns the errors of a robot.
func validate(r *toys.Robot) field.ErrorList {
	found := apivalidation.ValidateObjectMeta(&r.ObjectMeta, true, apivalidation.NameIsDNSSubdomain,
		field.NewPath("metadata"))
	return append(found, validateSpec(&r.Spec, field.NewPath("spec"))...)
}

// validateSpec uses the paths of v1, because strategies do not know the version
// of the client.
func validateSpec(s *toys.RobotSpec, at *field.Path) field.ErrorList {
	var found field.ErrorList
	if s.Model == "" {
		found = append(found,
			field.Required(at.Child("model"), "the catalogue has no robot without a name"))
	}
	found = append(found,
		apivalidation.ValidateNonnegativeField(int64(s.Replicas), at.Child("replicas"))...)
	names := sets.New[string]()
	for i, part := range s.Parts {
		at := at.Child("parts").Index(i)
		switch {
		case part.Name == "":
			found = append(found, field.Required(at.Child("name"), ""))
		case names.Has(part.Name):
			found = append(found, field.Duplicate(at.Child("name"), part.Name))
		}
		if part.Quantity < 1 {
			found = append(found, field.Invalid(at.Child("quantity"), part.Quantity, "must be at least 1"))
		}
		names.Insert(part.Name)
	}
	return found
}

// validateUpdate returns the errors of a change from one robot to another.
func validateUpdate(r, old *toys.Robot) field.ErrorList {
	found := apivalidation.ValidateObjectMetaUpdate(&r.ObjectMeta, &old.ObjectMeta,
		field.NewPath("metadata"))
	found = append(found, validate(r)...)
	return append(found,
		apivalidation.ValidateImmutableField(r.Spec.Model, old.Spec.Model,
			field.NewPath("spec", "model"))...)
}

// validateStatusUpdate returns the errors of a robot's new status.
func validateStatusUpdate(r, old *toys.Robot) field.ErrorList {
	at := field.NewPath("status")
	found := apivalidation.ValidateObjectMetaUpdate(&r.ObjectMeta, &old.ObjectMeta,
		field.NewPath("metadata"))
	found = append(found,
		apivalidation.ValidateNonnegativeField(int64(r.Status.Replicas), at.Child("replicas"))...)
	return append(found,
		apivalidation.ValidateNonnegativeField(r.Status.ObservedGeneration,
			at.Child("observedGeneration"))...)
}
