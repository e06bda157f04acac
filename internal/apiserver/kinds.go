package apiserver

import (
	"reflect"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
)

// What the table of resources says of single kinds beyond words and flags.

// labelNamespace sets the label with the namespace's name. It is a default too,
// but one that a name made from generateName comes too late for.
func labelNamespace(o runtime.Object) {
	namespace := o.(*corev1.Namespace)
	if namespace.Labels == nil {
		namespace.Labels = map[string]string{}
	}
	namespace.Labels[corev1.LabelMetadataName] = namespace.Name
}

func podChanged(object, old runtime.Object) bool {
	return !apiequality.Semantic.DeepEqual(object.(*corev1.Pod).Spec, old.(*corev1.Pod).Spec)
}

// deploymentChanged also looks at annotations, because a rollout copies them.
func deploymentChanged(object, old runtime.Object) bool {
	a, b := object.(*appsv1.Deployment), old.(*appsv1.Deployment)
	return !apiequality.Semantic.DeepEqual(a.Spec, b.Spec) || !apiequality.Semantic.DeepEqual(a.Annotations, b.Annotations)
}

// Compat: R-002: an empty list of webhooks is another one than none.
func mutatingChanged(object, old runtime.Object) bool {
	return !reflect.DeepEqual(object.(*registrationv1.MutatingWebhookConfiguration).Webhooks,
		old.(*registrationv1.MutatingWebhookConfiguration).Webhooks)
}

// Compat: R-002: an empty list of webhooks is another one than none.
func validatingChanged(object, old runtime.Object) bool {
	return !reflect.DeepEqual(object.(*registrationv1.ValidatingWebhookConfiguration).Webhooks,
		old.(*registrationv1.ValidatingWebhookConfiguration).Webhooks)
}
