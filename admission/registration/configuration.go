package registration

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Configuration is a webhook configuration: a *MutatingWebhookConfiguration or
// *ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1 or v1beta1.
// The interface is met by other objects too; every function of this package says
// what it makes of them.
type Configuration interface {
	runtime.Object
	metav1.Object
}
