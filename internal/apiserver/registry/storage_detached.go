package registry

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
)

// detached is a storage whose transactions do not end with the request. If they did, a client
// that disconnects or a request that times out while etcd commits would cause an error
// although the object is written. The controllers and the roles rely on the result of a
// write, because they have no watch, and would not notice. A request that has ended before
// the transaction still writes nothing.
type detached struct{ storage.Interface }

// Create implements storage.Interface.
func (d detached) Create(
	ctx context.Context, key string, object, out runtime.Object, ttl uint64,
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return d.Interface.Create(context.WithoutCancel(ctx), key, object, out, ttl)
}

// GuaranteedUpdate implements storage.Interface.
func (d detached) GuaranteedUpdate(
	ctx context.Context, key string, out runtime.Object, ignoreNotFound bool,
	conditions *storage.Preconditions, update storage.UpdateFunc, cached runtime.Object,
) error {
	return d.Interface.GuaranteedUpdate(
		context.WithoutCancel(ctx), key, out, ignoreNotFound, conditions,
		func(old runtime.Object, m storage.ResponseMeta) (runtime.Object, *uint64, error) {
			updated, ttl, err := update(old, m)
			if err == nil {
				err = ctx.Err()
			}
			return updated, ttl, err
		}, cached)
}

// Delete implements storage.Interface.
func (d detached) Delete(
	ctx context.Context, key string, out runtime.Object, conditions *storage.Preconditions,
	validate storage.ValidateObjectFunc, cached runtime.Object, options storage.DeleteOptions,
) error {
	return d.Interface.Delete(context.WithoutCancel(ctx), key, out, conditions,
		func(_ context.Context, object runtime.Object) error {
			if err := validate(ctx, object); err != nil {
				return err
			}
			return ctx.Err()
		}, cached, options)
}
