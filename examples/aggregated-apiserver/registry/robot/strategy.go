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

// Strategy is for robots themselves; their status is not theirs to write.
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

// NewStrategy returns a strategy. The typer is the scheme, which knows the kinds.
func NewStrategy(typer runtime.ObjectTyper) Strategy {
	return Strategy{ObjectTyper: typer, NameGenerator: names.SimpleNameGenerator}
}

// NamespaceScoped says that robots live in namespaces.
func (Strategy) NamespaceScoped() bool { return true }

// AllowCreateOnUpdate refuses to create what somebody wants to update.
func (Strategy) AllowCreateOnUpdate(context.Context) bool { return false }

// AllowUnconditionalUpdate lets an update without a resourceVersion win.
func (Strategy) AllowUnconditionalUpdate(context.Context) bool { return true }

// PrepareForCreate starts the count of generations and drops a status, which only
// its subresource may write.
func (Strategy) PrepareForCreate(_ context.Context, obj runtime.Object) {
	r := obj.(*toys.Robot)
	r.Generation = 1
	r.Status = toys.RobotStatus{}
}

// PrepareForUpdate keeps the status as it is, and counts a generation if something
// else than metadata was changed.
func (Strategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	r, before := obj.(*toys.Robot), old.(*toys.Robot)
	r.Status = before.Status
	r.Generation = before.Generation
	if !equality.Semantic.DeepEqual(r.Spec, before.Spec) {
		r.Generation++
	}
}

// Validate says what is wrong with a new robot.
func (Strategy) Validate(_ context.Context, obj runtime.Object) field.ErrorList {
	return validate(obj.(*toys.Robot))
}

// ValidateUpdate says what is wrong with a change.
func (Strategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	return validateUpdate(obj.(*toys.Robot), old.(*toys.Robot))
}

// WarningsOnCreate has no warnings: they are left to webhooks.
func (Strategy) WarningsOnCreate(context.Context, runtime.Object) []string { return nil }

// WarningsOnUpdate has no warnings.
func (Strategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}

// Canonicalize changes nothing.
func (Strategy) Canonicalize(runtime.Object) {}

// GetResetFields tells server-side apply that nobody owns a status who writes it
// here.
func (Strategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return inEachVersion("status")
}

// inEachVersion returns a field, which has the same name in all of them.
func inEachVersion(name string) map[fieldpath.APIVersion]*fieldpath.Set {
	return map[fieldpath.APIVersion]*fieldpath.Set{
		fieldpath.APIVersion(v1.GroupVersion().String()):       fieldpath.NewSet(fieldpath.MakePathOrDie(name)),
		fieldpath.APIVersion(v1alpha1.GroupVersion().String()): fieldpath.NewSet(fieldpath.MakePathOrDie(name)),
	}
}
