package policy

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1alpha1 "k8s.io/api/admissionregistration/v1alpha1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission/registration/internal/fields"
)

// Convert returns the v1 form of o. It returns an object of v1, nil and other
// types as they are.
//
// o must have been defaulted, because the defaults of the versions differ. The
// result shares its metadata with o; do not modify o afterwards. The conversion
// loses nothing, because the versions have the same fields.
func Convert(o Object) Object {
	if _, err := kindOf(o); err != nil {
		return o
	}
	switch o := o.(type) {
	case *registrationv1beta1.ValidatingAdmissionPolicy:
		return newValidatingPolicy(o.TypeMeta, o.ObjectMeta, o.Spec, o.Status)
	case *registrationv1beta1.ValidatingAdmissionPolicyBinding:
		return newValidatingBinding(o.TypeMeta, o.ObjectMeta, o.Spec)
	case *registrationv1beta1.MutatingAdmissionPolicy:
		return newMutatingPolicy(o.TypeMeta, o.ObjectMeta, o.Spec)
	case *registrationv1beta1.MutatingAdmissionPolicyBinding:
		return newMutatingBinding(o.TypeMeta, o.ObjectMeta, o.Spec)

	case *registrationv1alpha1.ValidatingAdmissionPolicy:
		return newValidatingPolicy(o.TypeMeta, o.ObjectMeta, o.Spec, o.Status)
	case *registrationv1alpha1.ValidatingAdmissionPolicyBinding:
		return newValidatingBinding(o.TypeMeta, o.ObjectMeta, o.Spec)
	case *registrationv1alpha1.MutatingAdmissionPolicy:
		return newMutatingPolicy(o.TypeMeta, o.ObjectMeta, o.Spec)
	case *registrationv1alpha1.MutatingAdmissionPolicyBinding:
		return newMutatingBinding(o.TypeMeta, o.ObjectMeta, o.Spec)
	}
	return o
}

func newValidatingPolicy(t metav1.TypeMeta, meta metav1.ObjectMeta, spec, status any) Object {
	return &registrationv1.ValidatingAdmissionPolicy{
		TypeMeta: fields.ConvertType(t), ObjectMeta: meta,
		Spec:   fields.ViaJSON[registrationv1.ValidatingAdmissionPolicySpec](spec),
		Status: fields.ViaJSON[registrationv1.ValidatingAdmissionPolicyStatus](status),
	}
}

func newValidatingBinding(t metav1.TypeMeta, meta metav1.ObjectMeta, spec any) Object {
	return &registrationv1.ValidatingAdmissionPolicyBinding{
		TypeMeta: fields.ConvertType(t), ObjectMeta: meta,
		Spec: fields.ViaJSON[registrationv1.ValidatingAdmissionPolicyBindingSpec](spec),
	}
}

func newMutatingPolicy(t metav1.TypeMeta, meta metav1.ObjectMeta, spec any) Object {
	return &registrationv1.MutatingAdmissionPolicy{
		TypeMeta: fields.ConvertType(t), ObjectMeta: meta,
		Spec: fields.ViaJSON[registrationv1.MutatingAdmissionPolicySpec](spec),
	}
}

func newMutatingBinding(t metav1.TypeMeta, meta metav1.ObjectMeta, spec any) Object {
	return &registrationv1.MutatingAdmissionPolicyBinding{
		TypeMeta: fields.ConvertType(t), ObjectMeta: meta,
		Spec: fields.ViaJSON[registrationv1.MutatingAdmissionPolicyBindingSpec](spec),
	}
}
