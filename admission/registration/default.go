package registration

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// defaultServicePort is the same in both versions.
const defaultServicePort int32 = 443

// Default fills in the fields of c that are absent, in place, as the version of
// c defines:
//
//	                         v1            v1beta1
//	failurePolicy            Fail          Ignore
//	matchPolicy              Equivalent    Exact
//	namespaceSelector        everything    everything
//	objectSelector           everything    everything
//	timeoutSeconds           10            30
//	sideEffects              -             Unknown
//	admissionReviewVersions  -             v1beta1
//	reinvocationPolicy       Never         Never
//	rules[].scope            *             *
//	clientConfig.service     port 443      port 443
//
// It allocates what it sets, so copies of c that share its webhooks list change
// with it, but nothing else does. Other types and nil are left alone.
func Default(c Configuration) {
	switch c := c.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		defaultMutating(c)
	case *registrationv1.ValidatingWebhookConfiguration:
		defaultValidating(c)
	case *registrationv1beta1.MutatingWebhookConfiguration:
		defaultMutatingBeta(c)
	case *registrationv1beta1.ValidatingWebhookConfiguration:
		defaultValidatingBeta(c)
	}
}

// optionalFields points at the fields that have a default in both versions and
// in both kinds of webhook. It exists so that filling them in is written down
// once; the types of two of them differ from version to version.
type optionalFields[F, M ~string] struct {
	failurePolicy     **F
	matchPolicy       **M
	namespaceSelector **metav1.LabelSelector
	objectSelector    **metav1.LabelSelector
	timeoutSeconds    **int32
	rules             []registrationv1.RuleWithOperations
	// servicePort is nil if there is no service.
	servicePort **int32
}

// fill takes the values that differ from version to version.
func (f optionalFields[F, M]) fill(failurePolicy F, matchPolicy M, timeoutSeconds int32) {
	setIfAbsent(f.failurePolicy, failurePolicy)
	setIfAbsent(f.matchPolicy, matchPolicy)
	setIfAbsent(f.namespaceSelector, metav1.LabelSelector{})
	setIfAbsent(f.objectSelector, metav1.LabelSelector{})
	setIfAbsent(f.timeoutSeconds, timeoutSeconds)
	for i := range f.rules {
		setIfAbsent(&f.rules[i].Scope, registrationv1.AllScopes)
	}
	if f.servicePort != nil {
		setIfAbsent(f.servicePort, defaultServicePort)
	}
}

func setIfAbsent[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}
