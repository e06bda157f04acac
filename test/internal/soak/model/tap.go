package model

import (
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/test/internal/soak/cluster"
)

// Tap wraps an informer so that its store makes this history: what the store holds
// when its handler is called, and when it is listed. Only one handler may be added.
func (h *History) Tap(informer cache.SharedIndexInformer) cache.SharedIndexInformer {
	return tapped{informer, h}
}

type tapped struct {
	cache.SharedIndexInformer
	history *History
}

// GetStore implements cache.SharedInformer.
func (t tapped) GetStore() cache.Store {
	return tappedStore{t.SharedIndexInformer.GetStore(), t.history}
}

// GetIndexer implements cache.SharedIndexInformer, for a lister that gets single
// objects.
func (t tapped) GetIndexer() cache.Indexer {
	return tappedIndexer{t.SharedIndexInformer.GetIndexer(), t.history}
}

// AddEventHandler implements cache.SharedInformer.
func (t tapped) AddEventHandler(
	handler cache.ResourceEventHandler,
) (cache.ResourceEventHandlerRegistration, error) {
	deliver := func(tell func()) { t.history.deliver(t.SharedIndexInformer.GetStore(), tell) }
	return t.SharedIndexInformer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(obj any, initial bool) { deliver(func() { handler.OnAdd(obj, initial) }) },
		UpdateFunc: func(old, obj any) { deliver(func() { handler.OnUpdate(old, obj) }) },
		DeleteFunc: func(obj any) { deliver(func() { handler.OnDelete(obj) }) },
	})
}

// deliver calls the handler for a change, which the store has already. A request may
// see the new state as soon as the delivery begins, and must see it if the request
// starts after the delivery.
func (h *History) deliver(store cache.Store, tell func()) {
	begun, _ := h.begin(store.List)
	tell()
	h.end(begun)
}

// tappedStore is a store whose lists are in a history: a request may see what has
// not been delivered yet.
type tappedStore struct {
	cache.Store
	history *History
}

// List implements cache.Store.
func (s tappedStore) List() []any {
	_, objects := s.history.begin(s.Store.List)
	return objects
}

// tappedIndexer is an indexer whose objects are in a history: those that it
// returns, and the others at that moment.
type tappedIndexer struct {
	cache.Indexer
	history *History
}

// GetByKey implements cache.Store.
func (i tappedIndexer) GetByKey(key string) (object any, exists bool, err error) {
	_, objects := i.history.begin(i.Indexer.List)
	for _, o := range objects {
		if o.(cluster.Object).GetName() == key {
			return o, true, nil
		}
	}
	return nil, false, nil
}

func stateOf(objects []any) State {
	var s State
	for _, o := range objects {
		s = s.With(Of(o.(cluster.Object)))
	}
	return s
}
