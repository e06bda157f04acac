package promise

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	registrationinformers "k8s.io/client-go/informers/admissionregistration"
	coreinformers "k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/kubernetes/fake"
	ktesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
)

// factory is an informer factory that records what was delivered to the
// plugin's handlers, and that can block lists of validating configurations.
type factory struct {
	informers.SharedInformerFactory

	mu     sync.Mutex
	synced []cache.InformerSynced // of informers and of handlers
	kinds  map[reflect.Type]bool  // that have an informer
	// watches is the number of informers that have begun to watch. The fake API
	// server does not deliver earlier writes.
	watches atomic.Int64

	// told is the last revision of a configuration whose handler call has
	// returned.
	told atomic.Int64
	// pause is where lists wait when they have been read; nil if they do not.
	pause atomic.Pointer[pause]
}

func newFactory(kube *fake.Clientset) *factory {
	f := &factory{SharedInformerFactory: informers.NewSharedInformerFactory(kube, 0),
		kinds: map[reflect.Type]bool{}}
	kube.PrependWatchReactor("*", func(a ktesting.Action) (bool, watch.Interface, error) {
		begun, err := kube.Tracker().Watch(a.GetResource(), a.GetNamespace())
		f.watches.Add(1)
		return true, begun, err
	})
	return f
}

// wait returns when all informers and handlers have been given what there is.
func (f *factory) wait(ctx context.Context) error {
	return eventually(ctx, "the informers to sync", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, synced := range f.synced {
			if !synced() {
				return false
			}
		}
		return f.watches.Load() >= int64(len(f.kinds))
	})
}

// heard waits until a revision has been delivered to the plugin.
func (f *factory) heard(ctx context.Context, revision int64) error {
	return eventually(ctx, "a revision to be delivered",
		func() bool { return f.told.Load() == revision })
}

// patience is how long a check waits for what should take no time at all.
const patience = time.Minute

// eventually polls. The error names the condition that was not met, or wraps
// the context's.
func eventually(ctx context.Context, what string, happened func() bool) error {
	for deadline := time.Now().Add(patience); !happened(); time.Sleep(time.Millisecond) {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("waiting for %s: %w", what, err)
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("waiting for %s: it does not happen", what)
		}
	}
	return nil
}

// Core implements informers.SharedInformerFactory.
func (f *factory) Core() coreinformers.Interface {
	return coreinformers.New(f, metav1.NamespaceAll, nil)
}

// Admissionregistration implements informers.SharedInformerFactory.
func (f *factory) Admissionregistration() registrationinformers.Interface {
	return registrations{registrationinformers.New(f, metav1.NamespaceAll, nil), f}
}

// InformerFor implements informers.SharedInformerFactory.
func (f *factory) InformerFor(
	kind runtime.Object, make internalinterfaces.NewInformerFunc,
) cache.SharedIndexInformer {
	informer := f.SharedInformerFactory.InformerFor(kind, make)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.synced = append(f.synced, informer.HasSynced)
	f.kinds[reflect.TypeOf(kind)] = true
	return watched{informer, f}
}

// watched is an informer that reports the calls of its handlers to the factory.
type watched struct {
	cache.SharedIndexInformer
	factory *factory
}

// AddEventHandler implements cache.SharedInformer.
func (w watched) AddEventHandler(
	h cache.ResourceEventHandler,
) (cache.ResourceEventHandlerRegistration, error) {
	r, err := w.SharedIndexInformer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(o any, initial bool) { h.OnAdd(o, initial); w.factory.note(o) },
		UpdateFunc: func(old, o any) { h.OnUpdate(old, o); w.factory.note(o) },
		DeleteFunc: h.OnDelete,
	})
	if err == nil {
		w.factory.mu.Lock()
		defer w.factory.mu.Unlock()
		w.factory.synced = append(w.factory.synced, r.HasSynced)
	}
	return r, err
}

// revisionLabel is where configurations carry the number of their revision.
const revisionLabel = "revision"

func (f *factory) note(o any) {
	object, ok := o.(metav1.Object)
	if !ok {
		return
	}
	if n, err := strconv.ParseInt(object.GetLabels()[revisionLabel], 10, 64); err == nil {
		f.told.Store(n)
	}
}
