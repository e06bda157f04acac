package integration_test

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestManifests is I-S2: webhooks from files come and go with them, beside
// those of the API.
func TestManifests(t *testing.T) {
	t.Parallel()
	m := newManifests(t)
	m.write(t, "validating", "webhook.json", m.static(t, "validating", "configmaps"))
	m.start(t)

	// 1. The manifest was there before the server was.
	m.await(t, "configmaps", "/validating")
	at := m.reloaded(t, "validating", reload{})
	// 2., 3. A second folder has a manifest from now on. One object shows both
	// webhooks.
	m.write(t, "mutating", "webhook.json", m.static(t, "mutating", "configmaps"))
	m.await(t, "configmaps", "/mutating", "/validating")
	m.reloaded(t, "mutating", reload{})
	m.wantMutated(t, true)
	// 4. A list is as good as what is in it, and can go again.
	m.write(t, "validating", "list-webhook.json", `{"apiVersion":"v1","kind":"List","items":[`+m.static(t, "list", "secrets")+`]}`)
	m.await(t, "secrets", "/list")
	at = m.reloaded(t, "validating", at)
	m.remove(t, "validating", "list-webhook.json")
	m.await(t, "secrets")
	at = m.reloaded(t, "validating", at)
	// 5. Webhooks from files also receive configurations.
	_, err := m.validating().Create(t.Context(), m.dynamic("test-intercepted"), metav1.CreateOptions{})
	wantText(t, err, `admission webhook "validating.integration.static.k8s.io" denied the request: denied by static webhook`)
	// 6. Without that one, configurations can be created.
	m.remove(t, "validating", "webhook.json")
	m.await(t, "configmaps", "/mutating")
	at = m.reloaded(t, "validating", at)
	if _, err := m.validating().Create(t.Context(), m.dynamic("api-webhook"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	m.await(t, "secrets", "/api")
	m.wantMutated(t, true)
	m.write(t, "validating", "webhook.json", m.static(t, "validating", "configmaps"))
	m.await(t, "configmaps", "/mutating", "/validating")
	m.await(t, "secrets", "/api")
	at = m.reloaded(t, "validating", at)
	// 7., 8. What is in one folder is nothing to the other.
	m.remove(t, "validating", "webhook.json")
	m.await(t, "configmaps", "/mutating")
	m.reloaded(t, "validating", at)
	m.wantMutated(t, true)
	m.remove(t, "mutating", "webhook.json")
	m.await(t, "configmaps")
	m.wantMutated(t, false)
}

// testReservedNames is I-S1: names of manifests are for manifests.
func testReservedNames(t *testing.T, s *server) {
	name := func(text string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: text + ".static.k8s.io"} }
	client := s.AdmissionregistrationV1()
	_, validating := client.ValidatingWebhookConfigurations().Create(t.Context(),
		&registrationv1.ValidatingWebhookConfiguration{ObjectMeta: name("test-webhook")}, metav1.CreateOptions{})
	_, mutating := client.MutatingWebhookConfigurations().Create(t.Context(),
		&registrationv1.MutatingWebhookConfiguration{ObjectMeta: name("test-mutating")}, metav1.CreateOptions{})
	for _, err := range []error{validating, mutating} {
		wantText(t, err, "reserved for static manifest-based configurations")
		if !apierrors.IsInvalid(err) {
			t.Errorf("got %v, want that it is invalid", err)
		}
	}
}
