package policy

import (
	"fmt"
	"reflect"
	"sync"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1alpha1 "k8s.io/api/admissionregistration/v1alpha1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Object is an admission policy or a binding: a *ValidatingAdmissionPolicy,
// *ValidatingAdmissionPolicyBinding, *MutatingAdmissionPolicy or
// *MutatingAdmissionPolicyBinding of admissionregistration.k8s.io/v1, v1beta1
// or v1alpha1. Other objects implement the interface too; the functions of this
// package document their results for those.
type Object interface {
	runtime.Object
	metav1.Object
}

// kinds returns a scheme of the kinds that are an Object.
var kinds = sync.OnceValue(func() *runtime.Scheme {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(registrationv1.SchemeGroupVersion,
		&registrationv1.ValidatingAdmissionPolicy{},
		&registrationv1.ValidatingAdmissionPolicyBinding{},
		&registrationv1.MutatingAdmissionPolicy{},
		&registrationv1.MutatingAdmissionPolicyBinding{})
	scheme.AddKnownTypes(registrationv1beta1.SchemeGroupVersion,
		&registrationv1beta1.ValidatingAdmissionPolicy{},
		&registrationv1beta1.ValidatingAdmissionPolicyBinding{},
		&registrationv1beta1.MutatingAdmissionPolicy{},
		&registrationv1beta1.MutatingAdmissionPolicyBinding{})
	scheme.AddKnownTypes(registrationv1alpha1.SchemeGroupVersion,
		&registrationv1alpha1.ValidatingAdmissionPolicy{},
		&registrationv1alpha1.ValidatingAdmissionPolicyBinding{},
		&registrationv1alpha1.MutatingAdmissionPolicy{},
		&registrationv1alpha1.MutatingAdmissionPolicyBinding{})
	return scheme
})

// blank returns an empty object of a kind and version.
func blank(kind schema.GroupVersionKind) (Object, bool) {
	object, err := kinds().New(kind)
	if err != nil {
		return nil, false
	}
	o, ok := object.(Object)
	return o, ok
}

// kindOf returns the kind and version of the Go type of o. It returns an error
// for nil and other types.
func kindOf(o Object) (schema.GroupVersionKind, error) {
	if v := reflect.ValueOf(o); v.Kind() == reflect.Pointer && v.IsNil() {
		return schema.GroupVersionKind{}, fmt.Errorf("there is no object behind the %T", o)
	}
	found, _, err := kinds().ObjectKinds(o)
	if err != nil || len(found) != 1 {
		return schema.GroupVersionKind{}, fmt.Errorf("%T is not an admission policy or binding", o)
	}
	return found[0], nil
}
