package rbac

import (
	"context"
	"strconv"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
	"k8s.io/apimachinery/pkg/api/meta"
	metainternalversion "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
)

// cache has a value that is computed from all objects of a resource. The store
// reports a write before it responds to the client, so the write affects every
// request that begins after the response.
type cache[T any] struct {
	store *genericregistry.Store
	// make makes the value.
	make func([]runtime.Object) T
	// written is the resourceVersion of the latest write.
	written atomic.Uint64

	// lock guards the rest. A request waits for it until its context ends.
	lock   *semaphore.Weighted
	loaded bool
	// seen is the resourceVersion that the value has at least.
	seen  uint64
	value T
}

func newCache[T any](value func([]runtime.Object) T) *cache[T] {
	return &cache[T]{make: value, lock: semaphore.NewWeighted(1)}
}

// attach makes the cache follow a store that is not in use yet.
func (c *cache[T]) attach(store *genericregistry.Store) {
	c.store = store
	store.AfterCreate = func(o runtime.Object, _ *metav1.CreateOptions) { c.wrote(o) }
	store.AfterUpdate = func(o runtime.Object, _ *metav1.UpdateOptions) { c.wrote(o) }
	store.AfterDelete = func(o runtime.Object, _ *metav1.DeleteOptions) { c.wrote(o) }
}

// wrote notes a write. The object of a dry run has an old resourceVersion, or
// none.
func (c *cache[T]) wrote(o runtime.Object) {
	m, err := meta.Accessor(o)
	if err != nil {
		return
	}
	version, err := strconv.ParseUint(m.GetResourceVersion(), 10, 64)
	if err != nil {
		return
	}
	for {
		latest := c.written.Load()
		if version <= latest || c.written.CompareAndSwap(latest, version) {
			return
		}
	}
}

// get returns the value. The caller must not change it. After an error there is none: an
// older one may have bindings that are deleted.
func (c *cache[T]) get(ctx context.Context) (T, error) {
	var none T
	written := c.written.Load()
	if err := c.lock.Acquire(ctx, 1); err != nil {
		return none, err
	}
	defer c.lock.Release(1)
	if c.loaded && c.seen >= written {
		return c.value, nil
	}
	options := &metainternalversion.ListOptions{}
	if c.loaded {
		// The watch cache of the store has it in a moment.
		options.ResourceVersion = strconv.FormatUint(written, 10)
		options.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	}
	objects, err := c.list(ctx, options)
	if err != nil {
		return none, err
	}
	c.value, c.seen, c.loaded = c.make(objects), written, true
	return c.value, nil
}

func (c *cache[T]) list(
	ctx context.Context, options *metainternalversion.ListOptions,
) ([]runtime.Object, error) {
	list, err := c.store.List(request.WithNamespace(ctx, metav1.NamespaceAll), options)
	if err != nil {
		return nil, err
	}
	return meta.ExtractList(list)
}
