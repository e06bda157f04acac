package apiserver

import (
	"reflect"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// What the table of resources says of when generations of single kinds count.

// section returns a field of an object, such as its Spec. It is not valid if the Go
// type has none.
func section(object runtime.Object, name string) reflect.Value {
	return reflect.ValueOf(object).Elem().FieldByName(name)
}

// hasStatus reports whether an object has one, as all have that controllers watch.
func hasStatus(object runtime.Object) bool { return section(object, "Status").IsValid() }

// keep sets all parts of an object to those of old, but for the given ones.
func keep(object, old runtime.Object, but ...string) {
	to, from := reflect.ValueOf(object).Elem(), reflect.ValueOf(old).Elem()
	for i := range to.NumField() {
		if !slices.Contains(but, to.Type().Field(i).Name) {
			to.Field(i).Set(from.Field(i))
		}
	}
}

func changed(part func(runtime.Object) any) func(object, old runtime.Object) bool {
	return func(object, old runtime.Object) bool {
		return !apiequality.Semantic.DeepEqual(part(object), part(old))
	}
}

func specChanged(object, old runtime.Object) bool {
	return changed(func(o runtime.Object) any { return section(o, "Spec").Interface() })(object, old)
}

// deploymentChanged also looks at annotations, because a rollout copies them.
func deploymentChanged(object, old runtime.Object) bool {
	annotations := func(o runtime.Object) any { return o.(*appsv1.Deployment).Annotations }
	return specChanged(object, old) || changed(annotations)(object, old)
}

func podTemplateChanged(object, old runtime.Object) bool {
	return changed(func(o runtime.Object) any { return o.(*corev1.PodTemplate).Template })(object, old)
}

// sliceChanged also looks at labels, which say for which service a slice is.
func sliceChanged(object, old runtime.Object) bool {
	return changed(func(o runtime.Object) any {
		bare := *o.(*discoveryv1.EndpointSlice)
		bare.ObjectMeta, bare.TypeMeta = metav1.ObjectMeta{Labels: bare.Labels}, metav1.TypeMeta{}
		return bare
	})(object, old)
}

// never counts the creation only.
func never(runtime.Object, runtime.Object) bool { return false }

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
