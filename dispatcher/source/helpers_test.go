package source

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/matching"
)

func mutating(name string, webhooks ...string) *registrationv1.MutatingWebhookConfiguration {
	c := &registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}}
	for _, w := range webhooks {
		c.Webhooks = append(c.Webhooks, registrationv1.MutatingWebhook{Name: w})
	}
	return c
}

func validating(name string, webhooks ...string) *registrationv1.ValidatingWebhookConfiguration {
	c := &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}}
	for _, w := range webhooks {
		c.Webhooks = append(c.Webhooks, registrationv1.ValidatingWebhook{Name: w})
	}
	return c
}

// current returns what a source that must be ready has.
func current(t *testing.T, s dispatcher.Source) *matching.Snapshot {
	t.Helper()
	snapshot, err := s.Current(t.Context())
	if err != nil {
		t.Fatalf("Current: %v", err)
	}
	return snapshot
}

// order lists the uids of a snapshot, which name configuration and webhook.
type order struct{ Mutating, Validating []string }

func orderOf(s *matching.Snapshot) order {
	return order{
		Mutating:   uids(s.Webhooks(admission.Mutating)),
		Validating: uids(s.Webhooks(admission.Validating)),
	}
}

func uids(webhooks []*matching.Webhook) []string {
	var out []string
	for _, w := range webhooks {
		out = append(out, w.UID)
	}
	return out
}
