package static

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1alpha1 "k8s.io/api/admissionregistration/v1alpha1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// newDecoder returns a strict decoder of the types that a manifest may hold and of
// the other types that kube-apiserver's decoder knows: an object of another version is
// rejected for its type, not as unknown (S-042).
//
// Compat: S-042: an object of kind List is a List under any apiVersion.
func newDecoder() (runtime.Decoder, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		registrationv1.AddToScheme, registrationv1beta1.AddToScheme, registrationv1alpha1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	scheme.AddUnversionedTypes(metav1.SchemeGroupVersion, &metav1.List{}, &metav1.Status{})
	return serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer(), nil
}
