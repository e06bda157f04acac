package registration

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Configuration is a webhook configuration: a *MutatingWebhookConfiguration or
// *ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1 or
// v1beta1. Other objects implement the interface too; the functions of this
// package document their results for those.
type Configuration interface {
	runtime.Object
	metav1.Object
}
