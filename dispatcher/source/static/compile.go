package static

import (
	"errors"
	"fmt"
	"reflect"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/matching"
)

// webhooksOf returns the webhooks of a configuration of either kind, marked as
// static, and none for other objects. Their uids differ from those of the API's
// webhooks (S-046).
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

// compiledConfiguration holds a configuration's webhooks, as declared and as
// compiled.
type compiledConfiguration struct {
	declared []*admission.Webhook
	webhooks []*matching.Webhook
}

// compile returns a snapshot of sorted configurations. A configuration whose
// webhooks have not changed since the last snapshot keeps its compiled
// webhooks. The error names all selectors that do not parse (S-047), or is a
// panic.
func (f *Folder) compile(configurations []runtime.Object) (snapshot *matching.Snapshot, err error) {
	err = guard.Call(func() error {
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
			one, known := f.compiled[name]
			if !known || !reflect.DeepEqual(one.declared, declared) {
				one = compiledConfiguration{declared, f.compiler.Compile(declared)}
			}
			keep[name] = one
			all = append(all, one.webhooks...)
		}
		if err := errors.Join(problems...); err != nil {
			return err
		}
		f.compiled, snapshot = keep, newSnapshot(f.config.Phase, all)
		return nil
	})
	return snapshot, err
}

func newSnapshot(phase admission.Phase, webhooks []*matching.Webhook) *matching.Snapshot {
	if phase == admission.Mutating {
		return matching.NewSnapshot(webhooks, nil)
	}
	return matching.NewSnapshot(nil, webhooks)
}

// checkSelectors returns an error for all selectors that do not parse.
// Validation finds most of them earlier, but a host's own loader may not
// validate.
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
