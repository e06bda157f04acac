package policies

import (
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/dispatcher/policy"
	"example.com/gatehouse/internal/offline/kinds"
)

// fixedParams are params that do not change.
type fixedParams struct {
	known *kinds.Registry

	mu sync.Mutex // policies are compiled at the same time
	of map[schema.GroupVersionKind]*paramStore
}

var _ policy.Params = (*fixedParams)(nil)

func newParams(known *kinds.Registry, objects []runtime.Object) (*fixedParams, error) {
	p := &fixedParams{known: known, of: map[schema.GroupVersionKind]*paramStore{}}
	for _, o := range objects {
		if err := p.add(o); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *fixedParams) add(o runtime.Object) error {
	store, err := p.store(o.GetObjectKind().GroupVersionKind())
	if err != nil {
		return err
	}
	if _, custom := o.(runtime.Unstructured); !custom {
		// Informers of built-in kinds have objects without a kind.
		o = o.DeepCopyObject()
		o.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	}
	return store.objects.Add(o)
}

// store returns the store of a kind. The error says that there is no such kind.
func (p *fixedParams) store(kind schema.GroupVersionKind) (*paramStore, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if store := p.of[kind]; store != nil {
		return store, nil
	}
	at, err := p.known.Lookup(kind)
	if err != nil {
		return nil, err
	}
	store := &paramStore{at: at, objects: cache.NewIndexer(cache.MetaNamespaceKeyFunc,
		cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})}
	p.of[kind] = store
	return store, nil
}

// Informer implements policy.Params.
func (p *fixedParams) Informer(
	kind schema.GroupVersionKind,
) (informers.GenericInformer, meta.RESTScope, error) {
	store, err := p.store(kind)
	if err != nil {
		return nil, nil, err
	}
	if store.at.Namespaced {
		return store, meta.RESTScopeNamespace, nil
	}
	return store, meta.RESTScopeRoot, nil
}

// paramStore has the params of a kind.
type paramStore struct {
	at      kinds.Resource
	objects cache.Indexer
}

// Lister implements informers.GenericInformer.
func (s *paramStore) Lister() cache.GenericLister {
	return cache.NewGenericLister(s.objects, s.at.GroupResource())
}

// Informer implements informers.GenericInformer.
func (s *paramStore) Informer() cache.SharedIndexInformer { return synced{} }

// synced is an informer of which policies ask only whether it has synced.
type synced struct{ cache.SharedIndexInformer }

// HasSynced reports true.
func (synced) HasSynced() bool { return true }
