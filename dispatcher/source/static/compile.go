package static

import (
	"errors"
	"fmt"
	"reflect"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// webhooksOf returns the webhooks of a configuration of either kind as static
// ones, none for other objects. Their uids can be told from those of an API's
// (S-046).
func webhooksOf(obj runtime.Object) []*admission.Webhook {
	var webhooks []*admission.Webhook
	switch c := obj.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		webhooks = admission.MutatingWebhooks(c)
	case *registrationv1.ValidatingWebhookConfiguration:
		webhooks = admission.ValidatingWebhooks(c)
	}
	for _, w := range webhooks {
		w.UID, w.Static = "manifest/"+w.UID, true
	}
	return webhooks
}

// compiler compiles whole sets. A configuration that declares what the one in the
// same place declared in the last set that was kept keeps its compiled webhooks.
type compiler struct {
	*matching.Compiler
	previous map[string]compiledConfiguration
}

// compiled is a configuration's webhooks, as written and as compiled.
type compiledConfiguration struct {
	declared []*admission.Webhook
	webhooks []*matching.Webhook
}

// compile returns a snapshot of configurations that are sorted already, and what
// to keep of it once it is in force. The error says which selectors do not parse
// (S-047).
func (c *compiler) compile(phase admission.Phase, configurations []runtime.Object) (*matching.Snapshot, map[string]compiledConfiguration, error) {
	var all []*matching.Webhook
	var problems []error
	keep := map[string]compiledConfiguration{}
	for _, obj := range configurations {
		declared := webhooksOf(obj)
		if len(declared) == 0 {
			continue
		}
		problems = append(problems, checkSelectors(declared))
		name := declared[0].Configuration
		one, known := c.previous[name]
		if !known || !reflect.DeepEqual(one.declared, declared) {
			one = compiledConfiguration{declared, c.Compile(declared)}
		}
		keep[name] = one
		all = append(all, one.webhooks...)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, nil, err
	}
	if phase == admission.Mutating {
		return matching.NewSnapshot(all, nil), keep, nil
	}
	return matching.NewSnapshot(nil, all), keep, nil
}

// checkSelectors finds selectors that do not parse. Validation finds most of them
// before, but not every host's loader validates.
func checkSelectors(webhooks []*admission.Webhook) error {
	var problems []error
	for _, w := range webhooks {
		if _, err := metav1.LabelSelectorAsSelector(w.NamespaceSelector); err != nil {
			problems = append(problems, fmt.Errorf("webhook %q: invalid namespaceSelector: %w", w.Name, err))
		}
		if _, err := metav1.LabelSelectorAsSelector(w.ObjectSelector); err != nil {
			problems = append(problems, fmt.Errorf("webhook %q: invalid objectSelector: %w", w.Name, err))
		}
	}
	return errors.Join(problems...)
}
