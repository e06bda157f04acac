package wide

import (
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/soak/engine"
)

// seconds is the timeout of all webhooks, the longest that there is.
const seconds = 30

// webhooks returns the configurations of all webhooks: in each phase two, so
// that their order is that of names and places.
func (s *server) webhooks() []runtime.Object {
	var all []runtime.Object
	for half := range 2 {
		mutating, validating := engine.Mutating(fmt.Sprintf("wide-%d", half)), engine.Validating(fmt.Sprintf("wide-%d", half))
		for i := half * s.plan.each / 2; i < (half+1)*s.plan.each/2; i++ {
			mutating.Webhooks = append(mutating.Webhooks, s.webhook(admission.Mutating, i).Mutating())
			validating.Webhooks = append(validating.Webhooks,
				s.webhook(admission.Validating, i).Validating())
		}
		all = append(all, mutating, validating)
	}
	return all
}

func (s *server) webhook(phase admission.Phase, index int) engine.Webhook {
	w := engine.Webhook{Name: name(phase, index), Timeout: seconds,
		Reach: registrationv1.WebhookClientConfig{CABundle: s.bundle}}
	if unreliable(phase, index) {
		w.Policy = registrationv1.Ignore
	}
	if index%2 == 0 {
		w.Reach.Service = &registrationv1.ServiceReference{
			Namespace: serviceNamespace, Name: fmt.Sprintf("%v-%d", phase, index), Path: new(path(phase, index)),
		}
		return w
	}
	w.Reach.URL = new("https://" + s.address() + path(phase, index))
	return w
}
