package builtin

import (
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Move puts the namespace of an object wherever it has to be besides its metadata.
func Move(object runtime.Object, namespace string) {
	switch o := object.(type) {
	case *corev1.Event:
		o.InvolvedObject.Namespace = namespace
	case *eventsv1.Event:
		o.Regarding.Namespace = namespace
	case *authorizationv1.LocalSubjectAccessReview:
		o.Spec.ResourceAttributes.Namespace = namespace
	}
}
