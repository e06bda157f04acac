package inforce

import (
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/admissionregistration"
	registrationinformers "k8s.io/client-go/informers/admissionregistration/v1"
	"k8s.io/client-go/tools/cache"
)

// What can be in force, as paths name it.
const (
	mutatingPlural   = "mutatingwebhookconfigurations"
	validatingPlural = "validatingwebhookconfigurations"
	servicesPlural   = "services"
	slicesPlural     = "endpointslices"
)

func followed() []string {
	return []string{mutatingPlural, validatingPlural, servicesPlural, slicesPlural}
}

// Follow has the server's own informers of services report. Who looks for webhooks
// asks their stores, which know of an object before any handler does.
func (f *Reporter) Follow(shared informers.SharedInformerFactory) error {
	for plural, informer := range map[string]cache.SharedIndexInformer{
		servicesPlural: shared.Core().V1().Services().Informer(),
		slicesPlural:   shared.Discovery().V1().EndpointSlices().Informer(),
	} {
		if _, err := informer.AddEventHandler(f.tap(plural, cache.ResourceEventHandlerFuncs{})); err != nil {
			return fmt.Errorf("following %s: %w", plural, err)
		}
	}
	return nil
}

// Tap returns the factory for admission plugins. It is the server's own, but
// what it tells handlers about webhook configurations it also tells the reporter,
// afterwards. What the plugins do with their informers is the same for it.
func (f *Reporter) Tap(shared informers.SharedInformerFactory) informers.SharedInformerFactory {
	return tappedFactory{shared, f}
}

type tappedFactory struct {
	informers.SharedInformerFactory
	reporter *Reporter
}

// Admissionregistration implements informers.SharedInformerFactory.
func (t tappedFactory) Admissionregistration() admissionregistration.Interface {
	return tappedGroup{t.SharedInformerFactory.Admissionregistration(), t.reporter}
}

type tappedGroup struct {
	admissionregistration.Interface
	reporter *Reporter
}

// V1 implements admissionregistration.Interface.
func (t tappedGroup) V1() registrationinformers.Interface {
	return tappedVersion{t.Interface.V1(), t.reporter}
}

type tappedVersion struct {
	registrationinformers.Interface
	reporter *Reporter
}

// MutatingWebhookConfigurations implements registrationinformers.Interface.
func (t tappedVersion) MutatingWebhookConfigurations() registrationinformers.TypedMutatingWebhookConfigurationInformer {
	return tappedMutating{t.Interface.MutatingWebhookConfigurations(), t.reporter}
}

// ValidatingWebhookConfigurations implements registrationinformers.Interface.
func (t tappedVersion) ValidatingWebhookConfigurations() registrationinformers.TypedValidatingWebhookConfigurationInformer {
	return tappedValidating{t.Interface.ValidatingWebhookConfigurations(), t.reporter}
}

type tappedMutating struct {
	registrationinformers.TypedMutatingWebhookConfigurationInformer
	reporter *Reporter
}

// Informer implements registrationinformers.MutatingWebhookConfigurationInformer.
func (t tappedMutating) Informer() cache.SharedIndexInformer {
	return tappedInformer{t.TypedMutatingWebhookConfigurationInformer.Informer(), t.reporter, mutatingPlural}
}

// TypedInformer implements registrationinformers.TypedMutatingWebhookConfigurationInformer.
func (t tappedMutating) TypedInformer() registrationinformers.MutatingWebhookConfigurationIndexInformer {
	return cache.NewTypedSharedIndexInformer[*registrationv1.MutatingWebhookConfiguration](t.Informer())
}

type tappedValidating struct {
	registrationinformers.TypedValidatingWebhookConfigurationInformer
	reporter *Reporter
}

// Informer implements registrationinformers.ValidatingWebhookConfigurationInformer.
func (t tappedValidating) Informer() cache.SharedIndexInformer {
	return tappedInformer{t.TypedValidatingWebhookConfigurationInformer.Informer(), t.reporter, validatingPlural}
}

// TypedInformer implements registrationinformers.TypedValidatingWebhookConfigurationInformer.
func (t tappedValidating) TypedInformer() registrationinformers.ValidatingWebhookConfigurationIndexInformer {
	return cache.NewTypedSharedIndexInformer[*registrationv1.ValidatingWebhookConfiguration](t.Informer())
}

// tappedInformer wraps handlers. One that is removed counts as not told, which
// plugins do after the last request only.
type tappedInformer struct {
	cache.SharedIndexInformer
	reporter *Reporter
	plural   string
}

// AddEventHandler implements cache.SharedInformer.
func (t tappedInformer) AddEventHandler(h cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	return t.SharedIndexInformer.AddEventHandler(t.reporter.tap(t.plural, h))
}

// AddEventHandlerWithOptions implements cache.SharedInformer.
func (t tappedInformer) AddEventHandlerWithOptions(h cache.ResourceEventHandler, o cache.HandlerOptions) (cache.ResourceEventHandlerRegistration, error) {
	return t.SharedIndexInformer.AddEventHandlerWithOptions(t.reporter.tap(t.plural, h), o)
}

// tap returns a handler that does the same and then reports.
func (f *Reporter) tap(plural string, h cache.ResourceEventHandler) cache.ResourceEventHandler {
	tell := f.add(plural)
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(object any, initial bool) { h.OnAdd(object, initial); tell(object) },
		UpdateFunc: func(old, object any) { h.OnUpdate(old, object); tell(object) },
		DeleteFunc: func(object any) { h.OnDelete(object); tell(object) },
	}
}
