package scenarios_test

import (
	"fmt"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

type (
	validatingHook          = registrationv1.ValidatingWebhook
	mutatingHook            = registrationv1.MutatingWebhook
	validatingConfiguration = registrationv1.ValidatingWebhookConfiguration
	mutatingConfiguration   = registrationv1.MutatingWebhookConfiguration
	rule                    = registrationv1.RuleWithOperations
	operation               = registrationv1.OperationType
)

// on is a rule for resources, which are a group, versions and a plural.
func on(group string, versions []string, plural string, operations ...operation) rule {
	return rule{Operations: operations, Rule: registrationv1.Rule{
		APIGroups: []string{group}, APIVersions: versions, Resources: []string{plural},
	}}
}

// onCore is a rule for resources of the core group.
func onCore(plural string, operations ...operation) rule {
	return on("", []string{"v1"}, plural, operations...)
}

// onMaps is a rule for creating configmaps.
func onMaps() rule { return onCore("configmaps", registrationv1.Create) }

// clientConfig leads to the scenario's service.
func (w *world) clientConfig(path string) registrationv1.WebhookClientConfig {
	return registrationv1.WebhookClientConfig{CABundle: w.webhooks.CA, Service: &registrationv1.ServiceReference{
		Namespace: w.namespace, Name: service, Path: &path, Port: ptr.To[int32](servicePort),
	}}
}

// selector selects what has a name as its label.
func selector(name string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: labels(name)}
}

// mutating is a webhook for the scenario's namespace, with the fields that all
// of upstream's webhooks have. Scenarios change the others.
func (w *world) mutating(name, path string, rules ...rule) mutatingHook {
	return mutatingHook{
		Name:                    name,
		ClientConfig:            w.clientConfig(path),
		Rules:                   rules,
		NamespaceSelector:       selector(w.namespace),
		SideEffects:             ptr.To(registrationv1.SideEffectClassNone),
		AdmissionReviewVersions: []string{"v1", "v1beta1"},
	}
}

// validating is as mutating.
func (w *world) validating(name, path string, rules ...rule) validatingHook {
	return validatingOf(w.mutating(name, path, rules...))
}

// validatingOf has everything of a webhook that scenarios say of both kinds.
func validatingOf(m mutatingHook) validatingHook {
	return validatingHook{
		Name:                    m.Name,
		ClientConfig:            m.ClientConfig,
		Rules:                   m.Rules,
		FailurePolicy:           m.FailurePolicy,
		NamespaceSelector:       m.NamespaceSelector,
		ObjectSelector:          m.ObjectSelector,
		SideEffects:             m.SideEffects,
		AdmissionReviewVersions: m.AdmissionReviewVersions,
	}
}

// readiness is the webhook by which awaitMarker sees that a configuration is in
// force. Each configuration has it besides what it is there for.
func (w *world) readiness(phase string) mutatingHook {
	ready := w.mutating(phase+"-is-webhook-configuration-ready.k8s.io", "/always-deny", onMaps())
	ready.FailurePolicy = ptr.To(registrationv1.Ignore)
	ready.NamespaceSelector, ready.ObjectSelector = selector(w.markers()), selector(w.namespace)
	return ready
}

// validation is a configuration named like the namespace.
func (w *world) validation(hooks ...validatingHook) *validatingConfiguration {
	hooks = append(hooks, validatingOf(w.readiness("validating")))
	return &validatingConfiguration{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}, Webhooks: hooks}
}

// mutation is as validation.
func (w *world) mutation(hooks ...mutatingHook) *mutatingConfiguration {
	hooks = append(hooks, w.readiness("mutating"))
	return &mutatingConfiguration{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}, Webhooks: hooks}
}

// registerV creates a validating configuration.
func (w *world) registerV(t *testing.T, configuration *validatingConfiguration) *validatingConfiguration {
	t.Helper()
	client := w.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	return must[*validatingConfiguration](t)(client.Create(t.Context(), configuration, metav1.CreateOptions{}))
}

// registerM is as registerV.
func (w *world) registerM(t *testing.T, configuration *mutatingConfiguration) *mutatingConfiguration {
	t.Helper()
	client := w.AdmissionregistrationV1().MutatingWebhookConfigurations()
	return must[*mutatingConfiguration](t)(client.Create(t.Context(), configuration, metav1.CreateOptions{}))
}

// validate registers webhooks and returns when they are in force.
func (w *world) validate(t *testing.T, hooks ...validatingHook) {
	t.Helper()
	w.inForce(t, "validatingwebhookconfigurations", w.registerV(t, w.validation(hooks...)))
}

// mutate registers webhooks and returns when they are in force.
func (w *world) mutate(t *testing.T, hooks ...mutatingHook) {
	t.Helper()
	w.inForce(t, "mutatingwebhookconfigurations", w.registerM(t, w.mutation(hooks...)))
}

// awaitMarker returns when a webhook for markers denies one, which is how a
// client of any cluster sees that the configuration is in force.
func (w *world) awaitMarker(t *testing.T) {
	t.Helper()
	eventually(t, "no marker is denied", func() bool {
		w.shown++
		marker := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("marker-%d", w.shown), Labels: labels(w.namespace)}}
		_, err := w.CoreV1().ConfigMaps(w.markers()).Create(t.Context(), marker, metav1.CreateOptions{})
		return isDenied(err)
	})
}
