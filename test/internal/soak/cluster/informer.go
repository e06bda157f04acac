package cluster

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	registrationlisters "k8s.io/client-go/listers/admissionregistration/v1"
	"k8s.io/client-go/tools/cache"
)

// Mutating returns an empty collection of MutatingWebhookConfigurations.
func Mutating() *Collection { return Of(&registrationv1.MutatingWebhookConfigurationList{}) }

// Validating returns an empty collection of ValidatingWebhookConfigurations.
func Validating() *Collection { return Of(&registrationv1.ValidatingWebhookConfigurationList{}) }

// Of returns an empty collection, of the objects that are in such a list.
func Of(empty metav1.ListInterface) *Collection {
	return newCollection(func(version string, objects []Object) runtime.Object {
		list := empty.(runtime.Object).DeepCopyObject()
		items := make([]runtime.Object, len(objects))
		for i, o := range objects {
			items[i] = o
		}
		if err := meta.SetList(list, items); err != nil {
			panic(err) // a mistake of the caller: another kind of object
		}
		list.(metav1.ListInterface).SetResourceVersion(version)
		return list
	})
}

// listsOnly is a client that has to list before it watches.
type listsOnly struct{}

// IsWatchListSemanticsUnSupported makes client-go list before it watches.
func (listsOnly) IsWatchListSemanticsUnSupported() bool { return true }

// Follow returns a new informer of the collection, of objects like the example.
// It is the caller's to run.
func (c *Collection) Follow(example runtime.Object) cache.SharedIndexInformer {
	source := cache.ToListWatcherWithWatchListSemantics(
		&cache.ListWatch{ListWithContextFunc: c.all, WatchFuncWithContext: c.follow}, listsOnly{})
	return cache.NewSharedIndexInformer(source, example, 0, cache.Indexers{})
}

// MutatingInformer is an informer as generated factories return it.
type MutatingInformer struct{ Shared cache.SharedIndexInformer }

// Informer implements v1.MutatingWebhookConfigurationInformer.
func (i MutatingInformer) Informer() cache.SharedIndexInformer { return i.Shared }

// Lister implements v1.MutatingWebhookConfigurationInformer.
func (i MutatingInformer) Lister() registrationlisters.MutatingWebhookConfigurationLister {
	return registrationlisters.NewMutatingWebhookConfigurationLister(i.Shared.GetIndexer())
}

// ValidatingInformer is an informer as generated factories return it.
type ValidatingInformer struct{ Shared cache.SharedIndexInformer }

// Informer implements v1.ValidatingWebhookConfigurationInformer.
func (i ValidatingInformer) Informer() cache.SharedIndexInformer { return i.Shared }

// Lister implements v1.ValidatingWebhookConfigurationInformer.
func (i ValidatingInformer) Lister() registrationlisters.ValidatingWebhookConfigurationLister {
	return registrationlisters.NewValidatingWebhookConfigurationLister(i.Shared.GetIndexer())
}
