package webhookconfig

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// TestTrust: the CA of the command line is only for webhooks without their own.
func TestTrust(t *testing.T) {
	t.Parallel()
	configuration := &registrationv1.ValidatingWebhookConfiguration{Webhooks: []registrationv1.ValidatingWebhook{
		{Name: "own", ClientConfig: registrationv1.WebhookClientConfig{CABundle: []byte("own")}},
		{Name: "none"},
	}}
	Trust(configuration, []byte("given"))
	got := []string{string(configuration.Webhooks[0].ClientConfig.CABundle), string(configuration.Webhooks[1].ClientConfig.CABundle)}
	if diff := cmp.Diff([]string{"own", "given"}, got); diff != "" {
		t.Errorf("CA bundles (-want +got):\n%s", diff)
	}
}
