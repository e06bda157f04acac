package storage

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"example.com/gatehouse/examples/aggregated-apiserver/registry/robot"
)

// statusREST serves the status subresource. It implements neither create nor
// delete.
type statusREST struct{ store *genericregistry.Store }

var (
	_ rest.Patcher             = statusREST{}
	_ rest.TableConvertor      = statusREST{}
	_ rest.ResetFieldsStrategy = statusREST{}
)

// newStatus returns a view of the store with the strategy of the subresource.
func newStatus(store *genericregistry.Store, strategy robot.StatusStrategy) statusREST {
	view := *store
	view.UpdateStrategy = strategy
	view.ResetFieldsStrategy = strategy
	return statusREST{&view}
}

// New returns an empty robot.
func (s statusREST) New() runtime.Object { return s.store.New() }

// Destroy does nothing: the resource closes the store.
func (statusREST) Destroy() {}

// Get returns the whole robot.
func (s statusREST) Get(ctx context.Context, name string,
	options *metav1.GetOptions) (runtime.Object, error) {
	return s.store.Get(ctx, name, options)
}

// Update writes the status. It never creates a robot.
func (s statusREST) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo,
	createValidation rest.ValidateObjectFunc, updateValidation rest.ValidateObjectUpdateFunc,
	_ bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	return s.store.Update(ctx, name, info, createValidation, updateValidation, false, options)
}

// GetResetFields delegates to the strategy.
func (s statusREST) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.store.GetResetFields()
}

// ConvertToTable delegates to the store.
func (s statusREST) ConvertToTable(ctx context.Context,
	obj, options runtime.Object) (*metav1.Table, error) {
	return s.store.ConvertToTable(ctx, obj, options)
}
