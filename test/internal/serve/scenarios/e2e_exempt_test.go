package scenarios_test

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// testExempt is E-08. Both webhooks fail closed, so that a request that reached
// them would be changed or denied in any case.
func testExempt(t *testing.T, w *world) {
	onConfigurations := func(o operation) rule {
		r := on(registrationv1.GroupName, []string{"*"}, "validatingwebhookconfigurations", o)
		r.Resources = append(r.Resources, "mutatingwebhookconfigurations")
		return r
	}
	deny := w.validating("deny-webhook-configuration-deletions.k8s.io", "/always-deny", onConfigurations(registrationv1.Delete))
	deny.NamespaceSelector, deny.FailurePolicy = nil, ptr.To(registrationv1.Fail)
	w.validate(t, deny)
	label := w.mutating("add-label-to-webhook-configurations.k8s.io", "/add-label", onConfigurations(registrationv1.Create))
	label.NamespaceSelector, label.FailurePolicy = nil, ptr.To(registrationv1.Fail)
	w.mutate(t, label)

	dummies := metav1.ObjectMeta{Name: w.namespace + "-dummy"}
	hook := w.mutating("dummy.k8s.io", "", onCore("invalid", registrationv1.Create))
	hook.ClientConfig.CABundle, hook.FailurePolicy = nil, ptr.To(registrationv1.Ignore)
	validating := w.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	v := w.registerV(t, &validatingConfiguration{ObjectMeta: dummies, Webhooks: []validatingHook{validatingOf(hook)}})
	wantUnlabelled(t, v)
	wantNone(t, validating.Delete(t.Context(), v.Name, metav1.DeleteOptions{}))
	mutating := w.AdmissionregistrationV1().MutatingWebhookConfigurations()
	m := w.registerM(t, &mutatingConfiguration{ObjectMeta: dummies, Webhooks: []mutatingHook{hook}})
	wantUnlabelled(t, m)
	wantNone(t, mutating.Delete(t.Context(), m.Name, metav1.DeleteOptions{}))
}

func wantUnlabelled(t *testing.T, object metav1.Object) {
	t.Helper()
	if got, found := object.GetLabels()["added-label"]; found {
		t.Errorf("%T has the label, %q", object, got)
	}
}
