package integration_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/process"
)

// within selects what is in a namespace.
func within(namespace string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: namespace}}
}

// at is where a webhook is called.
func at(w *process.Webhooks, path string) registrationv1.WebhookClientConfig {
	return registrationv1.WebhookClientConfig{URL: new("https://" + w.Address + path), CABundle: w.CA}
}

// on are operations on resources of the core group.
func on(resource string, operations ...registrationv1.OperationType) []registrationv1.RuleWithOperations {
	return []registrationv1.RuleWithOperations{{
		Operations: operations,
		Rule:       registrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{resource}},
	}}
}

// phases are those of admission. The names of resources begin with them.
func phases() []string { return []string{"mutating", "validating"} }

// install registers webhooks for a phase and returns when they are in force.
// They are given as mutating ones, and need no side effects and versions. They
// go with the test.
func (s *server) install(t *testing.T, phase, name string, webhooks ...registrationv1.MutatingWebhook) {
	t.Helper()
	for i := range webhooks {
		webhooks[i].SideEffects = new(registrationv1.SideEffectClassNone)
		if webhooks[i].AdmissionReviewVersions == nil {
			webhooks[i].AdmissionReviewVersions = []string{"v1"}
		}
	}
	plural := phase + "webhookconfigurations"
	body := configuration(t, phase, name, webhooks)
	created := &metav1.PartialObjectMetadata{}
	text, err := s.AdmissionregistrationV1().RESTClient().Post().Resource(plural).Body(body).DoRaw(t.Context())
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if err := json.Unmarshal(text, created); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.uninstall(context.WithoutCancel(t.Context()), plural, name) })
	s.awaitForce(t, plural+"/"+name, created.ResourceVersion)
}

// uninstall removes a configuration that may be gone already.
func (s *server) uninstall(ctx context.Context, plural, name string) {
	_ = s.AdmissionregistrationV1().RESTClient().Delete().Resource(plural).Name(name).Do(ctx).Error()
}

// configuration is one of a phase, as JSON.
func configuration(t *testing.T, phase, name string, webhooks any) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": kindOf(phase),
		"metadata": map[string]any{"name": name}, "webhooks": webhooks,
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// kindOf is the kind of the configurations of a phase.
func kindOf(phase string) string {
	return strings.ToUpper(phase[:1]) + phase[1:] + "WebhookConfiguration"
}

// awaitForce returns when all later requests see an object, given as
// RESOURCE/NAME or RESOURCE/NAMESPACE/NAME, in a version or a newer one.
func (s *server) awaitForce(t *testing.T, object, version string) {
	t.Helper()
	text, err := s.Discovery().RESTClient().Get().AbsPath("/gatehouse/inforce/"+object).Param("resourceVersion", version).DoRaw(t.Context())
	if err != nil {
		t.Fatalf("%s is not in force: %v: %s", object, err, text)
	}
}
