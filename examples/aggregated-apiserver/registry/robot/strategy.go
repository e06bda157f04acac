package robot

import (
	"context"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys/v1"
	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys/v1alpha1"
)

// Strategy is the strategy of robots without their status.
type Strategy struct {
	runtime.ObjectTyper
	names.NameGenerator
}

var (
	_ rest.RESTCreateStrategy  = Strategy{}
	_ rest.RESTUpdateStrategy  = Strategy{}
	_ rest.RESTDeleteStrategy  = Strategy{}
	_ rest.ResetFieldsStrategy = Strategy{}
)

// NewStrategy returns a strategy. The typer is the scheme.
func NewStrategy(typer runtime.ObjectTyper) Strategy {
	return Strategy{ObjectTyper: typer, NameGenerator: names.SimpleNameGenerator}
}

// NamespaceScoped returns true.
func (Strategy) NamespaceScoped() bool { return true }

// AllowCreateOnUpdate returns false: an update does not create a robot.
func (Strategy) AllowCreateOnUpdate(context.Context) bool { return false }

// AllowUnconditionalUpdate returns true: an update needs no resourceVersion.
func (Strategy) AllowUnconditionalUpdate(context.Context) bool { return true }

// PrepareForCreate sets the generation to 1 and clears the status, which only
// its subresource may write.
func (Strategy) PrepareForCreate(_ context.Context, obj runtime.Object) {
	r := obj.(*toys.Robot)
	r.Generation = 1
	r.Status = toys.RobotStatus{}
}

// PrepareForUpdate keeps the status, and increments the generation if the spec
// changes.
func (Strategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	r, before := obj.(*toys.Robot), old.(*toys.Robot)
	r.Status = before.Status
	r.Generation = before.Generation
	if !equality.Semantic.DeepEqual(r.Spec, before.Spec) {
		r.Generation++
	}
}

// Validate returns the errors of a new robot.
func (Strategy) Validate(_ context.Context, obj runtime.Object) field.ErrorList {
	return validate(obj.(*toys.Robot))
}

// ValidateUpdate returns the errors of a change.
func (Strategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	return validateUpdate(obj.(*toys.Robot), old.(*toys.Robot))
}

// WarningsOnCreate returns no warnings; webhooks may add some.
func (Strategy) WarningsOnCreate(context.Context, runtime.Object) []string { return nil }

// WarningsOnUpdate returns no warnings.
func (Strategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}

// Canonicalize does nothing.
func (Strategy) Canonicalize(runtime.Object) {}

// GetResetFields tells server-side apply that writers of the robot do not own
// the status.
func (Strategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return inEachVersion("status")
}

// inEachVersion returns a field that has the same name in all versions.
func inEachVersion(name string) map[fieldpath.APIVersion]*fieldpath.Set {
	return map[fieldpath.APIVersion]*fieldpath.Set{
		fieldpath.APIVersion(v1.GroupVersion().String()): fieldpath.NewSet(
			fieldpath.MakePathOrDie(name)),
		fieldpath.APIVersion(v1alpha1.GroupVersion().String()): fieldpath.NewSet(
			fieldpath.MakePathOrDie(name)),
	}
}
