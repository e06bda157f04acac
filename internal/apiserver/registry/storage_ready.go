package registry

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"
)

// cacheLimit bounds the wait for a watch cache, which takes a few milliseconds.
const cacheLimit = time.Second

// storageWithFilledCacher is genericregistry.StorageWithCacher for custom
// resources: it returns when the watch cache can be listed. Without it the first
// list of a new kind gets 429, and k8s.io/apiextensions-apiserver,
// which lists a kind before it deletes the definition, may keep a definition
// Terminating: it takes its own change of the status for that of another client.
func storageWithFilledCacher() generic.StorageDecorator {
	cached := genericregistry.StorageWithCacher()
	return func(
		config *storagebackend.ConfigForResource, prefix string,
		key func(runtime.Object) (string, error), newFunc, newListFunc func() runtime.Object,
		attributes storage.AttrFunc, trigger storage.IndexerFuncs, indexers *cache.Indexers,
	) (storage.Interface, factory.DestroyFunc, error) {
		store, destroy, err := cached(
			config, prefix, key, newFunc, newListFunc, attributes, trigger, indexers)
		if err != nil {
			return nil, nil, err
		}
		for start := time.Now(); store.ReadinessCheck() != nil && time.Since(start) < cacheLimit; {
			time.Sleep(time.Millisecond)
		}
		return store, destroy, nil
	}
}
