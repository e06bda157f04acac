package registry

import (
	"time"

	"k8s.io/apiserver/pkg/registry/generic"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/storage"
)

// cacheLimit bounds the wait for a watch cache, which takes a few milliseconds.
const cacheLimit = time.Second

// storageWithFilledCacher is genericregistry.StorageWithCacher for custom
// resources: it returns when the watch cache can be listed. Without it the first
// list of a new kind gets 429, and k8s.io/apiextensions-apiserver,
// which lists a kind before it deletes the definition, may keep a definition
// Terminating: it takes its own change of the status for that of another client.
func storageWithFilledCacher() generic.StorageDecorator {
	return wrapped(genericregistry.StorageWithCacher(), func(s storage.Interface) storage.Interface {
		for start := time.Now(); s.ReadinessCheck() != nil && time.Since(start) < cacheLimit; {
			time.Sleep(time.Millisecond)
		}
		return s
	})
}
