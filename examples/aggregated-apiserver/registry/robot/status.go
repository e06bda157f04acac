package robot

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
)

// StatusStrategy is for the status subresource, which writes nothing else but
// labels, annotations and the like.
type StatusStrategy struct{ Strategy }

var (
	_ rest.RESTUpdateStrategy  = StatusStrategy{}
	_ rest.ResetFieldsStrategy = StatusStrategy{}
)

// PrepareForUpdate keeps everything that is not status. A generation is not
// counted, because nobody wants anything new.
func (StatusStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	r, before := obj.(*toys.Robot), old.(*toys.Robot)
	r.Spec = before.Spec
	r.Generation = before.Generation
}

// ValidateUpdate says what is wrong with a new status.
func (StatusStrategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	return validateStatusUpdate(obj.(*toys.Robot), old.(*toys.Robot))
}

// GetResetFields tells server-side apply that nobody owns a spec who writes it
// here.
func (StatusStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return inEachVersion("spec")
}
