package robot

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
)

// StatusStrategy is the strategy of the status subresource, which writes only
// the status, labels, annotations and similar metadata.
type StatusStrategy struct{ Strategy }

var (
	_ rest.RESTUpdateStrategy  = StatusStrategy{}
	_ rest.ResetFieldsStrategy = StatusStrategy{}
)

// PrepareForUpdate restores everything but the status. The generation stays,
// because the spec does.
func (StatusStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	r, before := obj.(*toys.Robot), old.(*toys.Robot)
	r.Spec = before.Spec
	r.Generation = before.Generation
}

// ValidateUpdate returns the errors of a new status.
func (StatusStrategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	return validateStatusUpdate(obj.(*toys.Robot), old.(*toys.Robot))
}

// GetResetFields tells server-side apply that writers of the status do not own
// the spec.
func (StatusStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return inEachVersion("spec")
}
