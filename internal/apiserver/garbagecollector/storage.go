package garbagecollector

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/storage"
)

// Observe wraps the storage of a resource.
func (c *Controller) Observe(
	resource schema.GroupResource, store storage.Interface,
) storage.Interface {
	return observed{store, resource, c}
}

// observed is a storage that reports writes to a Controller.
type observed struct {
	storage.Interface
	resource   schema.GroupResource
	controller *Controller
}

// Create implements storage.Interface.
func (o observed) Create(
	ctx context.Context, key string, object, out runtime.Object, ttl uint64,
) error {
	err := o.Interface.Create(ctx, key, object, out, ttl)
	if err == nil {
		o.controller.written(o.resource, out)
	}
	return err
}

// GuaranteedUpdate implements storage.Interface.
func (o observed) GuaranteedUpdate(
	ctx context.Context, key string, out runtime.Object, ignoreNotFound bool,
	conditions *storage.Preconditions, update storage.UpdateFunc, cached runtime.Object,
) error {
	err := o.Interface.GuaranteedUpdate(ctx, key, out, ignoreNotFound, conditions, update, cached)
	if err == nil {
		o.controller.written(o.resource, out)
	}
	return err
}

// Delete implements storage.Interface.
func (o observed) Delete(
	ctx context.Context, key string, out runtime.Object, conditions *storage.Preconditions,
	validate storage.ValidateObjectFunc, cached runtime.Object, options storage.DeleteOptions,
) error {
	err := o.Interface.Delete(ctx, key, out, conditions, validate, cached, options)
	if err == nil {
		o.controller.deleted(out)
	}
	return err
}
