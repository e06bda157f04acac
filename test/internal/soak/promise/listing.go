package promise

import (
	"sync"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/labels"
	registrationinformers "k8s.io/client-go/informers/admissionregistration"
	registrationinformersv1 "k8s.io/client-go/informers/admissionregistration/v1"
	registrationlisters "k8s.io/client-go/listers/admissionregistration/v1"
)

// pause is one stop of one list.
type pause struct {
	reached, release chan struct{}
	once             sync.Once
}

// pauseNextList has the next list of validating configurations wait, after it
// has been read, until release is closed.
func (f *factory) pauseNextList() *pause {
	p := &pause{reached: make(chan struct{}), release: make(chan struct{})}
	f.pause.Store(p)
	return p
}

func (p *pause) end() { p.once.Do(func() { close(p.release) }) }

// registrations and the types below lead to the lister that can be paused.
type registrations struct {
	registrationinformers.Interface
	factory *factory
}

// V1 implements registrationinformers.Interface.
func (r registrations) V1() registrationinformersv1.Interface {
	return registrationsV1{r.Interface.V1(), r.factory}
}

type registrationsV1 struct {
	registrationinformersv1.Interface
	factory *factory
}

// ValidatingWebhookConfigurations implements registrationinformersv1.Interface.
func (r registrationsV1) ValidatingWebhookConfigurations() registrationinformersv1.TypedValidatingWebhookConfigurationInformer {
	return validatingInformer{r.Interface.ValidatingWebhookConfigurations(), r.factory}
}

type validatingInformer struct {
	registrationinformersv1.TypedValidatingWebhookConfigurationInformer
	factory *factory
}

// Lister implements
// registrationinformersv1.ValidatingWebhookConfigurationInformer.
func (i validatingInformer) Lister() registrationlisters.ValidatingWebhookConfigurationLister {
	return pausedListing{i.TypedValidatingWebhookConfigurationInformer.Lister(), i.factory}
}

type pausedListing struct {
	registrationlisters.ValidatingWebhookConfigurationLister
	factory *factory
}

// List implements registrationlisters.ValidatingWebhookConfigurationLister.
func (l pausedListing) List(
	s labels.Selector,
) ([]*registrationv1.ValidatingWebhookConfiguration, error) {
	list, err := l.ValidatingWebhookConfigurationLister.List(s)
	if p := l.factory.pause.Swap(nil); p != nil {
		close(p.reached)
		<-p.release
	}
	return list, err
}
