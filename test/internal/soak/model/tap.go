package model

import (
	"fmt"

	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/test/internal/soak/cluster"
)

// Tap wraps an informer so that the deliveries of its handler make this
// history. Only one handler may be added.
func (h *History) Tap(informer cache.SharedIndexInformer) cache.SharedIndexInformer {
	return tapped{informer, h}
}

type tapped struct {
	cache.SharedIndexInformer
	history *History
}

// AddEventHandler implements cache.SharedInformer.
func (t tapped) AddEventHandler(
	handler cache.ResourceEventHandler,
) (cache.ResourceEventHandlerRegistration, error) {
	h := t.history
	return t.SharedIndexInformer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(obj any, initial bool) {
			h.deliver(with(obj), func() { handler.OnAdd(obj, initial) })
		},
		UpdateFunc: func(old, obj any) {
			h.deliver(with(obj), func() { handler.OnUpdate(old, obj) })
		},
		DeleteFunc: func(obj any) {
			h.deliver(without(obj), func() { handler.OnDelete(obj) })
		},
	})
}

// deliver calls the handler for a change. A request may see the new state as
// soon as the delivery begins, and must see it if the request starts after the
// delivery.
func (h *History) deliver(change func(State) State, tell func()) {
	h.begin(change)
	tell()
	h.end()
}

func with(obj any) func(State) State {
	c := Of(obj.(cluster.Object))
	return func(s State) State { return s.With(c) }
}

func without(obj any) func(State) State {
	name, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
	if err != nil {
		panic(fmt.Sprintf("model: an object that is gone: %v", err))
	}
	return func(s State) State { return s.Without(name) }
}
