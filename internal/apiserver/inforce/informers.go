package inforce

import (
	"fmt"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	registrationinformers "k8s.io/client-go/informers/admissionregistration/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// The tracked resources, as they appear in paths.
const (
	mutatingWebhooks   = "mutatingwebhookconfigurations"
	validatingWebhooks = "validatingwebhookconfigurations"
	mutatingPolicies   = "mutatingadmissionpolicies"
	mutatingBindings   = "mutatingadmissionpolicybindings"
	validatingPolicies = "validatingadmissionpolicies"
	validatingBindings = "validatingadmissionpolicybindings"
	services           = "services"
	endpointSlices     = "endpointslices"
)

func trackedResources() []string {
	return []string{
		mutatingWebhooks, validatingWebhooks, mutatingPolicies, mutatingBindings, validatingPolicies,
		validatingBindings, services, endpointSlices,
	}
}

// TrackServices tracks the shared informers of Services and EndpointSlices. An
// informer updates its store before it calls handlers, so an empty handler is
// enough.
func (t *Tracker) TrackServices(shared informers.SharedInformerFactory) error {
	for resource, informer := range map[string]cache.SharedIndexInformer{
		services:       shared.Core().V1().Services().Informer(),
		endpointSlices: shared.Discovery().V1().EndpointSlices().Informer(),
	} {
		handler := t.track(resource, cache.ResourceEventHandlerFuncs{})
		if _, err := informer.AddEventHandler(handler); err != nil {
			return fmt.Errorf("watching %s: %w", resource, err)
		}
	}
	return nil
}

// TrackPlugins makes shared use informers for webhook configurations and policies
// that track every event handler. It must be called before anything else requests these
// informers from shared.
func (t *Tracker) TrackPlugins(shared informers.SharedInformerFactory) {
	t.trackPlugin(shared, mutatingWebhooks, &registrationv1.MutatingWebhookConfiguration{},
		registrationinformers.NewMutatingWebhookConfigurationInformer)
	t.trackPlugin(shared, validatingWebhooks, &registrationv1.ValidatingWebhookConfiguration{},
		registrationinformers.NewValidatingWebhookConfigurationInformer)
	t.trackPlugin(shared, mutatingPolicies, &registrationv1.MutatingAdmissionPolicy{},
		registrationinformers.NewMutatingAdmissionPolicyInformer)
	t.trackPlugin(shared, mutatingBindings, &registrationv1.MutatingAdmissionPolicyBinding{},
		registrationinformers.NewMutatingAdmissionPolicyBindingInformer)
	t.trackPlugin(shared, validatingPolicies, &registrationv1.ValidatingAdmissionPolicy{},
		registrationinformers.NewValidatingAdmissionPolicyInformer)
	t.trackPlugin(shared, validatingBindings, &registrationv1.ValidatingAdmissionPolicyBinding{},
		registrationinformers.NewValidatingAdmissionPolicyBindingInformer)
}

func (t *Tracker) trackPlugin(
	shared informers.SharedInformerFactory, resource string, object runtime.Object,
	newInformer func(kubernetes.Interface, time.Duration, cache.Indexers) cache.SharedIndexInformer,
) {
	indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	shared.InformerFor(object,
		func(client kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
			return trackedInformer{newInformer(client, resync, indexers), t, resource}
		})
}

// trackedInformer tracks the event handlers that are added to it. Plugins
// remove their handlers only when the server stops, so removal is not tracked.
type trackedInformer struct {
	cache.SharedIndexInformer
	tracker  *Tracker
	resource string
}

// AddEventHandler implements cache.SharedInformer.
func (i trackedInformer) AddEventHandler(
	h cache.ResourceEventHandler,
) (cache.ResourceEventHandlerRegistration, error) {
	return i.SharedIndexInformer.AddEventHandler(i.tracker.track(i.resource, h))
}

// AddEventHandlerWithOptions implements cache.SharedInformer.
func (i trackedInformer) AddEventHandlerWithOptions(
	h cache.ResourceEventHandler, o cache.HandlerOptions,
) (cache.ResourceEventHandlerRegistration, error) {
	return i.SharedIndexInformer.AddEventHandlerWithOptions(i.tracker.track(i.resource, h), o)
}

// track returns a handler that calls h and then records the object's version.
func (t *Tracker) track(resource string, h cache.ResourceEventHandler) cache.ResourceEventHandler {
	processed := t.addHandler(resource)
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(object any, initial bool) { h.OnAdd(object, initial); processed(object) },
		UpdateFunc: func(old, object any) { h.OnUpdate(old, object); processed(object) },
		DeleteFunc: func(object any) { h.OnDelete(object); processed(object) },
	}
}
