package registry

import (
	"context"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"
)

// lazyStorage is a storage without a watch cache that connects to the database
// when it is first used, so that the kinds that are not used do not slow the
// start of the server.
type lazyStorage struct {
	open func() (storage.Interface, error)
}

var (
	_ storage.Interface        = lazyStorage{}
	_ generic.StorageDecorator = newLazyStorage
)

// newLazyStorage is a generic.StorageDecorator.
func newLazyStorage(
	config *storagebackend.ConfigForResource, prefix string, _ func(runtime.Object) (string, error),
	newFunc, newListFunc func() runtime.Object, _ storage.AttrFunc, _ storage.IndexerFuncs,
	_ *cache.Indexers,
) (storage.Interface, factory.DestroyFunc, error) {
	var opened atomic.Pointer[factory.DestroyFunc]
	open := sync.OnceValues(func() (storage.Interface, error) {
		s, destroy, err := generic.NewRawStorage(config, newFunc, newListFunc, prefix)
		opened.Store(&destroy)
		return s, err
	})
	return lazyStorage{open}, func() {
		if destroy := opened.Load(); destroy != nil && *destroy != nil {
			(*destroy)()
		}
	}, nil
}

// Versioner implements storage.Interface.
func (lazyStorage) Versioner() storage.Versioner { return storage.APIObjectVersioner{} }

// ReadinessCheck implements storage.Interface. There is no cache to wait for.
func (lazyStorage) ReadinessCheck() error { return nil }

// Create implements storage.Interface.
func (l lazyStorage) Create(
	ctx context.Context, key string, object, out runtime.Object, ttl uint64,
) error {
	s, err := l.open()
	if err != nil {
		return err
	}
	return s.Create(ctx, key, object, out, ttl)
}

// Delete implements storage.Interface.
func (l lazyStorage) Delete(
	ctx context.Context, key string, out runtime.Object, preconditions *storage.Preconditions,
	validate storage.ValidateObjectFunc, existing runtime.Object, options storage.DeleteOptions,
) error {
	s, err := l.open()
	if err != nil {
		return err
	}
	return s.Delete(ctx, key, out, preconditions, validate, existing, options)
}

// Watch implements storage.Interface.
func (l lazyStorage) Watch(
	ctx context.Context, key string, options storage.ListOptions,
) (watch.Interface, error) {
	s, err := l.open()
	if err != nil {
		return nil, err
	}
	return s.Watch(ctx, key, options)
}

// Get implements storage.Interface.
func (l lazyStorage) Get(
	ctx context.Context, key string, options storage.GetOptions, out runtime.Object,
) error {
	s, err := l.open()
	if err != nil {
		return err
	}
	return s.Get(ctx, key, options, out)
}

// GetList implements storage.Interface.
func (l lazyStorage) GetList(
	ctx context.Context, key string, options storage.ListOptions, list runtime.Object,
) error {
	s, err := l.open()
	if err != nil {
		return err
	}
	return s.GetList(ctx, key, options, list)
}

// GuaranteedUpdate implements storage.Interface.
func (l lazyStorage) GuaranteedUpdate(
	ctx context.Context, key string, out runtime.Object, ignoreNotFound bool,
	preconditions *storage.Preconditions, update storage.UpdateFunc, existing runtime.Object,
) error {
	s, err := l.open()
	if err != nil {
		return err
	}
	return s.GuaranteedUpdate(ctx, key, out, ignoreNotFound, preconditions, update, existing)
}

// Stats implements storage.Interface.
func (l lazyStorage) Stats(ctx context.Context) (storage.Stats, error) {
	s, err := l.open()
	if err != nil {
		return storage.Stats{}, err
	}
	return s.Stats(ctx)
}

// RequestWatchProgress implements storage.Interface.
func (l lazyStorage) RequestWatchProgress(ctx context.Context) error {
	s, err := l.open()
	if err != nil {
		return err
	}
	return s.RequestWatchProgress(ctx)
}

// GetCurrentResourceVersion implements storage.Interface.
func (l lazyStorage) GetCurrentResourceVersion(ctx context.Context) (uint64, error) {
	s, err := l.open()
	if err != nil {
		return 0, err
	}
	return s.GetCurrentResourceVersion(ctx)
}

// EnableResourceSizeEstimation implements storage.Interface. Only watch caches
// call it.
func (lazyStorage) EnableResourceSizeEstimation(storage.KeysFunc) error { return nil }

// CompactRevision implements storage.Interface.
func (l lazyStorage) CompactRevision() int64 {
	s, err := l.open()
	if err != nil {
		return 0
	}
	return s.CompactRevision()
}
