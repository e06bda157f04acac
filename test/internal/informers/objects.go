package informers

import (
	"strconv"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// object returns an object of a resource whose content tells its revision.
func object(r Resource, name string, revision int64) Object {
	number := strconv.FormatInt(revision, 10)
	meta := metav1.ObjectMeta{Name: name, Labels: map[string]string{revisionLabel: number}}
	kind := metav1.TypeMeta{Kind: r.Kind, APIVersion: r.apiVersion()}
	reach := registrationv1.WebhookClientConfig{URL: new("https://127.0.0.1/" + number)}
	switch r {
	case Mutating:
		return &registrationv1.MutatingWebhookConfiguration{TypeMeta: kind, ObjectMeta: meta,
			Webhooks: []registrationv1.MutatingWebhook{{Name: "w.example.com", ClientConfig: reach}}}
	case Validating:
		return &registrationv1.ValidatingWebhookConfiguration{TypeMeta: kind, ObjectMeta: meta,
			Webhooks: []registrationv1.ValidatingWebhook{{Name: "w.example.com", ClientConfig: reach}}}
	case Policies:
		return &registrationv1.ValidatingAdmissionPolicy{TypeMeta: kind, ObjectMeta: meta,
			Spec: registrationv1.ValidatingAdmissionPolicySpec{
				MatchConstraints: &registrationv1.MatchResources{},
				Validations:      []registrationv1.Validation{{Expression: "true"}}}}
	default:
		return &corev1.Namespace{TypeMeta: kind, ObjectMeta: meta}
	}
}
