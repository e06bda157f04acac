package harness

import (
	"context"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	registrationinformers "k8s.io/client-go/informers/admissionregistration"
	coreinformers "k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// Factory is an informer factory that knows when its handlers, and not just its
// caches, have been given everything. Make one with NewFactory.
type Factory struct {
	informers.SharedInformerFactory
	// mu guards synced, of informers and of handlers: upstream's plugins look up
	// informers while they serve.
	mu     sync.Mutex
	synced []cache.InformerSynced
	// callLog, if not nil, records the look-ups of namespaces.
	callLog *callLog
}

// NewFactory makes a factory over what an API server holds.
func NewFactory(kube kubernetes.Interface) *Factory {
	return &Factory{SharedInformerFactory: informers.NewSharedInformerFactory(kube, 0)}
}

// StartAll starts the informers that webhook plugins need.
func (f *Factory) StartAll(stop <-chan struct{}) {
	f.Core().V1().Namespaces().Informer()
	f.Admissionregistration().V1().MutatingWebhookConfigurations().Informer()
	f.Admissionregistration().V1().ValidatingWebhookConfigurations().Informer()
	f.Start(stop)
}

// Wait returns when every informer that was made so far has everything, and has
// given it to its handlers.
func (f *Factory) Wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, syncTimeout)
	defer cancel()
	f.mu.Lock()
	all := slices.Clone(f.synced)
	f.mu.Unlock()
	for _, synced := range all {
		for !synced() {
			if ctx.Err() != nil {
				return errNotSynced
			}
			time.Sleep(20 * time.Microsecond)
		}
	}
	return nil
}

// Core implements informers.SharedInformerFactory.
func (f *Factory) Core() coreinformers.Interface {
	core := coreinformers.New(f, metav1.NamespaceAll, nil)
	if f.callLog == nil {
		return core
	}
	return watchedCore{core, f.callLog}
}

// Admissionregistration implements informers.SharedInformerFactory.
func (f *Factory) Admissionregistration() registrationinformers.Interface {
	return registrationinformers.New(f, metav1.NamespaceAll, nil)
}

// InformerFor implements informers.SharedInformerFactory.
func (f *Factory) InformerFor(
	kind runtime.Object, make internalinterfaces.NewInformerFunc,
) cache.SharedIndexInformer {
	informer := f.SharedInformerFactory.InformerFor(kind, make)
	f.add(informer.HasSynced)
	return watched{informer, f}
}

func (f *Factory) add(synced cache.InformerSynced) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.synced = append(f.synced, synced)
}

// watched is an informer that registers its handlers with the factory.
type watched struct {
	cache.SharedIndexInformer
	factory *Factory
}

func (w watched) added(
	r cache.ResourceEventHandlerRegistration, err error,
) (cache.ResourceEventHandlerRegistration, error) {
	if err == nil {
		w.factory.add(r.HasSynced)
	}
	return r, err
}

// AddEventHandler implements cache.SharedInformer.
func (w watched) AddEventHandler(
	h cache.ResourceEventHandler,
) (cache.ResourceEventHandlerRegistration, error) {
	return w.added(w.SharedIndexInformer.AddEventHandler(h))
}

// AddEventHandlerWithResyncPeriod implements cache.SharedInformer.
func (w watched) AddEventHandlerWithResyncPeriod(
	h cache.ResourceEventHandler, d time.Duration,
) (cache.ResourceEventHandlerRegistration, error) {
	return w.added(w.SharedIndexInformer.AddEventHandlerWithResyncPeriod(h, d))
}

// AddEventHandlerWithOptions implements cache.SharedInformer.
func (w watched) AddEventHandlerWithOptions(
	h cache.ResourceEventHandler, o cache.HandlerOptions,
) (cache.ResourceEventHandlerRegistration, error) {
	return w.added(w.SharedIndexInformer.AddEventHandlerWithOptions(h, o))
}
